/** Whether somebody may see a post already: what ends a posting then must not say that it failed. */
import type { Post, PostingState } from '../domain/publishing/posting.ts'
import type { Publisher } from './publisher.ts'

/**
 * After a step has gone on: whether the post may be on its way or there. It may once a step that may publish has led to one that may not.
 * To the very first step, or from another one to a step that may publish, it only goes where nothing has appeared. A step that may
 * publish and comes back to itself changes nothing: what was cut before may still be carried out. Where `reconcile` finds a post absent
 * for good, it is not on its way.
 */
export function mayBeVisible(
  publisher: Publisher,
  post: Post,
  { from, to, was }: { from: PostingState; to: PostingState; was: boolean },
): boolean {
  if (to.step === publisher.initialState(post).step) return false
  if (publisher.mayPublish(to)) return was && from.step === to.step
  return was || publisher.mayPublish(from)
}
