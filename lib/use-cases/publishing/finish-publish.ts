/** Ends a publication: closes the posts that have not ended, then the job, with how each of them ended. */
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

/** `error` is for posts that surely have not appeared; those that may have are unknown. `Superseded` where the run has ended already. */
export async function finishPublish(run: RunRef, error: JobError): Promise<void> {
  const postings = await listPostings(run.workspaceId, run.videoId, run.runId)
  const ends = await Promise.all(postings.map((posting) => finishPosting(posting, error)))
  await changeVideo(run, (video) => {
    const neverBegun = accountsWithoutPosting(video, ends).map(
      (accountId): AccountEnd => ({ accountId, end: failedWith(error) }),
    )
    return endPublish(video, run.runId, [...ends, ...neverBegun], now())
  })
}

/** Whoever is in the middle of a step loses its next write, and with it the right to send anything. */
export function finishPosting(place: PostingKey, error: JobError): Promise<AccountEnd> {
  return retryOnConflict(async () => {
    const posting = await findPosting(place)
    if (!posting) throw new Superseded(`The posting to ${place.accountId} is gone.`)
    const isEnded = posting.phase === 'ended'
    const after = isEnded ? posting : await writePosting(endPosting(posting, error))
    if (!isEnded) logPostingEnd(after)
    const { end } = after
    if (!end) throw new Error(`The posting to ${place.accountId} has ended without an end.`)
    return { accountId: place.accountId, end }
  })
}

/** The accounts that are waited for and have no posting: the run died before it made them. */
const accountsWithoutPosting = ({ publish }: Video, ends: readonly AccountEnd[]): string[] =>
  (publish?.results ?? [])
    .filter((result) => isOpen(result) && !ends.some(({ accountId }) => accountId === result.accountId))
    .map(({ accountId }) => accountId)

const failedWith = (error: JobError): PostingOutcome => ({ status: 'FAILED', error })
