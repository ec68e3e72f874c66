/**
 * `npm run bench:generate`: briefs of a minute are generated, not rendered, by the built-in makers on the local run: with stills,
 * with footage and with both. The floor under each is the same script spoken and the same pictures made without a service around
 * them, in the same round. The last line is one JSON object of medians.
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
import type { Runtime } from '../local/runtime.ts'
import { callApiOf, startServiceProcess, temporaryDataDirectory } from '../test/pipelines/service-process.ts'
import { type Figures, goals, meetsGoal } from './figures.ts'
import { median } from './render/measure.ts'
import { roundsFromArguments, startBench } from './result-files.ts'
import { oneMinuteScript as text } from './speech.ts'

const rounds = roundsFromArguments(3)
const styles = ['ai_image', 'stock_footage', 'mixed'] as const
type Style = (typeof styles)[number]
const pollMs = 20

const voiceId = 'en-clara'
const aspectRatio = '9:16'

/** When a generation begins something new, by the progress that it tells; the last stage ends with the job. */
const stages = { queue: 0, script: 1, voice: 15, plan: 40, visuals: 45, complete: 95 }
type Stage = keyof typeof stages
interface Taken {
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
    // Loads what the first request after a start would wait for.
    await generate(service.runtime, 'ai_image')
    const taken: Record<Style, { made: Taken[]; floors: Floor[] }> = {
      ai_image: { made: [], floors: [] },
      stock_footage: { made: [], floors: [] },
      mixed: { made: [], floors: [] },
    }
    for (let round = 1; round <= rounds; round++)
      for (const style of styles) {
        const [made, floor] = [await generate(service.runtime, style), await measureFloor(style)]
        taken[style].made.push(made)
        taken[style].floors.push(floor)
        console.log(`round ${round}, ${style}:`, made, floor)
      }
    return summarize(taken)
  } finally {
    await service.stop()
  }
}

async function generate(runtime: Runtime, imageStyle: Style): Promise<Taken> {
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
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

/** The makers alone. Pictures wait for the voice, since it tells when they are seen. */
async function measureFloor(imageStyle: Style): Promise<Floor> {
  const began = performance.now()
  const { words, durationMs } = await builtInNarrator.narrate(text, findVoice(builtInVoices, voiceId)!)
  const spoken = performance.now()
  const plain = { connectedBRolls: false, characterDescription: null, customStyleText: null, presenter: null }
  const brief = { ...plain, imageStyle, aspectRatio } as const
  const plan = { words, durationMs: durationMs + narrationTailMs, brief, mood: null, seed: 'floor', addBRolls: true }
  const { signal } = new AbortController()
  const wishes = planVisuals({ ...plan, idOf: String }).map(({ wish }) => wish)
  await parallelLimit(
    wishes.map((wish, index) => async () => {
      const scratch = join(directory, `floor-${index}`)
      mkdirSync(scratch, { recursive: true })
      await (wish.kind === 'still'
        ? builtInImages.draw(wish)
        : builtInFootage.find(wish, { directory: scratch, signal, reserve: () => true }))
    }),
    availableParallelism(),
  )
  const [speaking, drawing] = [(spoken - began) / 1000, (performance.now() - spoken) / 1000]
  return { seconds: speaking + drawing, speaking, drawing, pictures: wishes.length }
}

function summarize(taken: Record<Style, { made: Taken[]; floors: Floor[] }>): Figures['generate'] {
  const middle = <One>(all: One[], of: (one: One) => number) => Number(median(all.map(of)).toFixed(2))
  const of = (style: Style) => {
    const { made, floors } = taken[style]
    const seconds = middle(made, (one) => one.seconds)
    const floor = middle(floors, (one) => one.seconds)
    const stage = (name: string) => middle(made, (one) => one.stages[name as Stage])
    return {
      seconds,
      stages: Object.fromEntries(Object.keys(stages).map((name) => [name, stage(name)])),
      floor: { seconds: floor, speaking: middle(floors, (one) => one.speaking) },
      toFloor: Number((seconds / floor).toFixed(2)),
      pictures: floors[0]!.pictures,
    }
  }
  return { ai_image: of('ai_image'), mixed: of('mixed'), stock_footage: of('stock_footage') }
}
