/**
 * Publishing by container, as Instagram and Threads have it: a container fetches the film by itself and becomes a post once, by one
 * call. Whether it did is for ever to be read from it.
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

export interface ContainerPlatform {
  platform: PlatformId
  /** Where its Graph API is, with its version and no slash at the end. */
  graph: string
  check(post: Post): PostRefusal | null
  /** Behind the account's id: where containers are made, and where they are published. */
  paths: { create: string; publish: string }
  fieldsOf(post: Post, settings: PublishContext['account']['settings']): Record<string, string>
  /** The names of the fields that tell how a container is, and why. */
  status: { state: string; reason: string }
  /** What a reason means; null where another container may fare better. */
  refusalBy(reason: string): { code: string; message: string } | null
}

type State =
  | { step: 'create'; tries: number }
  | { step: 'wait'; container: string; tries: number }
  | ArmedPublish
  | { step: 'name'; mediaId: string }
/** Armed, though the platform takes a container once: it may be at work on a call that was cut, and a container says nothing of that. */
type ArmedPublish = { step: 'publish'; container: string; tries: number; armedAt: string }
type WithContainer = Extract<State, { container: string }>

const triesMax = 3
const waitSeconds = 30
/** How long a container that is being published may still say that it is not. */
const lagSeconds = 60

const made = v.object({ id: v.string() })
const fields = v.record(v.string(), v.unknown())
const named = v.object({ permalink: v.string() })

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
    const container = parseResponse(response, made).id
    return { kind: 'continue', state: { step: 'wait', container, tries: tries + 1 }, waitSeconds }
  }

  /** How the container is, in one word of theirs, or undefined where that cannot be told now. */
  async function fetchStatus(context: PublishContext, container: string) {
    const response = await graphGet(platform.graph, `/${container}`, context, {
      fields: `${platform.status.state},${platform.status.reason}`,
    })
    const found = isSuccess(response) ? tryParseResponse(response, fields) : undefined
    return {
      response,
      state: textIn(found, platform.status.state),
      reason: textIn(found, platform.status.reason) ?? '',
    }
  }

  async function wait(before: Extract<State, { step: 'wait' }>, context: PublishContext): Promise<StepOutcome<State>> {
    const { response, state, reason } = await fetchStatus(context, before.container)
    if (!isSuccess(response)) return graphFailure(response, context.now)
    switch (state) {
      case 'FINISHED':
        return { kind: 'continue', state: { ...before, step: 'publish', armedAt: context.now } }
      case 'IN_PROGRESS':
        return { kind: 'continue', state: before, waitSeconds }
      case 'PUBLISHED':
        return { kind: 'done', externalId: before.container, url: null }
      case 'ERROR': {
        const refusal = platform.refusalBy(reason)
        if (refusal) return { kind: 'refused', ...refusal }
        return recreateContainer(before, reason)
      }
      case 'EXPIRED':
        return recreateContainer(before, 'The container has expired.')
      default:
        throw new NoResponse(`The container is in no documented state: ${state}`)
    }
  }

  async function publish(before: ArmedPublish, context: PublishContext): Promise<StepOutcome<State>> {
    const reopened = reopenSendWindow(before, context.now)
    if (reopened) return reopened
    const path = `/${context.account.externalId}/${platform.paths.publish}`
    const response = await graphPost(platform.graph, path, context, { creation_id: before.container })
    if (isSuccess(response))
      return { kind: 'continue', state: { step: 'name', mediaId: parseResponse(response, made).id } }
    const outcome = graphFailure(response, context.now, true)
    if (outcome.kind !== 'refused' && outcome.kind !== 'duplicate') return outcome
    // A container that is published already is refused, too.
    const { state } = await fetchStatus(context, before.container)
    if (state === undefined) throw new NoResponse('Publishing is refused, and nobody tells how the container is.')
    return state === 'PUBLISHED' ? { kind: 'done', externalId: before.container, url: null } : outcome
  }

  async function fetchPermalink(mediaId: string, context: PublishContext): Promise<StepOutcome<State>> {
    return { kind: 'done', externalId: mediaId, url: await permalinkOf(platform.graph, mediaId, context) }
  }

  async function reconcile(before: State, context: PublishContext): Promise<PostLookup<State>> {
    if (before.step !== 'publish') return { kind: 'absent', state: before }
    const { response, state } = await fetchStatus(context, before.container)
    if (!isSuccess(response)) return inconclusive(graphFailure(response, context.now), waitSeconds)
    // Its post has an id of its own, which nobody tells any more; to guess it from the newest posts would be to guess.
    if (state === 'PUBLISHED') return { kind: 'published', externalId: before.container, url: null }
    if (state === undefined || state === 'IN_PROGRESS') return { kind: 'unsure', waitSeconds }
    if (state !== 'FINISHED') {
      return { kind: 'absent', state: { step: 'wait', container: before.container, tries: before.tries } }
    }
    const left = secondsUntilConsistent(before, context.now, lagSeconds)
    return left > 0 ? { kind: 'unsure', waitSeconds: Math.min(left, waitSeconds) } : { kind: 'absent', state: before }
  }

  return {
    platform: platform.platform,
    validate: platform.check,
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
    reconcile,
  }
}

/** Another container, where it was not the film's fault, and not too often. */
const recreateContainer = ({ tries }: WithContainer, reason: string): StepOutcome<State> =>
  tries < triesMax
    ? { kind: 'continue', state: { step: 'create', tries }, waitSeconds }
    : { kind: 'refused', code: 'container-failed', message: reason }

/** The post is there: nothing that happens here may say otherwise. */
async function permalinkOf(graph: string, mediaId: string, context: PublishContext): Promise<string | null> {
  try {
    const response = await graphGet(graph, `/${mediaId}`, context, { fields: 'permalink' })
    return tryParseResponse(response, named)?.permalink ?? null
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
