/** Whether somebody may see a post already: what ends a posting then must not say that it failed. */
import type { Post, PostingState, Publisher } from './index.ts'

/**
 * After a step has gone on: whether the post may be on its way or there. It may once a step that may publish has led to one that may not.
 * A step that may publish, and the very first, are only gone on with where nothing has appeared. Where `reconcile` finds a post absent,
 * it is not on its way.
 */
export function isOnItsWay(
  publisher: Publisher,
  post: Post,
  { from, to, was }: { from: PostingState; to: PostingState; was: boolean },
): boolean {
  if (publisher.mayPublish(to) || to.step === publisher.first(post).step) return false
  return was || publisher.mayPublish(from)
}
