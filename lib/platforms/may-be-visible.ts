/** Whether a post may already be visible. A posting whose post may be visible must not end as failed. */
import type { Post, PostingState } from '../domain/publishing/posting.ts'
import type { Publisher } from './publisher.ts'

/**
 * Evaluated after a transition from one step to the next; `was` is the previous value. True once a step that may
 * publish has led to one that may not. Transitions to the initial step, or from another step to one that may publish,
 * happen only if nothing is visible. A step that may publish and repeats itself keeps the value: an earlier request may
 * still take effect. Becomes false when `lookUp` finds the post absent for good.
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
