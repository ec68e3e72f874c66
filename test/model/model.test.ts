/**
 * Random sequences of commands by two clients at once, against the real service over HTTP and against a model of the
 * contract. A few here; as many as wanted by `npm run test:model`, which sets MODEL_SEQUENCES, MODEL_SEED
 * and MODEL_OUTCOMES, a file for what was seen.
 */
import { writeFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { useTestVideos, verticalVideo } from '../platforms/shared/test-videos.ts'
import { drawSequence, type Outcome, runSequence, shrink, storedOutcome, storyOf } from './run.ts'
import { readVoices, type Surroundings, startArrivals } from './service.ts'

const count = Number(process.env.MODEL_SEQUENCES ?? 4)
const seed = Number(process.env.MODEL_SEED ?? 1)
const length = 40
const atOnce = 4
/** More would be the same difference again. */
const differencesMax = 3

const arrivals = await startArrivals()
const videos = useTestVideos()
afterAll(arrivals.stop)

async function runAll(surroundings: Surroundings): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let next = seed
  const runner = async () => {
    while (next < seed + count && outcomes.filter(({ difference }) => difference).length < differencesMax)
      outcomes.push(await runSequence(drawSequence(next++, length), surroundings))
  }
  await Promise.all(Array.from({ length: atOnce }, runner))
  return outcomes
}

it(
  `${count} sequences of ${length} commands show no difference to the model (from seed ${seed})`,
  async () => {
    const { film, read } = await videos.make(verticalVideo)
    const { width, height, durationMs } = film
    const mp4 = Buffer.concat(await Array.fromAsync(read(0, film.bytes)))
    const cover = await (await fetch(film.coverUrl)).bytes()
    const surroundings = { arrivals, voices: await readVoices(), film: { width, height, durationMs, mp4, cover } }
    const outcomes = await runAll(surroundings)
    const different = outcomes.filter(({ difference }) => difference)
    const stories: string[] = []
    for (const outcome of different) stories.push(storyOf(await shrink(outcome, surroundings)))
    const { MODEL_OUTCOMES: file } = process.env
    if (file) writeFileSync(file, JSON.stringify(outcomes.map(storedOutcome)))
    expect(different.length, stories.join('\n\n')).toBe(0)
  },
  60_000 + count * 10_000,
)
