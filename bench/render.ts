/**
 * `npm run bench:render`: a video of 30 s compared to its floor (x264 alone, with the same frames and settings), an
 * edited word in a video of 60 s, and whether renders are deterministic with any number of threads. Measured in rounds;
 * the last line of output is one JSON object of medians. Arguments: `keep` stores it, a number is the number of rounds.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { runFfmpeg } from '../lib/ffmpeg/run.ts'
import { type Figures, goals, meetsGoal } from './figures.ts'
import { median } from './load/statistics.ts'
import { floorCommand } from './render/floor.ts'
import { type CommandTiming, measureCommand, peakMegabytes } from './render/measure.ts'
import { createReferenceMedia, referenceComposition, withEditedWord } from './render/reference.ts'
import { type RenderRun, renderCommand, renderInProcess } from './render/render-process.ts'
import { roundsFromArguments, startBench } from './result-files.ts'
import { createScratchDirectory } from './scratch.ts'

const rounds = roundsFromArguments(3)
const threadCounts = [1, 2, 4]
/** In the middle of a page, as most edits are. */
const editedMs = 31_000

const end = await startBench('render')
const base = createScratchDirectory()
// The compile cache of Node, as in the container image and in the local run. The first render fills it and is not
// measured.
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

  const timings: Record<'floor' | 'film' | 'cold' | 'edit', CommandTiming[]> = {
    floor: [],
    film: [],
    cold: [],
    edit: [],
  }
  let edit: RenderRun | undefined
  for (let round = 1; round <= rounds; round++) {
    timings.floor.push(await measureCommand(floor))
    timings.film.push(await render({ composition: short, files }))
    timings.cold.push(await render({ composition: long, files, store: newDirectory('cold') }))
    const store = newDirectory('edit')
    cpSync(warm, store, { recursive: true })
    edit = await render({ composition: edited, files, store }, true)
    timings.edit.push(edit)
    console.log(
      `round ${round}: ${Object.entries(timings)
        .map(([name, all]) => `${name} ${formatTiming(all.at(-1)!)}`)
        .join(', ')}`,
    )
  }
  const coldEdit = await render({ composition: edited, files }, true)
  const identical = (await frameChecksums(edit!.videoPath)) === (await frameChecksums(coldEdit.videoPath))
  const sums: string[] = []
  for (const threads of threadCounts) sums.push((await render({ composition: short, files, threads })).sha256)
  const peak = await peakMegabytes(renderCommand(base, { composition: short, files }))
  return summarize(timings, { edit: edit!, identical, sums, peak })
}

function summarize(
  timings: Record<'floor' | 'film' | 'cold' | 'edit', CommandTiming[]>,
  checks: { edit: RenderRun; identical: boolean; sums: string[]; peak: number },
): Figures['render'] {
  const medians = Object.fromEntries(
    Object.entries(timings).map(([name, all]) => [
      name,
      { wallSeconds: median(all.map((one) => one.wallSeconds)), cpuSeconds: median(all.map((one) => one.cpuSeconds)) },
    ]),
  ) as Record<keyof typeof timings, { wallSeconds: number; cpuSeconds: number }>
  const { floor, film, cold, edit } = medians
  const ratio = (a: number, b: number) => Number((a / b).toFixed(3))
  return {
    filmSeconds: { film: 30, cold: 60 },
    ...medians,
    wallToFloor: ratio(film.wallSeconds, floor.wallSeconds),
    cpuToFloor: ratio(film.cpuSeconds, floor.cpuSeconds),
    peakMegabytes: checks.peak,
    editCpuShare: ratio(edit.cpuSeconds, cold.cpuSeconds),
    editWallSeconds: edit.wallSeconds,
    editReuse: checks.edit.reuse,
    editIsIdentical: checks.identical,
    sameBytesWithThreads: new Set(checks.sums).size === 1 ? threadCounts : [],
  }
}

function meetsGoals(figures: Figures['render']): boolean {
  const names = Object.keys(goals.render) as (keyof typeof goals.render)[]
  const within = names.every((name) => meetsGoal(figures[name], goals.render[name]))
  return within && figures.editIsIdentical && figures.sameBytesWithThreads.length > 0
}

function render(request: Parameters<typeof renderInProcess>[1], keepFiles = false): Promise<RenderRun> {
  return renderInProcess(base, request, keepFiles)
}

function newDirectory(name: string): string {
  const directory = mkdtempSync(join(base, `${name}-`))
  mkdirSync(directory, { recursive: true })
  return directory
}

function formatTiming({ wallSeconds, cpuSeconds }: CommandTiming): string {
  return `${wallSeconds.toFixed(2)} s (${cpuSeconds.toFixed(2)} of CPU)`
}

/** The checksum of each decoded frame. */
async function frameChecksums(path: string): Promise<string> {
  const args = ['-v', 'error', '-i', path, '-map', '0:v', '-f', 'framecrc', '-']
  return (await runFfmpeg({ directory: base, timeoutMs: 600_000, arguments: args })).output.toString()
}
