/**
 * Test frames whose encoding identifies the build of the encoder, which writes its version into the stream, and whether
 * its output depends on the CPU.
 */
import type { Size } from './framing.ts'

export const fingerprintFrameSize: Size = { width: 64, height: 64 }
const frames = 12

/**
 * yuv420p frames of noise on drifting stripes. With the settings of a segment but without `cpu-independent`, x264 gives
 * different bytes for them on AVX-512, on AVX2 and without vector instructions (r2935, r3095).
 */
export function fingerprintFrames(): Uint8Array {
  const { width, height } = fingerprintFrameSize
  const bytes: number[] = []
  for (let frame = 0; frame < frames; frame++) {
    for (let y = frame; y < height + frame; y++)
      for (let x = 2 * frame; x < width + 2 * frame; x++) bytes.push(16 + noise(x, y) + (((x * 3 + y * 2) >> 1) % 180))
    for (const slope of [0, 9])
      for (let y = 0; y < height / 2; y++)
        for (let x = frame; x < width / 2 + frame; x++) bytes.push(96 + (((x * (y + slope)) >> 4) % 64))
  }
  return Uint8Array.from(bytes)
}

/** 0 to 31. */
const noise = (x: number, y: number) => Math.imul((x * 73_856_093) ^ (y * 19_349_663), 2_654_435_761) >>> 27
