/**
 * Publishing by media container, for Instagram and Threads: the platform fetches the video into a container, which one
 * call turns into a post, at most once. The container shows permanently whether it was published.
 */
import * as v from 'valibot'
import type { PlatformId } from '../../domain/core/platform.ts'
import type { Post, PostLookup, StepOutcome } from '../../domain/publishing/posting.ts'
import { isUnanswered, NoResponse } from '../failures.ts'
import type { PostRefusal } from '../post-limits.ts'
import type { PublishContext, Publisher } from '../publisher.ts'
import { inconclusive, isSuccess, parseResponse, tryParseResponse } from '../responses.ts'
import { reopenSendWindow, secondsUntilConsistent } from '../send-window.ts'
import { graphFailure, graphGet, graphPost } from './graph.ts'

interface ContainerPlatform {
  platform: PlatformId
  /** Base URL of the Graph API with its version, without a trailing slash. */
  graph: string
  validate(post: Post): PostRefusal | null
  /** Paths after the account's id: to create and to publish a container. */
  paths: { create: string; publish: string }
  fieldsOf(post: Post, settings: PublishContext['account']['settings']): Record<string, string>
  /** Field names of a container's state and of the reason for it. */
  status: { state: string; reason: string }
  /** The refusal for a reason; null if it is transient and another container may succeed. */
  refusalBy(reason: string): { code: string; message: string } | null
}

type State =
  | { step: 'create'; tries: number }
  | { step: 'wait'; container: string; tries: number }
  | PendingPublish
  | { step: 'name'; mediaId: string }
/**
 * Has a send window although a container is published once: a container does not show that a lost call is still in
 * progress.
 */
type PendingPublish = { step: 'publish'; container: string; tries: number; armedAt: string }
type WithContainer = Extract<State, { container: string }>

const triesMax = 3
const waitSeconds = 30
/** Maximum lag of a container's state after publishing. */
const lagSeconds = 60

const createResponse = v.object({ id: v.string() })
const fields = v.record(v.string(), v.unknown())
const permalinkResponse = v.object({ permalink: v.string() })

export function containerPublisher(platform: ContainerPlatform): Publisher<State> {
  async function create(tries: number, context: PublishContext): Promise<StepOutcome<State>> {
    const path = `/${context.account.externalId}/${platform.paths.create}`
    const response = await graphPost(
      platform.graph,
      path,
      context,
      platform.fieldsOf(context.post, context.account.settings),
    )
    if (!isSuccess(response)) return graphFailure(response, context.now)
    const container = parseResponse(response, createResponse).id
    return { kind: 'continue', state: { step: 'wait', container, tries: tries + 1 }, waitSeconds }
  }

  /** State and reason of the container; undefined if the response has none. */
  async function fetchStatus(context: PublishContext, container: string) {
    const response = await graphGet(context.http, `${platform.graph}/${container}`, {
      fields: `${platform.status.state},${platform.status.reason}`,
      access_token: context.token,
    })
    const body = isSuccess(response) ? tryParseResponse(response, fields) : undefined
    return {
      response,
      status: textIn(body, platform.status.state),
      reason: textIn(body, platform.status.reason) ?? '',
    }
  }

  async function wait(state: Extract<State, { step: 'wait' }>, context: PublishContext): Promise<StepOutcome<State>> {
    const { response, status, reason } = await fetchStatus(context, state.container)
    if (!isSuccess(response)) return graphFailure(response, context.now)
    switch (status) {
      case 'FINISHED':
        return { kind: 'continue', state: { ...state, step: 'publish', armedAt: context.now } }
      case 'IN_PROGRESS':
        return { kind: 'continue', state, waitSeconds }
      case 'PUBLISHED':
        return { kind: 'done', externalId: state.container, url: null }
      case 'ERROR': {
        const refusal = platform.refusalBy(reason)
        if (refusal) return { kind: 'refused', ...refusal }
        return recreateContainer(state, reason)
      }
      case 'EXPIRED':
        return recreateContainer(state, 'The container has expired.')
      default:
        throw new NoResponse(`The container is in an undocumented state: ${status}`)
    }
  }

  async function publish(state: PendingPublish, context: PublishContext): Promise<StepOutcome<State>> {
    const reopened = reopenSendWindow(state, context.now)
    if (reopened) return reopened
    const path = `/${context.account.externalId}/${platform.paths.publish}`
    const response = await graphPost(platform.graph, path, context, { creation_id: state.container })
    if (isSuccess(response))
      return { kind: 'continue', state: { step: 'name', mediaId: parseResponse(response, createResponse).id } }
    const outcome = graphFailure(response, context.now, true)
    if (outcome.kind !== 'refused' && outcome.kind !== 'duplicate') return outcome
    // A container that is already published is refused as well.
    const { status } = await fetchStatus(context, state.container)
    if (status === undefined)
      throw new NoResponse('Publishing is refused, and the platform did not return the state of the container.')
    return status === 'PUBLISHED' ? { kind: 'done', externalId: state.container, url: null } : outcome
  }

  async function fetchPermalink(mediaId: string, context: PublishContext): Promise<StepOutcome<State>> {
    return { kind: 'done', externalId: mediaId, url: await permalinkOf(platform.graph, mediaId, context) }
  }

  async function lookUp(state: State, context: PublishContext): Promise<PostLookup<State>> {
    if (state.step !== 'publish') return { kind: 'absent', state }
    const { response, status } = await fetchStatus(context, state.container)
    if (!isSuccess(response)) return inconclusive(graphFailure(response, context.now), waitSeconds)
    // The id of the post differs and is not available any more, so the container's id stands in.
    if (status === 'PUBLISHED') return { kind: 'published', externalId: state.container, url: null }
    if (status === undefined || status === 'IN_PROGRESS') return { kind: 'unsure', waitSeconds }
    if (status !== 'FINISHED') {
      return { kind: 'absent', state: { step: 'wait', container: state.container, tries: state.tries } }
    }
    const seconds = secondsUntilConsistent(state, context, lagSeconds)
    return seconds > 0 ? { kind: 'unsure', waitSeconds: Math.min(seconds, waitSeconds) } : { kind: 'absent', state }
  }

  return {
    platform: platform.platform,
    validate: platform.validate,
    initialState: () => ({ step: 'create', tries: 0 }),
    mayPublish: ({ step }) => step === 'publish',
    async step(state, context) {
      switch (state.step) {
        case 'create':
          return create(state.tries, context)
        case 'wait':
          return wait(state, context)
        case 'publish':
          return publish(state, context)
        case 'name':
          return fetchPermalink(state.mediaId, context)
      }
    },
    lookUp,
  }
}

/** Another container after a transient failure, up to `triesMax`. */
const recreateContainer = ({ tries }: WithContainer, reason: string): StepOutcome<State> =>
  tries < triesMax
    ? { kind: 'continue', state: { step: 'create', tries }, waitSeconds }
    : { kind: 'refused', code: 'container-failed', message: reason }

/** Null without a usable response: the post is published, whatever happens here. */
async function permalinkOf(graph: string, mediaId: string, { http, token }: PublishContext): Promise<string | null> {
  try {
    const response = await graphGet(http, `${graph}/${mediaId}`, { fields: 'permalink', access_token: token })
    return tryParseResponse(response, permalinkResponse)?.permalink ?? null
  } catch (error) {
    if (!isUnanswered(error)) throw error
    return null
  }
}

function textIn(found: Record<string, unknown> | undefined, field: string): string | undefined {
  if (!found) return undefined
  const value = found[field]
  return typeof value === 'string' ? value : ''
}
