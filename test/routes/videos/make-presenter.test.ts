/** POST /videos/{id}/brolls/{brollId}/presenter: the clip that is made, its price, and every refusal. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { putObject } from '../../../lib/aws/media-bucket.ts'
import { now } from '../../../lib/clock.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import type { StoredBRoll } from '../../../lib/domain/generation/b-rolls.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { updateVideo } from '../../../lib/domain/videos/update-video.ts'
import { grantCredits } from '../../../lib/domain/workspaces/workspace.ts'
import { listVideoPackets, probeMedia } from '../../../lib/ffmpeg/probe.ts'
import { commit } from '../../../lib/store/core/commit.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { changeVideo } from '../../../lib/use-cases/videos/change-video.ts'
import { creditLedgerOf } from '../../support/credit-ledger.ts'
import { rotatingSample } from '../../support/fuzz/volume.ts'
import { given } from '../../support/given/videos.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { type PictureServer, portraitPng, speechWav, startPictureServer } from '../../support/picture-server.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

const segmentOf = (id: string, startMs: number, endMs: number): StoredBRoll => ({
  id,
  startMs,
  endMs,
  text: 'Calm mornings',
  prompt: 'calm',
  keywords: ['calm'],
  mediaType: 'ai_image',
  hidden: false,
  media: { kind: 'still', key: 'none/visuals/still.png' },
})

const narration = speechWav(5)
let pictures: PictureServer
/** A portrait whose response the test holds back. */
const { promise: heldIsAsked, resolve: onHeld } = Promise.withResolvers<() => void>()
beforeAll(async () => {
  const png = await portraitPng()
  pictures = await startPictureServer({
    '/clara.png': (response) => response.end(png),
    '/moved': (response) => response.writeHead(302, { Location: '/clara.png' }).end(),
    '/inside': (response) => response.writeHead(302, { Location: 'http://169.254.169.254/latest/' }).end(),
    '/around': (response) => response.writeHead(302, { Location: '/around' }).end(),
    '/held.png': (response) => onHeld(() => response.end(png)),
    '/page': (response) => response.end('<html>No picture</html>'),
    '/broken.png': (response) => response.end(png.subarray(0, 200)),
    '/list.png': (response) => response.end('#EXTM3U\nfile:///etc/passwd'),
    '/huge.png': (response) => response.end(Buffer.concat([png, Buffer.alloc(10 * 1024 * 1024)])),
  })
})
afterAll(() => pictures.close())

async function presentable({
  planId = 'self-hosted',
  brolls = [segmentOf('brl_1', 0, 300), segmentOf('brl_2', 300, 800), segmentOf('brl_late', 50_000, 60_000)],
  wish = {},
  fields = {},
}: {
  planId?: 'self-hosted' | 'free'
  brolls?: StoredBRoll[]
  wish?: Record<string, unknown>
  fields?: Partial<Video>
} = {}) {
  const world = await newWorld({ planId })
  const video = await given.generatedVideo(world, {
    bRolls: brolls,
    brief: { aspectRatio: '1:1', ...wish },
    fields,
  })
  if (video.media.audioKey) await putObject(video.media.audioKey, narration, 'audio/wav')
  /** Repeats a request whose work takes longer than it waits, as on a busy machine: the work is done once. */
  const ask = async (
    brollId: string,
    body: unknown = { imageUrl: pictures.url('/clara.png') },
    idempotencyKey?: string,
  ) => {
    for (let repeats = 4; ; repeats--) {
      const answer = await callApi('POST', `/videos/${video.id}/brolls/${brollId}/presenter`, {
        key: world.apiKey,
        body,
        headers: idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {},
      })
      if (answer.status !== 503 || repeats === 0) return answer
    }
  }
  return { world, video, ask }
}

async function grantAvatarCredits({ workspaceId }: World, credits: number) {
  const workspace = await getWorkspace(workspaceId)
  await commit(grantCredits(workspace, { credits, unit: 'avatar' }, mintId('run', now()), now()))
}

const avatarBalance = async ({ apiKey: key }: World) =>
  (await callApi('GET', '/', { key })).body.data.credits.avatar.balance

