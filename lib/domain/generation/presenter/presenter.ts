/** Presenters: a portrait that speaks what is heard while a b-roll segment runs, and is then seen in its place. */

import { notFound, Refusal } from '../../core/refusal.ts'
import { isOpen } from '../../core/states.ts'
import type { Brief } from '../../records/brief.ts'
import type { Video } from '../../records/video.ts'
import type { StoredBRoll } from '../b-rolls.ts'

export type Presenter = NonNullable<StoredBRoll['presenter']>

/** What a request says of the presenter; what it leaves out comes from the brief's. */
export interface PresenterInput {
  imageUrl: string | null
  avatarId: string | null
  name: string | null
}

/** What is to be made: who speaks, and which part of the narration. */
export interface PlannedPresenter {
  who: Pick<Presenter, 'imageUrl' | 'avatarId' | 'name'>
  segmentId: string
  startMs: number
  endMs: number
  /** Shorter than the segment where that goes on after the film. */
  durationMs: number
  audioKey: string
}

/**
 * Refuses with `not-found` for an unknown segment, `invalid-request` where nobody names a portrait, `warning-source-not-ready`
 * without a narration. A generation that is open would replace the segment, and what was paid for it.
 */
export function planPresenter(
  video: Video,
  bRolls: readonly StoredBRoll[],
  segmentId: string,
  wish: PresenterInput,
): PlannedPresenter {
  const segment = segmentAt(bRolls, segmentId)
  const who = presenterOf(wish, video.brief)
  const { audioKey } = video.media
  if (!audioKey || !video.durationSeconds)
    throw new Refusal('warning-source-not-ready', 'There is no narration yet that a presenter could speak.')
  if (isOpen(video.process))
    throw new Refusal('job-in-progress', 'This video is being generated anew; make a presenter when that is done.')
  const { startMs, endMs } = segment
  const durationMs = Math.min(endMs, Math.round(video.durationSeconds * 1000)) - startMs
  if (durationMs <= 0)
    throw new Refusal('warning-invalid-input', 'Nothing of the narration is heard while this segment runs.')
  return { who, segmentId, startMs, endMs, durationMs, audioKey }
}

function segmentAt(bRolls: readonly StoredBRoll[], segmentId: string): StoredBRoll {
  const found = bRolls.find(({ id }) => id === segmentId)
  if (!found) throw notFound('segment')
  return found
}

/** The names of the brief's presenter belong to the brief's portrait, not to another one. */
function presenterOf({ imageUrl, avatarId, name }: PresenterInput, { presenter }: Brief): PlannedPresenter['who'] {
  if (imageUrl) return { imageUrl, avatarId: avatarId ?? '', name: name ?? '' }
  if (!presenter?.imageUrl) throw invalidPortrait('is missing, and the brief has no presenter with one')
  return {
    imageUrl: presenter.imageUrl,
    avatarId: avatarId ?? presenter.avatarId ?? '',
    name: name ?? presenter.name ?? '',
  }
}

/** The 400 that names the portrait. */
export function invalidPortrait(message: string): Refusal {
  const detail = { path: 'body.imageUrl', message }
  return new Refusal('invalid-request', `${detail.path} ${message}.`, { details: [detail] })
}

/** The segments with the presenter's clip as the media of one. Refused where the segment was moved while the clip was made. */
export function withPresenter(
  bRolls: readonly StoredBRoll[],
  { who, segmentId, startMs, endMs }: PlannedPresenter,
  clip: { key: string; bytes: number },
  now: string,
): { bRolls: StoredBRoll[]; segment: StoredBRoll } {
  const before = segmentAt(bRolls, segmentId)
  if (before.startMs !== startMs || before.endMs !== endMs)
    throw new Refusal('conflict', 'The segment was moved while its presenter was made. Ask again.')
  const segment: StoredBRoll = {
    ...before,
    media: { kind: 'clip', key: clip.key },
    presenter: { ...who, bytes: clip.bytes, generatedAt: now },
  }
  return { bRolls: bRolls.map((other) => (other === before ? segment : other)), segment }
}
