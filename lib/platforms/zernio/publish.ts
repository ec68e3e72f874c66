/**
 * Publishes through Zernio (formerly Late), which posts to any platform on behalf of its own app: for deployments
 * without an approved app. One call creates a post at Zernio, which forwards it and reports its status. Zernio fetches
 * the video by URL.
 * https://docs.zernio.com/posts/create-post, https://docs.zernio.com/posts/list-posts,
 * https://docs.zernio.com/posts/get-post
 *
 * Documented: `x-request-id` is an idempotency key for five minutes (200 with `existingPost`); equal text, media and
 * account within 24 hours are refused (409 with `existingPostId`); webhooks echo `metadata`; statuses and error
 * categories.
 *
 * Not tested against Zernio itself. Assumed, without documentation: the list of posts echoes `metadata` as well (a
 * listed post without it leaves the lookup unsure), a new post is listed within two minutes, a request refused with 4xx
 * created no post, an `x-request-id` may be any text, and the names of the platforms' settings.
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
import { clockSkewMs, reopenSendWindow, secondsUntilConsistent, sendDeadlineMs } from '../send-window.ts'
import { zernioUrls } from './urls.ts'

type PendingPost = { step: 'post'; armedAt: string }
/** `zernioId`: the id of the post at Zernio; the post on the platform may not exist yet. */
type State = PendingPost | { step: 'watch'; zernioId: string }
type Outcome = StepOutcome<State>

/** Zernio responds once the platform has the post or refused it, which takes a while for a video. */
const zernioDeadlineSeconds = 120
/** Maximum lag of the list of posts. */
const listLagSeconds = 120
const recheckSeconds = 30
const pollSeconds = 5
/** Maximum of one page. */
const pageSize = 100
/** Zernio retries these itself, so such a post may still appear. */
const transientCategories = ['platform_rate_limit', 'quota_exhausted', 'system_error']

const id = v.pipe(v.string(), v.minLength(1))
const createResponse = v.union([
  v.object({ post: v.object({ _id: id }) }),
  v.object({ existingPost: v.object({ _id: id }) }),
])
const duplicateResponse = v.object({ existingPostId: id })
const errorResponse = v.object({ error: v.string(), code: v.optional(v.string()) })
/** An id when a post is created, an object when it is read. */
const accountId = v.union([id, v.object({ _id: id })])
const targetResponse = v.object({
  accountId,
  status: v.string(),
  platformPostId: v.nullish(v.string()),
  platformPostUrl: v.nullish(v.string()),
  errorMessage: v.nullish(v.string()),
  errorCategory: v.nullish(v.string()),
})
const postResponse = v.object({ post: v.object({ platforms: v.array(targetResponse) }) })
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

