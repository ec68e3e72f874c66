/** The error that every failed render throws, and how other failures are mapped to it. */

import { FfmpegFailure } from '../../lib/ffmpeg/run.ts'
import type { ShotMedia } from '../../lib/render/composition.ts'

/**
 * `bad-composition`: the composition cannot be rendered. `bad-media`: a picture, a clip or the narration is unusable.
 * `disk-full`: no space for scratch files. `failed`: ffmpeg or the renderer itself failed.
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

/** Wraps a failure; `doing` says during which work. `code` applies where the failure itself gives none. */
export function asRenderFailure(failure: unknown, doing: string, code: RenderFailureCode = 'failed'): RenderFailure {
  if (failure instanceof RenderFailure) return failure
  const message = `${doing}: ${failure instanceof Error ? failure.message : failure}`
  return new RenderFailure(knownCode(failure) ?? code, message, failure)
}

/**
 * Only a permanent failure of ffmpeg is about the media; a full disk, or an ffmpeg that was killed or is missing, may
 * pass.
 */
export function asMediaFailure(failure: unknown, media: ShotMedia): RenderFailure {
  const isPermanent = failure instanceof FfmpegFailure && failure.isPermanent
  const name = 'key' in media ? media.key : 'of a slide'
  return asRenderFailure(failure, `The ${media.kind} ${name} cannot be used`, isPermanent ? 'bad-media' : 'failed')
}

/** For work that depends on the composition alone: its failure is permanent. */
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
  // ENOSPC from Node; ffmpeg prints the message of strerror.
  const text = failure instanceof Error ? failure.message : ''
  return /ENOSPC|No space left on device/.test(text) ? 'disk-full' : undefined
}
