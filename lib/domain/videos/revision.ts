/**
 * The revision of a video: a strong entity tag of all that its client edits, so that an edit can be bound to what was read. Queued,
 * running and finished renders and publications keep it; only a render that speaks edited narration again replaces the captions.
 */
import { createHash } from 'node:crypto'
import { Refusal } from '../core/refusal.ts'
import type { Video } from '../records/video.ts'

/**
 * Derived from the record alone. `contentVersion` counts edits and generations; beside it stands what scripts, descriptions and
 * narrations replace without counting. Only texts: the table does not keep the order of keys.
 */
export function revisionOf({ contentVersion, title, brief, timelines }: Video): string {
  const { text, scriptPrompt, description, descriptionPrompt } = brief
  const { captions, captionsPages } = timelines
  const parts = [contentVersion, title, text, scriptPrompt, description, descriptionPrompt, captions, captionsPages]
  return `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)}"`
}

/** @throws Refusal `precondition-failed` where none of the tags is the revision of the video. */
export function refuseOtherRevision(video: Video, tags: readonly string[]): void {
  if (tags.includes(revisionOf(video))) return
  throw new Refusal(
    'precondition-failed',
    'The video has changed since it was read, and nothing was saved. Read it again, apply the edit to what it holds now, and send it with the new `ETag`.',
  )
}
