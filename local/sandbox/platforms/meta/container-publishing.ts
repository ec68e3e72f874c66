// Container publishing of Instagram and Threads: a container is created from the URL of a video, fetched, checked and published once.
// https://developers.facebook.com/docs/instagram-platform/content-publishing and https://developers.facebook.com/docs/threads/posts

import * as v from 'valibot'
import type { PlatformId } from '../../../../lib/domain/core/platform.ts'
import type { StoredFile } from '../../server/media-store.ts'
import type { SandboxRequest } from '../../server/request.ts'
import { respond, type SandboxDeps, type SandboxPlatform, type SandboxResponse } from '../platform.ts'
import { graphErrors, graphRefusal, readGraphToken } from './graph-api.ts'

interface Container {
  id: string
  account: string
  username: string
  caption: string
  sha256: string
  madeAt: number
  readyAt: number
  isStuck: boolean
  /** The reason for a failure. */
  failure: string
  mediaId?: string
}

interface ContainerPublishingOptions {
  id: PlatformId
  /** Path of its Graph API in the sandbox. */
  prefix: string
  tokenSeconds: number | null
  paths: { create: string; publish: string }
  /** The fields of a container, without the token; `caption` is the name of the text field. */
  entries: v.ObjectEntries
  caption: string
  status: { state: string; reason: string }
  /** The platform's error for a video that it rejects, or undefined. */
  unfit(file: StoredFile): string
  /** The platform's error for a video that it could not fetch. */
  unfetched: string
  /** Limits of containers and posts in 24 hours. */
  perDay: { containers: number; posts: number }
  urlOf(mediaId: string, username: string): string
}

const processingMs = 40_000
const aDayMs = 86_400_000

export function containerPlatform(its: ContainerPublishingOptions, ground: SandboxDeps): SandboxPlatform {
  const containers = ground.records.collection<Container>(`${its.id}-container`)
  const media = ground.records.collection<{ id: string; url: string }>(`${its.id}-media`)
  const today = (account: string) =>
    containers.list().filter((one) => one.account === account && one.madeAt > ground.clock.now() - aDayMs)

  async function create(ask: SandboxRequest): Promise<SandboxResponse> {
    checkAccount(ask)
    const fields: Record<string, unknown> = ask.form({ ...its.entries, access_token: v.string() })
    const { externalId: account, username } = ask.user
    if (today(account).length >= its.perDay.containers) throw graphRefusal(4, 'Too many containers.', 2207051)
    const film = await ground.media.fetchFrom(String(fields.video_url))
    const at = ground.clock.now()
    const id = `17${String(ground.records.nextNumber()).padStart(15, '0')}`
    containers.put(id, {
      id,
      account,
      username,
      caption: String(fields[its.caption] ?? ''),
      sha256: 'reason' in film ? '' : film.sha256,
      madeAt: at,
      readyAt: at + ground.clock.scaled(processingMs),
      isStuck: ask.fault?.kind === 'stuck-processing',
      failure: failureBy(ask, film),
    })
    return respond(200, { id })
  }

  function failureBy({ fault }: SandboxRequest, film: StoredFile | { reason: string }): string {
    if (fault?.kind === 'fail') return fault.detail
    return 'reason' in film ? its.unfetched : its.unfit(film)
  }

  function stateOf({ mediaId, madeAt, readyAt, isStuck, failure }: Container): string {
    const now = ground.clock.now()
    if (mediaId) return 'PUBLISHED'
    if (now > madeAt + aDayMs) return 'EXPIRED'
    if (isStuck || now < readyAt) return 'IN_PROGRESS'
    return failure ? 'ERROR' : 'FINISHED'
  }

  /** A container or a post: both are read by id. */
  function read(ask: SandboxRequest): SandboxResponse {
    const { fields } = ask.query({ fields: v.string(), access_token: v.string() })
    const post = media.get(ask.params.id ?? '')
    if (post) return respond(200, { id: post.id, ...(fields === 'permalink' && { permalink: post.url }) })
    const container = containers.get(ask.params.id ?? '')
    if (container?.account !== ask.user.externalId) throw graphRefusal(100, 'Unsupported get request.', 33)
    if (fields !== `${its.status.state},${its.status.reason}`) throw graphRefusal(100, 'There is no such field.')
    const { failure, id } = container
    const state = stateOf(container)
    const reason = state === 'ERROR' ? { [its.status.reason]: failure } : {}
    return respond(200, { id, [its.status.state]: state, ...reason })
  }

  function publish(ask: SandboxRequest): SandboxResponse {
    checkAccount(ask)
    const { creation_id } = ask.form({ creation_id: v.string(), access_token: v.string() })
    const container = containers.get(creation_id)
    if (container?.account !== ask.user.externalId) throw graphRefusal(100, 'There is no such container.')
    const posts = today(container.account).filter(({ mediaId }) => mediaId).length
    if (posts >= its.perDay.posts || ask.fault?.kind === 'quota-full')
      throw graphRefusal(9, 'The daily limit is reached.', 2207042)
    const state = stateOf(container)
    if (state === 'PUBLISHED') throw graphRefusal(100, 'The container has been published.')
    if (state !== 'FINISHED') throw graphRefusal(9007, 'The media is not ready for publishing.', 2207027)
    const id = `18${String(ground.records.nextNumber()).padStart(15, '0')}`
    const url = its.urlOf(id, container.username)
    containers.put(container.id, { ...container, mediaId: id })
    media.put(id, { id, url })
    ground.publishedPosts.add({
      platform: its.id,
      account: container.account,
      externalId: id,
      knownAs: [container.id],
      url,
      caption: container.caption,
      title: null,
      sha256: container.sha256,
      at: ground.clock.now(),
      fields: {},
    })
    return respond(200, { id })
  }

  const { prefix, paths } = its
  return {
    id: its.id,
    urls: (base) => ({ graph: `${base}${prefix}` }),
    tokenSeconds: its.tokenSeconds,
    readToken: readGraphToken,
    errors: graphErrors,
    operations: [
      { op: 'create', method: 'POST', path: `${prefix}/{account}/${paths.create}`, needsToken: true, handle: create },
      {
        op: 'publish',
        method: 'POST',
        path: `${prefix}/{account}/${paths.publish}`,
        needsToken: true,
        handle: publish,
      },
      { op: 'read', method: 'GET', path: `${prefix}/{id}`, needsToken: true, handle: read },
    ],
  }
}

function checkAccount({ params, user }: SandboxRequest) {
  if (params.account !== user.externalId) throw graphRefusal(10, 'The token does not permit this for this account.')
}
