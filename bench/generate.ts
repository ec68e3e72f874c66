/**
 * `npm run bench:generate`: generates (without rendering) a video of one minute by the built-in makers on the local
 * run, with stills, with footage and with both. The floor of each is the same narration and the same pictures, made
 * without the service in the same round. The last line of output is one JSON object of medians.
 */
import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parallelLimit } from '../lib/async.ts'
import type { VideoResource } from '../lib/contract/resources/index.ts'
import { narrationTailMs } from '../lib/domain/generation/narration.ts'
import { planVisuals } from '../lib/domain/generation/plan-visuals.ts'
import { builtInVoices, findVoice } from '../lib/domain/videos/voices.ts'
import { builtInFootage } from '../lib/providers/footage/built-in.ts'
import { builtInImages } from '../lib/providers/images/built-in.ts'
import { builtInNarrator } from '../lib/providers/narrator/built-in.ts'
import { loadPictureVocabulary } from '../lib/use-cases/generation/picture-vocabulary.ts'
import type { Runtime } from '../local/runtime.ts'
import { callApiOf, startServiceProcess, temporaryDataDirectory } from '../test/pipelines/service-process.ts'
import { type Figures, goals, meetsGoal } from './figures.ts'
import { median } from './load/statistics.ts'
import { roundsFromArguments, startBench } from './result-files.ts'
import { oneMinuteScript as text } from './speech.ts'

const rounds = roundsFromArguments(3)
const styles = ['ai_image', 'stock_footage', 'mixed'] as const
type Style = (typeof styles)[number]
const pollMs = 20

const voiceId = 'en-clara'
const aspectRatio = '9:16'

/** The progress at which each stage begins; the last stage ends with the job. */
const stages = { queue: 0, script: 1, voice: 15, plan: 40, visuals: 45, complete: 95 }
type Stage = keyof typeof stages
interface GenerationTiming {
  seconds: number
  stages: Record<Stage, number>
}

const end = await startBench('generate')
const { directory, remove } = temporaryDataDirectory()
try {
  const figures = await measure()
  end(figures, rounds)
  const isFast = Object.values(figures).every(({ seconds }) => meetsGoal(seconds, goals.generate.seconds))
  process.exitCode = isFast ? 0 : 1
} finally {
  remove()
}

async function measure() {
  const service = await startServiceProcess(directory)
  try {
    // Warm-up: the first request after a start loads the code.
    await generate(service.runtime, 'ai_image')
    const timings: Record<Style, { generations: GenerationTiming[]; floors: Floor[] }> = {
      ai_image: { generations: [], floors: [] },
      stock_footage: { generations: [], floors: [] },
      mixed: { generations: [], floors: [] },
    }
    for (let round = 1; round <= rounds; round++)
      for (const style of styles) {
        const [generation, floor] = [await generate(service.runtime, style), await measureFloor(style)]
        timings[style].generations.push(generation)
        timings[style].floors.push(floor)
        console.log(`round ${round}, ${style}:`, generation, floor)
      }
    return summarize(timings)
  } finally {
    await service.stop()
  }
}

async function generate(runtime: Runtime, imageStyle: Style): Promise<GenerationTiming> {
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1000
  const { id } = await callApiOf<VideoResource>(runtime, 'POST', '/videos', { text, voiceId, aspectRatio, imageStyle })
  const entered: Partial<Record<Stage, number>> = {}
  for (;;) {
    const { process } = await callApiOf<VideoResource>(runtime, 'GET', `/videos/${id}`)
    if (process?.status === 'FAILED') throw new Error(`The generation failed: ${JSON.stringify(process.error)}`)
    for (const [stage, from] of Object.entries(stages) as [Stage, number][])
      if (process!.progress >= from) entered[stage] ??= seconds()
    if (process?.status === 'COMPLETED') return { seconds: seconds(), stages: lengthsOf(entered, seconds()) }
    await delay(pollMs)
  }
}

function lengthsOf(entered: Partial<Record<Stage, number>>, end: number): Record<Stage, number> {
  const names = Object.keys(stages) as Stage[]
  const from = (index: number) => entered[names[index]!] ?? end
  return Object.fromEntries(names.map((name, index) => [name, from(index + 1) - from(index)])) as Record<Stage, number>
}

interface Floor {
  seconds: number
  speaking: number
  drawing: number
  pictures: number
}

/** The makers alone. The pictures need the narration, which determines their times. */
async function measureFloor(imageStyle: Style): Promise<Floor> {
  const startedAt = performance.now()
  const { words, durationMs } = await builtInNarrator.narrate(text, findVoice(builtInVoices, voiceId)!)
  const spokenAt = performance.now()
  const plain = { connectedBRolls: false, characterDescription: null, customStyleText: null, presenter: null }
  const brief = { ...plain, imageStyle, aspectRatio } as const
  const pictures = { vocabulary: await loadPictureVocabulary('en'), title: '', beats: [] }
  const plan = {
    words,
    durationMs: durationMs + narrationTailMs,
    brief,
    mood: null,
    seed: 'floor',
    addBRolls: true,
    pictures,
  }
  const { signal } = new AbortController()
  const inputs = planVisuals({ ...plan, idOf: String }).map(({ wish }) => wish)
  await parallelLimit(
    inputs.map((input, index) => async () => {
      const scratch = join(directory, `floor-${index}`)
      mkdirSync(scratch, { recursive: true })
      await (input.kind === 'still'
        ? builtInImages.draw(input)
        : builtInFootage.find(input, { directory: scratch, signal, reserve: () => true }))
    }),
    availableParallelism(),
  )
  const [speaking, drawing] = [(spokenAt - startedAt) / 1000, (performance.now() - spokenAt) / 1000]
  return { seconds: speaking + drawing, speaking, drawing, pictures: inputs.length }
}

function summarize(timings: Record<Style, { generations: GenerationTiming[]; floors: Floor[] }>): Figures['generate'] {
  const medianOf = <One>(all: One[], of: (one: One) => number) => Number(median(all.map(of)).toFixed(2))
  const of = (style: Style) => {
    const { generations, floors } = timings[style]
    const seconds = medianOf(generations, (one) => one.seconds)
    const floor = medianOf(floors, (one) => one.seconds)
    const stage = (name: string) => medianOf(generations, (one) => one.stages[name as Stage])
    return {
      seconds,
      stages: Object.fromEntries(Object.keys(stages).map((name) => [name, stage(name)])),
      floor: { seconds: floor, speaking: medianOf(floors, (one) => one.speaking) },
      toFloor: Number((seconds / floor).toFixed(2)),
      pictures: floors[0]!.pictures,
    }
  }
  return { ai_image: of('ai_image'), mixed: of('mixed'), stock_footage: of('stock_footage') }
}
