/** The one kind of error a render ends with. */

import { FfmpegFailure } from '../../../lib/ffmpeg/run.ts'
import type { ShotMedia } from '../../../lib/render/composition.ts'

/**
 * `bad-composition`: what was asked for cannot be a film. `bad-media`: a picture, a clip or the narration cannot be used.
 * `disk-full`: there is no room for scratch files. `failed`: ffmpeg or the renderer itself went wrong.
 */
export type RenderFailureCode =
  | 'cancelled'
  | 'timeout'
  | 'stalled'
  | 'bad-composition'
  | 'bad-media'
  | 'disk-full'
  | 'failed'

export class RenderFailure extends Error {
  override name = 'RenderFailure'
  readonly code: RenderFailureCode

  constructor(code: RenderFailureCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** Names what went wrong while `doing` something. `code` is for a failure that explains itself in no other way. */
export function asRenderFailure(failure: unknown, doing: string, code: RenderFailureCode = 'failed'): RenderFailure {
  if (failure instanceof RenderFailure) return failure
  const message = `${doing}: ${failure instanceof Error ? failure.message : failure}`
  return new RenderFailure(knownCode(failure) ?? code, message, failure)
}

/** Only ffmpeg's own no is about the picture; a full disk, or an ffmpeg that was killed or is missing, may pass. */
export function asMediaFailure(failure: unknown, media: ShotMedia): RenderFailure {
  const isVerdict = failure instanceof FfmpegFailure && failure.isPermanent
  const name = 'key' in media ? media.key : 'of a slide'
  return asRenderFailure(failure, `The ${media.kind} ${name} cannot be used`, isVerdict ? 'bad-media' : 'failed')
}

/** Does what depends on the composition alone: where it fails, it would fail again. */
export function mapCompositionErrors<Result>(make: () => Result): Result {
  try {
    return make()
  } catch (failure) {
    throw badComposition(failure)
  }
}

export const badComposition = (failure: unknown): RenderFailure =>
  asRenderFailure(failure, 'The composition cannot be rendered', 'bad-composition')

function knownCode(failure: unknown): RenderFailureCode | undefined {
  if (failure instanceof FfmpegFailure && failure.code !== 'failed') return failure.code
  // What the system calls ENOSPC, ffmpeg tells in words.
  const text = failure instanceof Error ? failure.message : ''
  return /ENOSPC|No space left on device/.test(text) ? 'disk-full' : undefined
}
