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
import { type Figures, goals, isReached } from './figures.ts'
import { floorOf } from './render/floor.ts'
import { median, peakMegabytes, type Taken, timed } from './render/measure.ts'
import { makeMedia, referenceFilm, withEditedWord } from './render/reference.ts'
import type { Order } from './render/render-once.ts'
import { beginBench, roundsAsked } from './result-files.ts'

const rounds = roundsAsked(3)
const threadCounts = [1, 2, 4]
/** In the middle of a segment's page, as most edits are. */
const editedMs = 31_000

const end = await beginBench('render')
// In memory where there is such a place: what is measured is the work, not a disk.
const base = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'reelsmith-bench-'))
// As in the image of the tasks and in the local run, Node keeps what it compiled: the first film is not measured.
process.env.NODE_COMPILE_CACHE = join(base, 'compiled')
try {
  const figures = await measure()
  end(figures, rounds)
  process.exitCode = reached(figures) ? 0 : 1
} finally {
  rmSync(base, { recursive: true, force: true })
}

async function measure() {
  const processes = availableParallelism()
  const [short, long] = [referenceFilm(30), referenceFilm(60)]
  const edited = withEditedWord(long, editedMs)
  const files = await makeMedia(base, [30, 60])
  const floor = await floorOf(short, files, base, processes)
  const warm = newDirectory('warm')
  await render({ composition: long, files, store: warm })

  const taken: Record<'floor' | 'film' | 'cold' | 'edit', Taken[]> = { floor: [], film: [], cold: [], edit: [] }
  let edit: Answer | undefined
  for (let round = 1; round <= rounds; round++) {
    taken.floor.push(await timed(floor))
    taken.film.push(await render({ composition: short, files }))
    taken.cold.push(await render({ composition: long, files, store: newDirectory('cold') }))
    const store = newDirectory('edit')
    cpSync(warm, store, { recursive: true })
    edit = await render({ composition: edited, files, store }, true)
    taken.edit.push(edit)
    console.log(
      `round ${round}: ${Object.entries(taken)
        .map(([name, all]) => `${name} ${told(all.at(-1)!)}`)
        .join(', ')}`,
    )
  }
  const coldEdit = await render({ composition: edited, files }, true)
  const identical = (await framesOf(edit!.videoPath)) === (await framesOf(coldEdit.videoPath))
  const sums: string[] = []
  for (const threads of threadCounts) sums.push((await render({ composition: short, files, threads })).sha256)
  const peak = await peakMegabytes(commandOf({ composition: short, files }))
  return verdict(taken, { edit: edit!, identical, sums, peak })
}

function verdict(
  taken: Record<'floor' | 'film' | 'cold' | 'edit', Taken[]>,
  seen: { edit: Answer; identical: boolean; sums: string[]; peak: number },
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

function reached(figures: Figures['render']): boolean {
  const names = Object.keys(goals.render) as (keyof typeof goals.render)[]
  const within = names.every((name) => isReached(figures[name], goals.render[name]))
  return within && figures.editIsIdentical && figures.sameBytesWithThreads.length > 0
}

type Answer = Taken & Pick<RenderedVideo, 'sha256' | 'bytes' | 'reuse' | 'videoPath'>

async function render(order: Omit<Order, 'directory'>, keep = false): Promise<Answer> {
  const command = commandOf(order)
  const taken = await timed(command)
  const answer: Answer = { ...taken, ...JSON.parse(taken.output) }
  if (!keep) rmSync(join(answer.videoPath, '..'), { recursive: true })
  return answer
}

function commandOf(order: Omit<Order, 'directory'>): string[] {
  const directory = newDirectory('render')
  const file = `${directory}.json`
  const whole: Order = { ...order, directory }
  writeFileSync(file, JSON.stringify(whole))
  const script = join(import.meta.dirname, 'render/render-once.ts')
  return [process.execPath, '--disable-warning=ExperimentalWarning', script, file]
}

function newDirectory(name: string): string {
  const directory = mkdtempSync(join(base, `${name}-`))
  mkdirSync(directory, { recursive: true })
  return directory
}

function told({ wallSeconds, cpuSeconds }: Taken): string {
  return `${wallSeconds.toFixed(2)} s (${cpuSeconds.toFixed(2)} of CPU)`
}

/** The hash of each decoded frame. */
async function framesOf(path: string): Promise<string> {
  const args = ['-v', 'error', '-i', path, '-map', '0:v', '-f', 'framemd5', '-']
  return (await runFfmpeg({ directory: base, timeoutMs: 600_000, arguments: args })).output.toString()
}