/**
 * `direct` is the platform's own publisher, whose limits apply as well. The account's `externalId` is the id that
 * Zernio assigned.
 */
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
      deadlineMs: zernioDeadlineSeconds * 1000,
    })
    if (isSuccess(response)) {
      const created = parseResponse(response, createResponse)
      return watchState('post' in created ? created.post._id : created.existingPost._id)
    }
    const existing = response.status === 409 ? tryParseResponse(response, duplicateResponse) : undefined
    if (existing) return watchState(existing.existingPostId)
    return failureOutcome(response, context.now, { error: errorIn(response), publishes: true })
  }

  async function watch(zernioId: string, context: PublishContext): Promise<Outcome> {
    const response = await get(context, `${posts}/${encodeURIComponent(zernioId)}`)
    if (!isSuccess(response)) return retryOnRefusal(failureOutcome(response, context.now, { error: errorIn(response) }))
    const target = parseResponse(response, postResponse).post.platforms.find(
      (one) => idOf(one.accountId) === context.account.externalId,
    )
    if (target?.status === 'published') {
      return { kind: 'done', externalId: target.platformPostId || zernioId, url: target.platformPostUrl || null }
    }
    const category = target?.errorCategory ?? 'unknown'
    if (target?.status === 'failed' && !transientCategories.includes(category)) {
      return { kind: 'refused', code: category, message: target.errorMessage || 'Zernio could not publish the post.' }
    }
    return watchState(zernioId)
  }

  async function lookUp(state: PendingPost, context: PublishContext): Promise<PostLookup<State>> {
    const response = await get(context, `${posts}?limit=${pageSize}&sortBy=created-desc`)
    if (!isSuccess(response)) return inconclusive(failureOutcome(response, context.now, {}), recheckSeconds)
    const page = parseResponse(response, listResponse).posts
    const ours = page.find(({ metadata }) => metadata?.reelsmithPostId === context.post.id)
    // Zernio has the post; watching it shows its status on the platform.
    if (ours) return { kind: 'absent', state: { step: 'watch', zernioId: ours._id }, mayBeLate: true }
    const since = Date.parse(state.armedAt) - clockSkewMs
    const recent = page.filter(({ createdAt }) => Date.parse(createdAt) >= since)
    const mayBeOurs = recent.some(
      ({ metadata, platforms }) =>
        !metadata?.reelsmithPostId && platforms.some((one) => idOf(one.accountId) === context.account.externalId),
    )
    if (mayBeOurs || recent.length === pageSize) return { kind: 'unsure', waitSeconds: recheckSeconds }
    const seconds = secondsUntilConsistent(
      state,
      context,
      zernioDeadlineSeconds - sendDeadlineMs / 1000 + listLagSeconds,
    )
    return seconds > 0 ? { kind: 'unsure', waitSeconds: Math.min(seconds, recheckSeconds) } : { kind: 'absent', state }
  }

  return {
    platform,
    validate: direct.validate,
    initialState: ({ acceptedAt }) => ({ step: 'post', armedAt: acceptedAt }),
    mayPublish: ({ step }) => step === 'post',
    async step(state, context) {
      return state.step === 'post' ? publish(state, context) : watch(state.zernioId, context)
    },
    async lookUp(state, context) {
      return state.step === 'post' ? lookUp(state, context) : { kind: 'absent', state }
    },
  }
}

const postRequest = (platform: PlatformId, { post, account }: PublishContext) => ({
  content: post.caption,
  mediaItems: [{ type: 'video', url: post.film.url }],
  platforms: [{ platform, accountId: account.externalId, ...platformOptions(platform, post.title, account.settings) }],
  ...(platform === 'tiktok' && { tiktokSettings: tiktokSettingsOf(account.settings) }),
  publishNow: true,
  metadata: { reelsmithPostId: post.id },
})

/** Platform-specific options, from the same settings as for directly connected accounts. */
function platformOptions(platform: PlatformId, title: string, settings: PublishContext['account']['settings']) {
  const details: Partial<Record<PlatformId, object>> = {
    youtube: { title, visibility: settings.privacy ?? 'public', madeForKids: settings.madeForKids === 'true' },
    pinterest: { title, ...(settings.board && { boardId: settings.board }) },
    reddit: { title, ...(settings.subreddit && { subreddit: settings.subreddit }) },
  }
  const options = details[platform]
  return options && { platformSpecificData: options }
}

/** TikTok requires consent to the post: publishing is requested by the user or on their behalf. */
const tiktokSettingsOf = (settings: PublishContext['account']['settings']) => ({
  privacy_level: settings.privacy ?? 'PUBLIC_TO_EVERYONE',
  allow_comment: settings.comments !== 'off',
  allow_duet: settings.duet !== 'off',
  allow_stitch: settings.stitch !== 'off',
  video_made_with_ai: true,
  content_preview_confirmed: true,
  express_consent_given: true,
})

const watchState = (zernioId: string): Outcome => ({
  kind: 'continue',
  state: { step: 'watch', zernioId },
  waitSeconds: pollSeconds,
})

const idOf = (account: v.InferOutput<typeof accountId>) => (typeof account === 'string' ? account : account._id)

/** A refused lookup at Zernio says nothing about the post on the platform. */
const retryOnRefusal = (outcome: StepOutcome<never>): StepOutcome<never> =>
  outcome.kind === 'refused' ? { kind: 'retry', waitSeconds: recheckSeconds, message: outcome.message } : outcome

function errorIn(response: PlatformResponse): PlatformError | undefined {
  const parsed = tryParseResponse(response, errorResponse)
  return parsed && { code: parsed.code ?? `status-${response.status}`, message: parsed.error }
}
