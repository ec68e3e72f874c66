/** A frame that is encoded to tell one build of the encoder from another, which writes its version beside it. */
import type { Size } from './framing.ts'

export const specimenSize: Size = { width: 64, height: 64 }

/** A yuv420p frame of every brightness. */
export const specimenFrame = (): Uint8Array =>
  Uint8Array.from({ length: (specimenSize.width * specimenSize.height * 3) / 2 }, (_, i) => i % 251)
