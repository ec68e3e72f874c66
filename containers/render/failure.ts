/** The one kind of error a render ends with. */
import { FfmpegFailure } from '../../lib/ffmpeg/run.ts'

/**
 * `bad-composition`: what was asked for cannot be a film. `bad-media`: a picture, a clip or the narration cannot be used.
 * `failed`: ffmpeg or the renderer itself went wrong.
 */
export type RenderFailureCode = 'cancelled' | 'timeout' | 'stalled' | 'bad-composition' | 'bad-media' | 'failed'

export class RenderFailure extends Error {
  override name = 'RenderFailure'
  readonly code: RenderFailureCode

  constructor(code: RenderFailureCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** Names what went wrong while `doing` something. `code` is for a failure that neither cancelling nor waiting explains. */
export function asRenderFailure(failure: unknown, doing: string, code: RenderFailureCode = 'failed'): RenderFailure {
  if (failure instanceof RenderFailure) return failure
  const known = failure instanceof FfmpegFailure && failure.code !== 'failed' ? failure.code : code
  return new RenderFailure(known, `${doing}: ${failure instanceof Error ? failure.message : failure}`, failure)
}
