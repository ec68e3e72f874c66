/** Presenters: an animated portrait that speaks the narration of a b-roll segment and becomes its media. */

import { Refusal } from '../../core/refusal.ts'
import { isOpen } from '../../core/states.ts'
import type { Brief } from '../../records/brief.ts'
import type { Video } from '../../records/video.ts'
import { requireSegment, type StoredBRoll } from '../b-rolls.ts'

export type Presenter = NonNullable<StoredBRoll['presenter']>

/** The presenter of a request; absent fields come from the brief. */
export interface PresenterInput {
  imageUrl: string | null
  avatarId: string | null
  name: string | null
}

/** The presenter to make: the portrait, and the part of the narration. */
export interface PlannedPresenter {
  who: Pick<Presenter, 'imageUrl' | 'avatarId' | 'name'>
  segmentId: string
  startMs: number
  endMs: number
  /** Shorter than a segment that extends beyond the end of the video. */
  durationMs: number
  audioKey: string
}

/**
 * Refuses with `not-found` for an unknown segment, `invalid-request` without a portrait, `warning-source-not-ready` without a
 * narration, `job-in-progress` during a generation, which would discard the paid segment.
 */
export function planPresenter(
  video: Video,
  bRolls: readonly StoredBRoll[],
  segmentId: string,
  input: PresenterInput,
): PlannedPresenter {
  const segment = requireSegment(bRolls, segmentId)
  const who = presenterOf(input, video.brief)
  const { audioKey } = video.media
  if (!audioKey || !video.durationSeconds)
    throw new Refusal('warning-source-not-ready', 'The video has no narration yet. Generate it first.')
  if (isOpen(video.process))
    throw new Refusal('job-in-progress', 'This video is being generated. Make the presenter when that is done.')
  const { startMs, endMs } = segment
  const durationMs = Math.min(endMs, Math.round(video.durationSeconds * 1000)) - startMs
  if (durationMs <= 0) throw new Refusal('warning-invalid-input', 'The segment is outside the narration.')
  return { who, segmentId, startMs, endMs, durationMs, audioKey }
}

/** Name and avatar id of the brief apply to the brief's portrait only. */
function presenterOf({ imageUrl, avatarId, name }: PresenterInput, { presenter }: Brief): PlannedPresenter['who'] {
  if (imageUrl) return { imageUrl, avatarId: avatarId ?? '', name: name ?? '' }
  if (!presenter?.imageUrl) throw invalidPortrait('is missing, and the brief has no presenter image')
  return {
    imageUrl: presenter.imageUrl,
    avatarId: avatarId ?? presenter.avatarId ?? '',
    name: name ?? presenter.name ?? '',
  }
}

/** A 400 for the portrait of a request. */
export function invalidPortrait(message: string): Refusal {
  const detail = { path: 'body.imageUrl', message }
  return new Refusal('invalid-request', `${detail.path} ${message}.`, { details: [detail] })
}

/** The segments with the presenter's clip as the media of one. Refuses if the segment was moved while the clip was made. */
export function withPresenter(
  bRolls: readonly StoredBRoll[],
  { who, segmentId, startMs, endMs }: PlannedPresenter,
  clip: { key: string; bytes: number },
  now: string,
): { bRolls: StoredBRoll[]; segment: StoredBRoll } {
  const before = requireSegment(bRolls, segmentId)
  if (before.startMs !== startMs || before.endMs !== endMs)
    throw new Refusal('conflict', 'The segment was moved while its presenter was made. Send the request again.')
  const segment: StoredBRoll = {
    ...before,
    media: { kind: 'clip', key: clip.key },
    presenter: { ...who, bytes: clip.bytes, generatedAt: now },
  }
  return { bRolls: bRolls.map((other) => (other === before ? segment : other)), segment }
}
