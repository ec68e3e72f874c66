/** A test frame whose encoding identifies the build of the encoder, which writes its version into the stream. */
import type { Size } from './framing.ts'

export const fingerprintFrameSize: Size = { width: 64, height: 64 }

/** A yuv420p frame with all luma values. */
export const fingerprintFrame = (): Uint8Array =>
  Uint8Array.from({ length: (fingerprintFrameSize.width * fingerprintFrameSize.height * 3) / 2 }, (_, i) => i % 251)
