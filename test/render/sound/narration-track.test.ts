import { describe, expect, it } from 'vitest'
import { mixNarrationTrack } from '../../../lib/render/sound/narration-track.ts'
import { encodeWav, parseWav } from '../../../lib/render/sound/wav.ts'

const sound = (samples: number[], sampleRate = 1_000) => encodeWav({ sampleRate, samples: Int16Array.from(samples) })

describe('a soundtrack', () => {
  it('has each sound at its time, and silence between', () => {
    const track = mixNarrationTrack(
      [
        { wav: sound([1, 2]), startMs: 1 },
        { wav: sound([3]), startMs: 5 },
      ],
      8,
    )
    expect(parseWav(track)).toEqual({ sampleRate: 1_000, samples: Int16Array.from([0, 1, 2, 0, 0, 3, 0, 0]) })
  })

  it('is truncated at its length, and silent without a sound', () => {
    expect([...parseWav(mixNarrationTrack([{ wav: sound([1, 2, 3]), startMs: 1 }], 3)).samples]).toEqual([0, 1, 2])
    expect(parseWav(mixNarrationTrack([], 100)).samples).toEqual(new Int16Array(1_600))
  })

  it('refuses sounds of different sample rates', () => {
    const sounds = [sound([1]), sound([1], 2_000)].map((wav, index) => ({ wav, startMs: index }))
    expect(() => mixNarrationTrack(sounds, 3)).toThrow(RangeError)
  })
})
