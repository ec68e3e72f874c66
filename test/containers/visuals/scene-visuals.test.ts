/** Scene clips as the container makes them: which person they show, and that none is made twice. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { addClips, addStills, type SceneContext } from '../../../containers/media/visuals/scene-visuals.ts'
import { getObject, putObject } from '../../../lib/aws/media-bucket.ts'
import { type StoredScene, scenesAsBRolls } from '../../../lib/domain/generation/scenes/scenes.ts'
import type { Soundtrack } from '../../../lib/domain/generation/scenes/soundtrack.ts'
import { OrderPending } from '../../../lib/providers/vendor-orders.ts'
import { encodeWav } from '../../../lib/render/sound/wav.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { startSecretsManager } from '../../../local/emulators/secrets-manager.ts'
import { type FakeFal, falKey, startFakeFal } from '../../support/fake-vendors/fal.ts'
import { storedScene } from '../../support/given/scenes.ts'
import { given } from '../../support/given/videos.ts'
import { type PictureServer, portraitPng, startPictureServer } from '../../support/picture-server.ts'
import { whilePending } from '../../support/provider-orders.ts'
import { temporaryDirectoryOfFile } from '../../support/temporary-directory.ts'
import { newWorld } from '../../support/world.ts'

const directory = temporaryDirectoryOfFile()
let pictures: PictureServer | undefined
beforeAll(() => {
  process.env.TIME_SCALE = '1000'
})
afterAll(async () => {
  await pictures?.close()
})

const places = [
  { startMs: 0, endMs: 300 },
  { startMs: 300, endMs: 600 },
]
const blank = { imageKey: null, videoKey: null }
const scenes = [
  storedScene(1, { ...blank, imagePrompt: 'portrait of a woman; wide shot' }),
  storedScene(2, { ...blank, imagePrompt: '' }),
]

async function studioOf(subType: string | null, wish: Record<string, unknown> = {}) {
  const world = await newWorld()
  const video = await given.generatedVideo(world, { type: 'ai', subType, brief: { aspectRatio: '1:1', ...wish } })
  const owner = { workspace: await getWorkspace(world.workspaceId), videoId: video.id }
  const samples = Int16Array.from({ length: 9_600 }, (_, at) => 9_000 * Math.sin(at / 7))
  await putObject(video.media.audioKey!, encodeWav({ sampleRate: 16_000, samples }), 'audio/wav')
  const soundtrack: Soundtrack = { audioKey: video.media.audioKey!, durationMs: 600, words: [], places }
  const studio: SceneContext = { owner, video, runId: 'run_1', directory, signal: new AbortController().signal }
  return { studio, soundtrack }
}

const isClip = async (key: string | null) => (await getObject(key!)).subarray(4, 8).toString() === 'ftyp'

describe('scene clips', () => {
  it('show the content of the still, and a scene without a prompt has neither', async () => {
    const { studio, soundtrack } = await studioOf(null)
    const drawn = await addStills(studio, scenes)
    expect(drawn.map(({ imageKey }) => imageKey !== null)).toEqual([true, false])
    const [first, second] = await addClips(studio, drawn, soundtrack)
    expect(await isClip(first!.videoKey)).toBe(true)
    expect(second).toEqual(scenes[1])
    // The renderer animates the still itself.
    expect(scenesAsBRolls(studio.video, [first!], places)[0]!.media).toEqual({ kind: 'still', key: first!.imageKey })
  })

  it('are made once: a stored one is not made again, also by a second generation', async () => {
    const { studio, soundtrack } = await studioOf(null)
    const make = async () => addClips(studio, await addStills(studio, scenes), soundtrack)
    const before = await make()
    const keys = [before[0]!.imageKey!, before[0]!.videoKey!]
    for (const key of keys) await putObject(key, Buffer.from('Kept'), 'text/plain')
    expect(await make()).toEqual(before)
    for (const key of keys) expect((await getObject(key)).toString()).toBe('Kept')
  })

  describe('by a model', () => {
    let fal: FakeFal
    let secrets: Awaited<ReturnType<typeof startSecretsManager>>
    beforeEach(async () => {
      const keys = JSON.stringify({ fal: falKey })
      ;[fal, secrets] = await Promise.all([
        startFakeFal(),
        startSecretsManager({ port: 0, secrets: { 'keys-of-scenes': () => keys } }),
      ])
      vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', secrets.url)
      vi.stubEnv('PROVIDER_KEYS_ID', 'keys-of-scenes')
      vi.stubEnv('PROVIDERS', JSON.stringify({ animator: 'fal' }))
      vi.stubEnv('VENDOR_URLS', JSON.stringify({ fal: fal.url }))
    })
    afterEach(async () => {
      vi.unstubAllEnvs()
      await Promise.all([fal.stop(), secrets.stop()])
    })

    /** An attempt at the scene clips of scenes that show one still and have these motions. */
    async function clipsOf(prompts: string[]) {
      const { studio, soundtrack } = await studioOf(null)
      const [drawn] = await addStills(studio, scenes.slice(0, 1))
      const many = prompts.map((animationPrompt, index) => ({ ...drawn!, id: `scn_${index}`, animationPrompt }))
      const track = { ...soundtrack, places: many.map(() => places[0]!) }
      const made: number[] = []
      const attempt = async () => {
        const onClip = async () => void made.push(made.length)
        return (await addClips(studio, many, track, onClip)).map(({ videoKey }) => videoKey)
      }
      return { attempt, made }
    }
    const looks = () => fal.calls.filter(({ path }) => path.endsWith('/status')).length

    it('are all ordered and polled once by an attempt, and once if scenes look alike', async () => {
      fal.pendingPolls = Number.POSITIVE_INFINITY
      const { attempt } = await clipsOf(['a', 'b', 'c', 'd', 'd'])
      for (const polls of [4, 8]) {
        await expect(attempt()).rejects.toBeInstanceOf(OrderPending)
        expect([fal.orders(), looks()]).toEqual([4, polls])
      }
    })

    it('that are done are stored and reported while others are pending', async () => {
      const { attempt, made } = await clipsOf(['a', 'b'])
      // The first order that is polled is done.
      Object.defineProperty(fal, 'pendingPolls', { get: () => (looks() === 1 ? 0 : Number.POSITIVE_INFINITY) })
      await expect(attempt()).rejects.toBeInstanceOf(OrderPending)
      expect(made).toHaveLength(1)
      Object.defineProperty(fal, 'pendingPolls', { value: 0 })
      expect(new Set(await attempt()).size).toBe(2)
      expect([fal.orders(), looks()]).toEqual([2, 3])
    })

    it('are ordered as capacity allows if the vendor limits concurrent orders', async () => {
      const atWork = () => fal.orders() - fal.calls.filter(({ path }) => path.startsWith('/files/')).length
      const full = () => (fal.calls.at(-1)?.method === 'POST' && atWork() > 0 ? { status: 429, body: {} } : null)
      Object.defineProperty(fal, 'fault', { get: full })
      const { attempt } = await clipsOf(['a', 'b'])
      expect(new Set(await whilePending(attempt)).size).toBe(2)
      expect(fal.orders()).toBe(2)
    })
  })

  it('show the person of the brief in a ugc video, also in scenes that were added later', async () => {
    const png = await portraitPng(200, 200)
    pictures = await startPictureServer({ '/clara.png': (response) => response.end(png) })
    const { studio, soundtrack } = await studioOf('ugc', { presenter: { imageUrl: pictures.url('/clara.png') } })
    const [first] = await addStills(studio, scenes.slice(0, 1))
    expect(Buffer.from(await getObject(first!.imageKey!)).equals(Buffer.from(png))).toBe(true)
    const speaking = await addClips(studio, [first!, scenes[1]!] satisfies StoredScene[], soundtrack)
    expect(new Set(speaking.map(({ imageKey }) => imageKey))).toEqual(new Set([first!.imageKey]))
    for (const { videoKey } of speaking) expect(await isClip(videoKey)).toBe(true)
    expect(scenesAsBRolls(studio.video, speaking, places)[1]!.media).toEqual({
      kind: 'clip',
      key: speaking[1]!.videoKey,
    })
  })

  it('show the picture that its URL returned first, however often a run requests it', async () => {
    let served = 0
    const drawn = await portraitPng(64, 64)
    const server = await startPictureServer({
      '/new': (answer) => answer.end(Buffer.concat([drawn, Buffer.of(served++)])),
    })
    const { studio } = await studioOf('ugc', { presenter: { imageUrl: server.url('/new') } })
    const person = async (runId: string) => (await addStills({ ...studio, runId }, scenes))[0]!.imageKey
    const first = await person('run_1')
    expect(await person('run_1')).toBe(first)
    expect(server.asked).toHaveLength(1)
    expect(await person('run_2')).not.toBe(first)
    await server.close()
  })

  it('fail with a reason if the picture of the person cannot be used', async () => {
    const server = await startPictureServer({ '/text': (response) => response.end('no picture') })
    const ofPerson = async (path: string) => {
      const { studio } = await studioOf('ugc', { presenter: { imageUrl: server.url(path) } })
      return addStills(studio, scenes)
    }
    await expect(ofPerson('/text')).rejects.toThrow('The picture of the presenter is not a PNG, JPEG or WebP file.')
    await expect(ofPerson('/nothing')).rejects.toMatchObject({ name: 'JobFailure', code: 'visuals-failed' })
    expect(server.asked).toEqual(['/text', '/nothing'])
    await server.close()
  })

  it('retry a picture whose URL fails briefly, and leave the job to another task if it stays unavailable', async () => {
    const png = await portraitPng(64, 64)
    let asked = 0
    const server = await startPictureServer({
      '/hiccup': (answer) => (asked++ === 0 ? answer.socket?.destroy() : answer.end(png)),
      '/down': (answer) => answer.writeHead(503).end(),
    })
    const ofPerson = async (path: string) => {
      const { studio } = await studioOf('ugc', { presenter: { imageUrl: server.url(path) } })
      return addStills(studio, scenes)
    }
    expect((await ofPerson('/hiccup'))[0]!.imageKey).toMatch(/\.png$/)
    await expect(ofPerson('/down')).rejects.toMatchObject({ name: 'ProviderBusy' })
    await server.close()
  })
})
