import { describe, expect, it } from 'vitest'
import { analyseSound } from '../../../lib/render/sound/sound-analysis.ts'

const sampleRate = 16_000

/** A tone of this level from one moment to another, over faint noise. */
function tone(durationMs: number, { fromMs, toMs, height }: { fromMs: number; toMs: number; height: number }) {
  const noise = (at: number) => ((at * 7_919) % 41) - 20
  const samples = Int16Array.from({ length: (durationMs * sampleRate) / 1000 }, (_, at) => {
    const ms = (at * 1000) / sampleRate
    return noise(at) + (ms >= fromMs && ms < toMs ? height * Math.sin(at / 5) : 0)
  })
  return { samples, sampleRate }
}

describe('the detected sound', () => {
  it('covers neither noise nor silence', () => {
    const { sounds, windowMs, durationMs } = analyseSound(tone(1_000, { fromMs: 300, toMs: 500, height: 8_000 }))
    expect({ durationMs, windows: sounds.length * windowMs }).toEqual({ durationMs: 1_000, windows: 1_000 })
    expect(sounds.indexOf(true) * windowMs).toBe(300)
    expect((sounds.lastIndexOf(true) + 1) * windowMs).toBe(500)
  })

  it('is the same for a quiet and a loud voice', () => {
    const [loud, quiet] = [8_000, 400].map((height) => analyseSound(tone(2_000, { fromMs: 300, toMs: 1_500, height })))
    expect(quiet!.sounds).toEqual(loud!.sounds)
    expect(loud!.loudnessLufs - quiet!.loudnessLufs).toBeCloseTo(20 * Math.log10(20), 0)
  })

  it('is empty without any sound', () => {
    const { sounds, loudnessLufs } = analyseSound({ samples: new Int16Array(sampleRate), sampleRate })
    expect(sounds.includes(true)).toBe(false)
    expect(loudnessLufs).toBe(-Infinity)
    expect(analyseSound({ samples: new Int16Array(0), sampleRate })).toMatchObject({ durationMs: 0, sounds: [] })
  })
})
