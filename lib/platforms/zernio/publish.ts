/**
 * Zernio (formerly Late), which posts to any of the platforms in its own app's name: for deployments that have no approval of their own.
 * One call makes a post of Zernio's and sends it on; the post then tells how it fares on the platform. It fetches the film by its address.
 * https://docs.zernio.com/posts/create-post, https://docs.zernio.com/posts/list-posts, https://docs.zernio.com/posts/get-post
 *
 * Documented: `x-request-id` names a request for five minutes (200 with `existingPost`); the same words, media and account again within
 * 24 hours are refused (409 with `existingPostId`); what `metadata` says is echoed by its webhooks; statuses and categories of errors.
 * Nothing of this was tried against Zernio itself. Taken for granted, and found in none of its documents: that the list of posts echoes
 * `metadata`, too (a post in it without any leaves ours unknown), that a new post is in it within two minutes, that a request which is
 * refused with 4xx has made no post, that an `x-request-id` may be any word, and the names under which platforms take their settings.
 */
import * as v from 'valibot'
import type { PlatformId } from '../../domain/core/platform.ts'
import type { PostLookup, StepOutcome } from '../../domain/publishing/posting.ts'
import type { PlatformResponse, PublishContext, Publisher } from '../publisher.ts'
import { bearerHeader, jsonPostRequest } from '../requests.ts'
import {
  failureOutcome,
  inconclusive,
  isSuccess,
  type PlatformError,
  parseResponse,
  tryParseResponse,
} from '../responses.ts'
import { reopenSendWindow, secondsUntilConsistent, sendDeadlineMs } from '../send-window.ts'
import { zernioUrls } from './urls.ts'

type PendingPost = { step: 'post'; armedAt: string }
/** `zernioId`: of Zernio's post, which is there; the platform's may not be yet. */
type State = PendingPost | { step: 'watch'; zernioId: string }
type Outcome = StepOutcome<State>

/** Zernio answers when the platform has the post, or refused it: with a film that takes a while. */
const answerSeconds = 120
/** How long a new post may be missing from the list. */
const listLagSeconds = 120
const recheckSeconds = 30
const pollSeconds = 5
/** By so much their clock may be behind ours. */
const clockSkewMs = 60_000
/** The most that one page has. */
const pageSize = 100
/** Zernio tries these again by itself, so such a post may still appear. */
const transientCategories = ['platform_rate_limit', 'quota_exhausted', 'system_error']

const id = v.pipe(v.string(), v.minLength(1))
const createResponse = v.union([
  v.object({ post: v.object({ _id: id }) }),
  v.object({ existingPost: v.object({ _id: id }) }),
])
const repeated = v.object({ existingPostId: id })
const refusal = v.object({ error: v.string(), code: v.optional(v.string()) })
/** An id where a post is made, an object where it is read. */
const accountId = v.union([id, v.object({ _id: id })])
const target = v.object({
  accountId,
  status: v.string(),
  platformPostId: v.nullish(v.string()),
  platformPostUrl: v.nullish(v.string()),
  errorMessage: v.nullish(v.string()),
  errorCategory: v.nullish(v.string()),
})
const postResponse = v.object({ post: v.object({ platforms: v.array(target) }) })
const listResponse = v.object({
  posts: v.array(
    v.object({
      _id: id,
      createdAt: v.string(),
      platforms: v.array(v.object({ accountId })),
      metadata: v.nullish(v.record(v.string(), v.unknown())),
    }),
  ),
})

