/** A frame that is encoded to tell one build of the encoder from another, which writes its version beside it. */
import type { Size } from './framing.ts'

export const fingerprintFrameSize: Size = { width: 64, height: 64 }

/** A yuv420p frame of every brightness. */
export const fingerprintFrame = (): Uint8Array =>
  Uint8Array.from({ length: (fingerprintFrameSize.width * fingerprintFrameSize.height * 3) / 2 }, (_, i) => i % 251)