describe('POST /videos/{id}/brolls/{brollId}/presenter', () => {
  rule(['presenter.body', 'presenter.media'], async () => {
    const { world, video, ask } = await presentable()
    const wish = { imageUrl: pictures.url('/clara.png'), avatarId: 'clara', name: 'Clara' }
    const { status, body } = await ask('brl_2', wish)
    expect(body).toMatchObject({
      data: { id: 'brl_2', startMs: 300, endMs: 800, type: 'video', text: 'Calm mornings', presenter: wish },
    })
    expect(status).toBe(200)
    expectMatchesOpenApi('POST', '/videos/{id}/brolls/{brollId}/presenter', 200, body)
    const stored = (await callApi('GET', `/videos/${video.id}?include=bRolls`, { key: world.apiKey })).body.data.bRolls
    expect(stored[1]).toEqual(body.data)
    expect(stored[0]).toMatchObject({ id: 'brl_1', type: 'image' })
    const clip = Buffer.from(await (await fetch(body.data.url)).arrayBuffer())
    expect(clip.byteLength).toBe(body.data.presenter.bytes)
    expect(Date.parse(body.data.presenter.generatedAt)).toBeGreaterThan(Date.parse(video.updatedAt))
    const directory = temporaryDirectory()
    writeFileSync(join(directory, 'clip.mp4'), clip)
    const where = { directory, timeoutMs: 60_000 }
    const facts = await probeMedia('clip.mp4', 'mov', where)
    expect(facts).toMatchObject({ video: { codec: 'h264', width: 1080, height: 1080, fps: 30 } })
    expect(facts.audio).toBeUndefined()
    expect((await listVideoPackets('clip.mp4', 'mov', where)).pts).toHaveLength(15)

    // What a render shows has changed, and what was rendered stays.
    const after = await getVideo(world.workspaceId, video.id)
    expect(after.contentVersion).toBe(video.contentVersion + 1)
    expect(after.media).toEqual(video.media)
  })

  it('200: uses the portrait and the names of the brief where none are given', async () => {
    const presenter = { imageUrl: pictures.url('/moved'), avatarId: 'of-the-brief', name: 'Brief' }
    const { ask } = await presentable({ wish: { presenter } })
    expect((await ask('brl_1', {})).body).toMatchObject({ data: { presenter } })
  })

  rule(['presenter.price', 'prices.presenter', 'presenter.idempotent'], async () => {
    const { world, ask } = await presentable({
      planId: 'free',
      brolls: [segmentOf('brl_1', 0, 300), segmentOf('brl_more', 0, 5_001)],
      wish: { presenter: { imageUrl: pictures.url('/moved'), avatarId: 'of-the-brief', name: 'Brief' } },
    })
    await grantAvatarCredits(world, 3)
    const imageUrl = pictures.url('/clara.png')
    const first = await ask('brl_1', { imageUrl }, 'one')
    // The names of the brief belong to its own portrait.
    expect(first).toMatchObject({ status: 200, body: { data: { presenter: { imageUrl, avatarId: '', name: '' } } } })
    expect(await avatarBalance(world)).toBe(2)
    const again = await ask('brl_1', { imageUrl }, 'one')
    expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', first.body])
    expect(await avatarBalance(world)).toBe(2)
    // A charge is visible even where it is released.
    expect((await ask('brl_more', { imageUrl: pictures.url('/nothing') })).status).toBe(400)
    const charged = (await creditLedgerOf(world.workspaceId)).filter(
      ({ unit, kind }) => unit === 'avatar' && kind === 'reserve',
    )
    expect(charged.map(({ credits }) => credits)).toEqual([1, 2])
    expect(await avatarBalance(world)).toBe(2)
    expect((await callApi('GET', '/', { key: world.apiKey })).body.data.credits).toMatchObject({
      balance: 190,
      used: 10,
    })
  })

  it('402: no avatar credits, whatever the video credits', async () => {
    const { ask } = await presentable({ planId: 'free' })
    expect(await ask('brl_1')).toMatchObject({
      status: 402,
      body: { error: { code: 'warning-no-credits', action: 'credits', blocked: true } },
    })
  })

  it('400: a private address is refused before anything is charged', async () => {
    const { world, ask } = await presentable({ planId: 'free' })
    for (const imageUrl of ['http://10.0.0.1/a.png', 'http://169.254.169.254/latest/', 'https://[::ffff:10.0.0.1]/'])
      expect((await ask('brl_1', { imageUrl })).body.error).toMatchObject({
        code: 'invalid-request',
        details: [{ path: 'body.imageUrl' }],
      })
    expect((await creditLedgerOf(world.workspaceId)).filter(({ unit }) => unit === 'avatar')).toEqual([])
  })

  // Each is a task of its own; the part has one that is no picture and one that leads inside, and above is one that is not there.
  it.each(rotatingSample(['/broken.png', '/page', '/around', '/list.png', '/inside', '/huge.png', '/nothing'], 0, 4))(
    '400: %s yields no picture; the credits are released',
    async (path) => {
      const { world, video, ask } = await presentable({ planId: 'free' })
      await grantAvatarCredits(world, 1)
      const { status, body } = await ask('brl_1', { imageUrl: pictures.url(path) })
      expect(body).toMatchObject({ error: { code: 'invalid-request' } })
      expect(status).toBe(400)
      expect(body.error.message).toMatch(/^body\.imageUrl /)
      expect(await avatarBalance(world)).toBe(1)
      expect((await getVideo(world.workspaceId, video.id)).timelines).toEqual(video.timelines)
    },
  )

  it('400: names a missing portrait and every field of the wrong type', async () => {
    const { ask } = await presentable()
    expect((await ask('brl_1', {})).body.error).toMatchObject({ details: [{ path: 'body.imageUrl' }] })
    expect((await ask('brl_1', { name: 'Clara' })).body.error).toMatchObject({ details: [{ path: 'body.imageUrl' }] })
    const wrong = { imageUrl: 'ftp://example.com/a.png', avatarId: 'a'.repeat(256), name: 7 }
    const paths = ['body.imageUrl', 'body.avatarId', 'body.name']
    expect((await ask('brl_1', wrong)).body.error.details.map(({ path }: { path: string }) => path)).toEqual(paths)
  })

  it('404: an unknown segment, an unknown video, and one of another workspace', async () => {
    const { video, ask } = await presentable()
    expect((await ask('brl_other')).status).toBe(404)
    const { apiKey: key } = await newWorld()
    const body = { imageUrl: pictures.url('/clara.png') }
    expect((await callApi('POST', `/videos/${video.id}/brolls/brl_1/presenter`, { key, body })).status).toBe(404)
    expect((await callApi('POST', '/videos/vid_none/brolls/brl_1/presenter', { key, body })).status).toBe(404)
  })

  it('409: the video has no narration, or none under the segment', async () => {
    const { ask } = await presentable()
    expect((await ask('brl_late')).body.error.code).toBe('warning-invalid-input')
    const silent = await presentable({ fields: { durationSeconds: null } })
    expect((await silent.ask('brl_1')).body.error.code).toBe('warning-source-not-ready')
  })

  it('409: while the video is generated anew', async () => {
    const { world, video, ask } = await presentable()
    const process = { ...video.process!, status: 'QUEUED' as const }
    const place = { workspaceId: world.workspaceId, videoId: video.id }
    await changeVideo(place, (current) => updateVideo(current, { ...current, process }, now()))
    expect((await ask('brl_1')).body.error.code).toBe('job-in-progress')
  })

  it('409: another portrait for the same segment while one is being made', async () => {
    const { ask } = await presentable()
    const imageUrl = pictures.url('/held.png')
    const first = ask('brl_1', { imageUrl }, 'one')
    const answer = await heldIsAsked
    expect((await ask('brl_1', { imageUrl: pictures.url('/moved') })).body.error.code).toBe('job-in-progress')
    expect((await ask('brl_1', { imageUrl }, 'one')).body.error.code).toBe('idempotency-in-progress')
    answer()
    expect((await first).status).toBe(200)
  })
})
