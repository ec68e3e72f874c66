/** When something is heard in a sound: stretches that stand out of its own quiet. */
import { rmsLevels } from '../../render/sound/rms-levels.ts'
import type { Passage } from './index.ts'

const windowMs = 50
/** What lies so far above the quiet of the recording is meant to be heard. */
const aboveQuiet = 10 ** (12 / 20)
/** Quieter than this (-50 dBFS) is quiet whatever else there is. */
const quietMax = 32_768 * 10 ** (-50 / 20)
/** People breathe; what is shorter than that does not part two passages. */
const restMs = 400
const passageMsMin = 150

/** The passages of 16-bit mono samples, in order; none in silence. */
export function passagesOf(samples: Int16Array, sampleRate: number): Passage[] {
  const levels = rmsLevels(samples, Math.max(1, Math.round((sampleRate * windowMs) / 1000)))
  const quiet = levels.toSorted()[Math.floor(levels.length / 10)] ?? 0
  const loudest = levels.reduce((most, level) => Math.max(most, level), 0)
  // A recording without any quiet in it is one passage.
  const threshold = Math.max(quietMax, Math.min(quiet * aboveQuiet, loudest / 2))
  const passages: Passage[] = []
  levels.forEach((level, index) => {
    if (level < threshold) return
    const [startMs, endMs] = [index * windowMs, (index + 1) * windowMs]
    const last = passages.at(-1)
    if (last && startMs - last.endMs < restMs) last.endMs = endMs
    else passages.push({ startMs, endMs })
  })
  return passages.filter(({ startMs, endMs }) => endMs - startMs >= passageMsMin)
}
