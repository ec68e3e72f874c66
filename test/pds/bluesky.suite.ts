/** Our publisher and our connector against the real server: it verifies the sandbox's behaviour for Bluesky. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PostingState } from '../../lib/domain/publishing/posting.ts'
import type { Tokens } from '../../lib/domain/records/tokens.ts'
import { blueskyConnector } from '../../lib/platforms/bluesky/connect.ts'
import { blueskyPublisher } from '../../lib/platforms/bluesky/publish.ts'
import type { postRecord } from '../../lib/platforms/bluesky/record.ts'
import type { ConnectDeps } from '../../lib/platforms/connector.ts'
import { NoResponse } from '../../lib/platforms/failures.ts'
import { createPlatformHttp } from '../../lib/platforms/http.ts'
import type { PlatformHttp, PublishContext } from '../../lib/platforms/publisher.ts'
import { useTestVideos, verticalVideo } from '../platforms/shared/test-videos.ts'
import { callXrpc, createPdsAccount, type PdsProcess, startPds } from './pds-process.ts'

const http = createPlatformHttp({ allowHttp: true, allowLoopback: true })
const films = useTestVideos()
let network: PdsProcess
let accounts = 0

beforeAll(async () => {
  network = await startPds()
})
afterAll(() => network.stop())

const connector = () => blueskyConnector({ pds: network.pds })
const publisher = () => blueskyPublisher({ pds: 'http://127.0.0.1:9', video: network.video })
const connecting = (): ConnectDeps => ({
  client: { id: '', secret: '' },
  http,
  now: new Date().toISOString(),
})

interface Ready {
  place: PublishContext
  tokens: Tokens
  settings: Record<string, string>
  sha256: string
}

/** A newly connected account, and a video to post to it. */
async function ready(): Promise<Ready> {
  const handle = `user${++accounts}.test`
  const { password } = await createPdsAccount(network.pds, handle)
  const { identity, tokens, settings } = await connector().signIn(connecting(), {
    service: null,
    identifier: handle,
    password,
  })
  const { film, read, sha256 } = await films.make(verticalVideo)
  const now = new Date().toISOString()
  const place: PublishContext = {
    post: {
      id: `post${accounts}`,
      caption: 'Grüße from a #test https://example.com/a',
      title: 'A film',
      language: 'en',
      film,
      acceptedAt: now,
    },
    account: { ...identity, settings },
    token: tokens.access,
    http,
    readRender: read,
    now,
  }
  return { place, tokens, settings, sha256 }
}

/** Runs steps until a step of this name is next, or the post exists. */
async function until(step: string, place: PublishContext, from: PostingState = publisher().initialState(place.post)) {
  let state = from as ReturnType<ReturnType<typeof publisher>['initialState']>
  for (let steps = 0; steps < 20 && state.step !== step; steps++) {
    const outcome = await publisher().step(state, place)
    if (outcome.kind !== 'continue') return { state, outcome }
    state = JSON.parse(JSON.stringify(outcome.state))
  }
  return { state, outcome: undefined }
}

const postsOf = async (did: string) =>
  (
    await callXrpc<{ records: { uri: string; value: ReturnType<typeof postRecord> }[] }>(
      network.pds,
      'repo.listRecords',
      {
        query: { repo: did, collection: 'app.bsky.feed.post' },
      },
    )
  ).records

describe('the real Bluesky server', () => {
  it('signs in with an app password, and returns the identity of the account', async () => {
    const { place, tokens, settings } = await ready()
    expect(place.account).toMatchObject({ externalId: expect.stringMatching(/^did:plc:/), username: 'user1.test' })
    expect(settings).toEqual({ pds: network.pds })
    expect(await connector().identify(connecting(), tokens.access, settings)).toMatchObject({ username: 'user1.test' })
    const wrong = { service: null, identifier: 'user1.test', password: 'another' }
    await expect(connector().signIn(connecting(), wrong)).rejects.toThrow('rejected the sign-in')
  })

  it('has the post with the same video, byte for byte', async () => {
    const { place, sha256 } = await ready()
    const { outcome } = await until('never', place)
    expect(outcome).toMatchObject({ kind: 'done', externalId: expect.stringContaining(place.account.externalId) })
    const { externalId: did } = place.account
    const posts = await postsOf(did)
    expect(posts).toMatchObject([{ uri: (outcome as { externalId: string }).externalId }])
    const { value } = posts[0]!
    expect(value).toMatchObject({ text: place.post.caption, embed: { $type: 'app.bsky.embed.video', alt: 'A film' } })
    const query = new URLSearchParams({ did, cid: value.embed.video.ref.$link })
    const film = await (await fetch(`${network.pds}/xrpc/com.atproto.sync.getBlob?${query}`)).bytes()
    expect(createHash('sha256').update(film).digest('hex')).toBe(sha256)
  })

  it('has one post if it was written twice', async () => {
    const { place } = await ready()
    const { state } = await until('post', place)
    const [first, second] = [await publisher().step(state, place), await publisher().step(state, place)]
    expect(first).toMatchObject({ kind: 'done' })
    expect(second).toEqual(first)
    expect(await postsOf(place.account.externalId)).toHaveLength(1)
  })

  it('finds a post whose response was lost, and reports one that never arrived', async () => {
    const { place } = await ready()
    const { state } = await until('post', place)
    expect(await publisher().lookUp(state, place)).toEqual({ kind: 'absent', state, mayBeLate: true })
    const losing: PlatformHttp = async (request) => {
      await http(request)
      throw new NoResponse('The connection was cut.')
    }
    await expect(publisher().step(state, { ...place, http: losing })).rejects.toThrow(NoResponse)
    expect(await publisher().lookUp(state, place)).toMatchObject({ kind: 'published' })
    expect(await postsOf(place.account.externalId)).toHaveLength(1)
  })

  it('refuses an expired token, and accepts its refreshed one', async () => {
    const { place, tokens, settings } = await ready()
    const { state } = await until('post', place)
    const ended = network.expired(tokens.access)
    expect(await publisher().step(state, { ...place, token: ended })).toEqual({ kind: 'unauthorised' })
    expect(await connector().identify(connecting(), ended, settings)).toBeNull()
    const renewal = await connector().refresh(connecting(), tokens, settings)
    const token = renewal.kind === 'renewed' ? renewal.tokens.access : ''
    expect(await publisher().step(state, { ...place, token })).toMatchObject({ kind: 'done' })
  })

  it('refuses a caption that is too long, as our own check does', async () => {
    const { place } = await ready()
    const { state } = await until('post', place)
    const post = { ...place.post, caption: 'a'.repeat(301) }
    expect(publisher().validate(post, place.account)).toMatchObject({ code: 'caption-too-long' })
    expect(await publisher().step(state, { ...place, post })).toMatchObject({ kind: 'refused' })
    expect(await postsOf(place.account.externalId)).toEqual([])
  })

  it('issues service tokens that the video service verifies: the token of the account is refused there', async () => {
    const { place, tokens } = await ready()
    const answered = await fetch(
      `${network.video}/xrpc/app.bsky.video.uploadVideo?did=${place.account.externalId}&name=a.mp4`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${tokens.access}`, 'content-type': 'video/mp4' },
        body: 'film',
      },
    )
    expect(answered.status).toBe(401)
  })
})
