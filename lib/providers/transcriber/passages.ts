/** Detects passages with sound: spans that are louder than the background noise of the recording. */
import type { Passage } from '../../domain/generation/source.ts'
import { rmsLevels } from '../../render/sound/rms-levels.ts'

const windowMs = 50
/** Amplitude factor of 12 dB above the background noise. */
const aboveNoise = 10 ** (12 / 20)
/** -50 dBFS: anything below counts as silence. */
const silenceMax = 32_768 * 10 ** (-50 / 20)
/** A shorter pause, such as a breath, does not end a passage. */
const restMs = 400
const passageMsMin = 150

/** The passages of 16-bit mono samples, in order; none in silence. */
export function passagesOf(samples: Int16Array, sampleRate: number): Passage[] {
  const levels = rmsLevels(samples, Math.max(1, Math.round((sampleRate * windowMs) / 1000)))
  const noise = levels.toSorted()[Math.floor(levels.length / 10)] ?? 0
  const loudest = levels.reduce((most, level) => Math.max(most, level), 0)
  // Half of the loudest level limits the threshold: a recording without pauses is one passage.
  const threshold = Math.max(silenceMax, Math.min(noise * aboveNoise, loudest / 2))
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