/** `direct` is the platform's own publisher, whose limits hold this way, too; the account's `externalId` is the one that Zernio gave it. */
export function zernioPublisher(direct: Pick<Publisher, 'validate' | 'platform'>, urls = zernioUrls): Publisher<State> {
  const { platform } = direct
  const posts = `${urls.zernio}/v1/posts`
  const get = ({ token, http }: PublishContext, url: string) =>
    http({ method: 'GET', url, headers: bearerHeader(token) })

  async function publish(state: PendingPost, context: PublishContext): Promise<Outcome> {
    const reopened = reopenSendWindow(state, context.now)
    if (reopened) return reopened
    const headers = { ...bearerHeader(context.token), 'x-request-id': context.post.id }
    const response = await context.http({
      ...jsonPostRequest(posts, headers, postRequest(platform, context)),
      deadlineMs: answerSeconds * 1000,
    })
    if (isSuccess(response)) {
      const given = parseResponse(response, createResponse)
      return watchState('post' in given ? given.post._id : given.existingPost._id)
    }
    const existing = response.status === 409 ? tryParseResponse(response, repeated) : undefined
    if (existing) return watchState(existing.existingPostId)
    return failureOutcome(response, context.now, { error: errorIn(response), publishes: true })
  }

  async function watch(zernioId: string, context: PublishContext): Promise<Outcome> {
    const response = await get(context, `${posts}/${encodeURIComponent(zernioId)}`)
    if (!isSuccess(response)) return retryOnRefusal(failureOutcome(response, context.now, { error: errorIn(response) }))
    const ours = parseResponse(response, postResponse).post.platforms.find(
      (one) => idOf(one.accountId) === context.account.externalId,
    )
    if (ours?.status === 'published') {
      return { kind: 'done', externalId: ours.platformPostId || zernioId, url: ours.platformPostUrl || null }
    }
    const category = ours?.errorCategory ?? 'unknown'
    if (ours?.status === 'failed' && !transientCategories.includes(category)) {
      return { kind: 'refused', code: category, message: ours.errorMessage || 'Zernio could not publish the post.' }
    }
    return watchState(zernioId)
  }

  async function reconcile(state: PendingPost, context: PublishContext): Promise<PostLookup<State>> {
    const response = await get(context, `${posts}?limit=${pageSize}&sortBy=created-desc`)
    if (!isSuccess(response)) return inconclusive(failureOutcome(response, context.now, {}), recheckSeconds)
    const page = parseResponse(response, listResponse).posts
    const marked = page.find(({ metadata }) => metadata?.reelsmithPostId === context.post.id)
    // It is Zernio's post that is there; what became of the platform's is told by watching it.
    if (marked) return { kind: 'absent', state: { step: 'watch', zernioId: marked._id }, mayBeLate: true }
    const since = Date.parse(state.armedAt) - clockSkewMs
    const recent = page.filter(({ createdAt }) => Date.parse(createdAt) >= since)
    const mayBeOurs = recent.some(
      ({ metadata, platforms }) =>
        !metadata?.reelsmithPostId && platforms.some((one) => idOf(one.accountId) === context.account.externalId),
    )
    if (mayBeOurs || recent.length === pageSize) return { kind: 'unsure', waitSeconds: recheckSeconds }
    const left = secondsUntilConsistent(state, context.now, answerSeconds - sendDeadlineMs / 1000 + listLagSeconds)
    return left > 0 ? { kind: 'unsure', waitSeconds: Math.min(left, recheckSeconds) } : { kind: 'absent', state }
  }

  return {
    platform,
    validate: direct.validate,
    initialState: ({ acceptedAt }) => ({ step: 'post', armedAt: acceptedAt }),
    mayPublish: ({ step }) => step === 'post',
    async step(state, context) {
      return state.step === 'post' ? publish(state, context) : watch(state.zernioId, context)
    },
    async reconcile(state, context) {
      return state.step === 'post' ? reconcile(state, context) : { kind: 'absent', state }
    },
  }
}

const watchState = (zernioId: string): Outcome => ({
  kind: 'continue',
  state: { step: 'watch', zernioId },
  waitSeconds: pollSeconds,
})

/** That Zernio does not show a post says nothing of the platform's. */
const retryOnRefusal = (why: StepOutcome<never>): StepOutcome<never> =>
  why.kind === 'refused' ? { kind: 'retry', waitSeconds: recheckSeconds, message: why.message } : why

const idOf = (account: v.InferOutput<typeof accountId>) => (typeof account === 'string' ? account : account._id)

function errorIn(response: PlatformResponse): PlatformError | undefined {
  const given = tryParseResponse(response, refusal)
  return given && { code: given.code ?? `status-${response.status}`, message: given.error }
}

const postRequest = (platform: PlatformId, { post, account }: PublishContext) => ({
  content: post.caption,
  mediaItems: [{ type: 'video', url: post.film.url }],
  platforms: [{ platform, accountId: account.externalId, ...platformOptions(platform, post.title, account.settings) }],
  ...(platform === 'tiktok' && { tiktokSettings: tiktokSettingsOf(account.settings) }),
  publishNow: true,
  metadata: { reelsmithPostId: post.id },
})

/** What the platform has beside the words, by the same settings as of an account that is connected directly. */
function platformOptions(platform: PlatformId, title: string, settings: PublishContext['account']['settings']) {
  const details: Partial<Record<PlatformId, object>> = {
    youtube: { title, visibility: settings.privacy ?? 'public', madeForKids: settings.madeForKids === 'true' },
    pinterest: { title, ...(settings.board && { boardId: settings.board }) },
    reddit: { title, ...(settings.subreddit && { subreddit: settings.subreddit }) },
  }
  const given = details[platform]
  return given && { platformSpecificData: given }
}

/** TikTok asks whether the user has seen the post and agrees: publishing it is asked for by them, or in their name. */
const tiktokSettingsOf = (settings: PublishContext['account']['settings']) => ({
  privacy_level: settings.privacy ?? 'PUBLIC_TO_EVERYONE',
  allow_comment: settings.comments !== 'off',
  allow_duet: settings.duet !== 'off',
  allow_stitch: settings.stitch !== 'off',
  video_made_with_ai: true,
  content_preview_confirmed: true,
  express_consent_given: true,
})
