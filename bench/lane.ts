/**
 * `npm run bench:lane`: the CPU time of a frame of a still and of a clip, and of a render apart from its frames, from
 * videos of two lengths. The last line of output is one JSON object of medians. Arguments: `keep` stores it and writes the
 * factors of `lib/render/segments/lane.ts`, a number is the number of rounds.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Figures } from './figures.ts'
import { laneFactors } from './lane/factors.ts'
import { median } from './load/statistics.ts'
import { createReferenceClips, createReferenceMedia, referenceComposition } from './render/reference.ts'
import { renderInProcess } from './render/render-process.ts'
import { roundsFromArguments, startBench } from './result-files.ts'
import { createScratchDirectory } from './scratch.ts'

const rounds = roundsFromArguments(3)
/** Seconds; multiples of a shot of the reference video. */
const [short, long] = [3.75, 22.5]
const fps = 30
const factorsFile = join(import.meta.dirname, '../lib/render/segments/lane-factors.json')

const end = await startBench('lane')
const base = createScratchDirectory()
process.env.NODE_COMPILE_CACHE = join(base, 'compiled')
try {
  const figures = await measure()
  end(figures, rounds)
  if (process.argv.includes('keep')) writeFileSync(factorsFile, `${JSON.stringify(laneFactors(figures), null, 2)}\n`)
} finally {
  rmSync(base, { recursive: true, force: true })
}

async function measure(): Promise<Figures['lane']> {
  const stills = await createReferenceMedia(base, [short, long])
  const files = { ...stills, ...(await createReferenceClips(base, stills)) }
  const cpuSeconds = async (seconds: number, kind: 'still' | 'clip') =>
    (await renderInProcess(base, { composition: referenceComposition(seconds, kind), files })).cpuSeconds
  // Fills the compile cache.
  await cpuSeconds(short, 'still')
  const measured: Figures['lane'][] = []
  for (let round = 1; round <= rounds; round++) {
    const [shortStills, longStills] = [await cpuSeconds(short, 'still'), await cpuSeconds(long, 'still')]
    const [shortClips, longClips] = [await cpuSeconds(short, 'clip'), await cpuSeconds(long, 'clip')]
    const stillFrameSeconds = (longStills - shortStills) / (fps * (long - short))
    const one = {
      startSeconds: shortStills - fps * short * stillFrameSeconds,
      stillFrameSeconds,
      clipFrameSeconds: (longClips - shortClips) / (fps * (long - short)),
    }
    measured.push(one)
    console.log(`round ${round}: ${JSON.stringify(one)}`)
  }
  const medianOf = (name: keyof Figures['lane']) => median(measured.map((one) => one[name]))
  return {
    startSeconds: medianOf('startSeconds'),
    stillFrameSeconds: medianOf('stillFrameSeconds'),
    clipFrameSeconds: medianOf('clipFrameSeconds'),
  }
}
