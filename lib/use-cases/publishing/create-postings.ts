/** Creates the postings of a publication: one record per account. Called by the first step of the publish pipeline. */
import { isOpen } from '../../domain/core/states.ts'
import type { Post, PostedVideo, Posting } from '../../domain/publishing/posting.ts'
import { newPosting } from '../../domain/publishing/posting.ts'
import { failPreflight } from '../../domain/publishing/posting-transitions.ts'
import type { Account } from '../../domain/records/account.ts'
import { withCredits } from '../../domain/records/attribution.ts'
import type { PublishedRender, PublishJob } from '../../domain/records/jobs.ts'
import type { Video } from '../../domain/records/video.ts'
import { mediaUrl } from '../../media-url.ts'
import type { Publisher } from '../../platforms/publisher.ts'
import { publisherOf } from '../../platforms/publishers.ts'
import type { PostingKey } from '../../store/postings.ts'
import { createPosting } from '../../store/postings.ts'
import { findProfile } from '../../store/profiles.ts'
import { logPostingEnd } from './report-posting.ts'

/**
 * Returns the keys of the postings; existing ones are unchanged. A post that the platform would never accept fails
 * here, before any request.
 */
export async function createPostings(video: Video): Promise<PostingKey[]> {
  const { workspaceId, id: videoId, publish: job } = video
  if (!job) throw new Error(`The video ${videoId} has no publish job.`)
  const accounts = (await findProfile(workspaceId, job.profileId))?.accounts ?? []
  const open = job.results.filter(isOpen)
  await Promise.all(
    open.map(({ accountId, platform }) => {
      const account = accounts.find(({ id }) => id === accountId)
      const publisher = publisherOf(platform, account?.settings)
      return createPosting(newPostingFor(video, job, { accountId, platform }, account, publisher))
    }),
  )
  return open.map(({ accountId }) => ({ workspaceId, videoId, runId: job.runId, accountId }))
}

/** The posting to an account. Where the account was disconnected, the first step fails it. */
function newPostingFor(
  {
    workspaceId,
    id: videoId,
    title,
    brief,
    credits = [],
  }: Pick<Video, 'workspaceId' | 'id' | 'title' | 'brief' | 'credits'>,
  { runId, profileId, film, caption, queuedAt, deadlineAt }: PublishJob,
  { accountId, platform }: Pick<Posting, 'accountId' | 'platform'>,
  account: Account | undefined,
  publisher: Publisher,
): Posting {
  if (!film || !queuedAt || !deadlineAt) throw new Error(`The publish job of ${videoId} is not accepted yet.`)
  const written: Post = {
    id: `${runId}-${accountId}`,
    caption,
    title,
    language: brief.language,
    film: renderOf(film),
    acceptedAt: queuedAt,
  }
  // As many as the platform allows: a post is not refused for a credit.
  const fits = (text: string) =>
    !account || publisher.validate({ ...written, caption: text }, account)?.code !== 'caption-too-long'
  const post = { ...written, caption: withCredits(caption, credits, fits) }
  const input = { workspaceId, videoId, runId, profileId, accountId, platform, post, filmKey: film.key, deadlineAt }
  const posting = newPosting(input, publisher.initialState(post))
  const refusal = account && publisher.validate(post, account)
  if (!refusal) return posting
  const refused = failPreflight(posting, refusal)
  logPostingEnd(refused)
  return refused
}

const renderOf = ({ key, coverKey, bytes, width, height, durationMs }: PublishedRender): PostedVideo => ({
  bytes,
  width,
  height,
  durationMs,
  url: mediaUrl(key),
  coverUrl: mediaUrl(coverKey),
})
