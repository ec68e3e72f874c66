/**
 * `npm run bench:render`: a film of 30 s against the floor under it (x264 alone, with the same frames and settings), a word
 * edited in a film of 60 s, and whether films are the same bytes with any number of threads. All are measured in turns; the
 * last line is one JSON object of medians. `-- keep` keeps it, a number is how many rounds.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RenderedVideo } from '../containers/media/render/renderer.ts'
import { runFfmpeg } from '../lib/ffmpeg/run.ts'
import { type Figures, goals, meetsGoal } from './figures.ts'
import { floorCommand } from './render/floor.ts'
import { type CommandTiming, measureCommand, median, peakMegabytes } from './render/measure.ts'
import { createReferenceMedia, referenceComposition, withEditedWord } from './render/reference.ts'
import type { RenderOnceRequest } from './render/render-once.ts'
import { roundsFromArguments, startBench } from './result-files.ts'

const rounds = roundsFromArguments(3)
const threadCounts = [1, 2, 4]
/** In the middle of a segment's page, as most edits are. */
const editedMs = 31_000

const end = await startBench('render')
// In memory where there is such a place: what is measured is the work, not a disk.
const base = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'reelsmith-bench-'))
// As in the image of the tasks and in the local run, Node keeps what it compiled: the first film is not measured.
process.env.NODE_COMPILE_CACHE = join(base, 'compiled')
try {
  const figures = await measure()
  end(figures, rounds)
  process.exitCode = meetsGoals(figures) ? 0 : 1
} finally {
  rmSync(base, { recursive: true, force: true })
}

async function measure() {
  const processes = availableParallelism()
  const [short, long] = [referenceComposition(30), referenceComposition(60)]
  const edited = withEditedWord(long, editedMs)
  const files = await createReferenceMedia(base, [30, 60])
  const floor = await floorCommand(short, files, base, processes)
  const warm = newDirectory('warm')
  await render({ composition: long, files, store: warm })

  const taken: Record<'floor' | 'film' | 'cold' | 'edit', CommandTiming[]> = { floor: [], film: [], cold: [], edit: [] }
  let edit: RenderRun | undefined
  for (let round = 1; round <= rounds; round++) {
    taken.floor.push(await measureCommand(floor))
    taken.film.push(await render({ composition: short, files }))
    taken.cold.push(await render({ composition: long, files, store: newDirectory('cold') }))
    const store = newDirectory('edit')
    cpSync(warm, store, { recursive: true })
    edit = await render({ composition: edited, files, store }, true)
    taken.edit.push(edit)
    console.log(
      `round ${round}: ${Object.entries(taken)
        .map(([name, all]) => `${name} ${formatTiming(all.at(-1)!)}`)
        .join(', ')}`,
    )
  }
  const coldEdit = await render({ composition: edited, files }, true)
  const identical = (await framesOf(edit!.videoPath)) === (await framesOf(coldEdit.videoPath))
  const sums: string[] = []
  for (const threads of threadCounts) sums.push((await render({ composition: short, files, threads })).sha256)
  const peak = await peakMegabytes(commandOf({ composition: short, files }))
  return summarize(taken, { edit: edit!, identical, sums, peak })
}

function summarize(
  taken: Record<'floor' | 'film' | 'cold' | 'edit', CommandTiming[]>,
  seen: { edit: RenderRun; identical: boolean; sums: string[]; peak: number },
): Figures['render'] {
  const medians = Object.fromEntries(
    Object.entries(taken).map(([name, all]) => [
      name,
      { wallSeconds: median(all.map((one) => one.wallSeconds)), cpuSeconds: median(all.map((one) => one.cpuSeconds)) },
    ]),
  ) as Record<keyof typeof taken, { wallSeconds: number; cpuSeconds: number }>
  const { floor, film, cold, edit } = medians
  const ratio = (a: number, b: number) => Number((a / b).toFixed(3))
  return {
    filmSeconds: { film: 30, cold: 60 },
    ...medians,
    wallToFloor: ratio(film.wallSeconds, floor.wallSeconds),
    cpuToFloor: ratio(film.cpuSeconds, floor.cpuSeconds),
    peakMegabytes: seen.peak,
    editCpuShare: ratio(edit.cpuSeconds, cold.cpuSeconds),
    editWallSeconds: edit.wallSeconds,
    editReuse: seen.edit.reuse,
    editIsIdentical: seen.identical,
    sameBytesWithThreads: new Set(seen.sums).size === 1 ? threadCounts : [],
  }
}

function meetsGoals(figures: Figures['render']): boolean {
  const names = Object.keys(goals.render) as (keyof typeof goals.render)[]
  const within = names.every((name) => meetsGoal(figures[name], goals.render[name]))
  return within && figures.editIsIdentical && figures.sameBytesWithThreads.length > 0
}

type RenderRun = CommandTiming & Pick<RenderedVideo, 'sha256' | 'bytes' | 'reuse' | 'videoPath'>

async function render(order: Omit<RenderOnceRequest, 'directory'>, keep = false): Promise<RenderRun> {
  const command = commandOf(order)
  const taken = await measureCommand(command)
  const answer: RenderRun = { ...taken, ...JSON.parse(taken.output) }
  if (!keep) rmSync(join(answer.videoPath, '..'), { recursive: true })
  return answer
}

function commandOf(order: Omit<RenderOnceRequest, 'directory'>): string[] {
  const directory = newDirectory('render')
  const file = `${directory}.json`
  const whole: RenderOnceRequest = { ...order, directory }
  writeFileSync(file, JSON.stringify(whole))
  const script = join(import.meta.dirname, 'render/render-once.ts')
  return [process.execPath, '--disable-warning=ExperimentalWarning', script, file]
}

function newDirectory(name: string): string {
  const directory = mkdtempSync(join(base, `${name}-`))
  mkdirSync(directory, { recursive: true })
  return directory
}

function formatTiming({ wallSeconds, cpuSeconds }: CommandTiming): string {
  return `${wallSeconds.toFixed(2)} s (${cpuSeconds.toFixed(2)} of CPU)`
}

/** The hash of each decoded frame. */
async function framesOf(path: string): Promise<string> {
  const args = ['-v', 'error', '-i', path, '-map', '0:v', '-f', 'framemd5', '-']
  return (await runFfmpeg({ directory: base, timeoutMs: 600_000, arguments: args })).output.toString()
}
