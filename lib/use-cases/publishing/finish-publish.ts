/**
 * Ends a publication: ends its open postings, then the job with the outcome of each. Called by the last step of the
 * publish pipeline, by its failure step and by the sweeper.
 */
import { now } from '../../clock.ts'
import { type JobError, Superseded } from '../../domain/core/failures.ts'
import { isOpen } from '../../domain/core/states.ts'
import type { PostingOutcome } from '../../domain/publishing/posting.ts'
import { endPosting } from '../../domain/publishing/posting-transitions.ts'
import { endPublish } from '../../domain/publishing/publish-run.ts'
import type { Video } from '../../domain/records/video.ts'
import { retryOnConflict } from '../../store/core/conflict-retry.ts'
import type { PostingKey } from '../../store/postings.ts'
import { findPosting, listPostings, writePosting } from '../../store/postings.ts'
import { changeVideo, type RunRef } from '../videos/change-video.ts'
import { logPostingEnd } from './report-posting.ts'

interface AccountEnd {
  accountId: string
  end: PostingOutcome
}

/**
 * `error`: for posts that cannot have appeared; those that may have get an unknown outcome.
 * @throws Superseded where the run has ended.
 */
export async function finishPublish(run: RunRef, error: JobError): Promise<void> {
  const postings = await listPostings(run.workspaceId, run.videoId, run.runId)
  const ends = await Promise.all(postings.map((posting) => finishPosting(posting, error)))
  await changeVideo(run, (video) => {
    const neverStarted = accountsWithoutPosting(video, ends).map(
      (accountId): AccountEnd => ({ accountId, end: failedWith(error) }),
    )
    return endPublish(video, run.runId, [...ends, ...neverStarted], now())
  })
}

/** Fences a concurrent step: its next write fails, so it cannot send anything after this. */
export function finishPosting(key: PostingKey, error: JobError): Promise<AccountEnd> {
  return retryOnConflict(async () => {
    const posting = await findPosting(key)
    if (!posting) throw new Superseded(`The posting to ${key.accountId} was deleted.`)
    const isEnded = posting.phase === 'ended'
    const after = isEnded ? posting : await writePosting(endPosting(posting, error))
    if (!isEnded) logPostingEnd(after)
    const { end } = after
    if (!end) throw new Error(`The posting to ${key.accountId} has ended without an outcome.`)
    return { accountId: key.accountId, end }
  })
}

/** The accounts with an open result and no posting: the run failed before it created them. */
const accountsWithoutPosting = ({ publish }: Video, ends: readonly AccountEnd[]): string[] =>
  (publish?.results ?? [])
    .filter((result) => isOpen(result) && !ends.some(({ accountId }) => accountId === result.accountId))
    .map(({ accountId }) => accountId)

const failedWith = (error: JobError): PostingOutcome => ({ status: 'FAILED', error })
