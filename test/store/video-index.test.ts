/** The list of videos equals a sorted array of them, after any history and for every read path. */
import { PutObjectCommand } from '@aws-sdk/client-s3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { s3 } from '../../lib/aws/media-bucket.ts'
import { readVideoIndex, writeVideoIndex } from '../../lib/aws/video-index.ts'
import { now } from '../../lib/clock.ts'
import { videoIndexKey } from '../../lib/domain/core/artefact.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { videoStatus } from '../../lib/domain/core/states.ts'
import { secondsAfter } from '../../lib/domain/core/time.ts'
import type { Video } from '../../lib/domain/records/video.ts'
import { createVideo } from '../../lib/domain/videos/create-video.ts'
import { editVideo } from '../../lib/domain/videos/edits.ts'
import { beginProcess, failJob } from '../../lib/domain/videos/job-transitions.ts'
import { updateVideoIndex } from '../../lib/domain/videos/video-index.ts'
import { builtInVoices } from '../../lib/domain/videos/voices.ts'
import type { Workspace } from '../../lib/domain/workspaces/workspace.ts'
import { env } from '../../lib/env.ts'
import { table } from '../../lib/store/core/client.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { listVideos } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { removeVideo } from '../../lib/use-cases/videos/remove-videos.ts'
import { queryVideos, searchVideos } from '../../lib/use-cases/videos/search-videos.ts'
import { newWorld, videoInputOf } from '../support/world.ts'

const begin = Date.now()
const words = ['Bread', 'bridges', 'CATS', 'old maps'] as const

/** A workspace with its model: an array of the videos that must be listed. */
class Pair {
  readonly workspaceId: string
  readonly model = new Map<string, Video>()
  time = 0
  constructor(workspaceId: string) {
    this.workspaceId = workspaceId
  }
  /** Real time, with unique timestamps. */
  at = () => {
    this.time = Math.max(this.time + 1, Date.now())
    return new Date(this.time).toISOString()
  }
  workspace = (): Promise<Workspace> => getWorkspace(this.workspaceId)
  nth = (index: number) => [...this.model.values()][index % Math.max(this.model.size, 1)]

  async create(word: string, type: Video['type'], subType: string | null): Promise<void> {
    const at = this.at()
    const ids = { videoId: mintId('vid', at), runId: mintId('run', at) }
    const decision = createVideo(await this.workspace(), videoInputOf({ prompt: 'x', title: `On ${word}` }), ids, at)
    const video = { ...decision.video, type, subType }
    await commit({ ...decision, changes: [{ record: 'video', before: undefined, after: video }] })
    this.model.set(video.id, video)
  }
  async rename(index: number, word: string): Promise<void> {
    const video = this.nth(index)
    if (!video) return
    const decision = editVideo(video, { title: `About ${word}` }, builtInVoices, this.at())
    await commit(decision)
    this.model.set(video.id, decision.video)
  }
  async end(index: number): Promise<void> {
    const video = this.nth(index)
    if (!video || video.process?.status === 'FAILED') return
    const { runId } = video.process!
    const begun = beginProcess(video, runId, this.at())
    if (begun) await commit(begun)
    const failure = { code: 'script-failed' as const, message: 'x', blocked: false }
    const failed = failJob(begun?.video ?? video, 'process', runId, failure, this.at())
    await commit(failed)
    this.model.set(video.id, failed.video)
  }
  async remove(index: number): Promise<void> {
    const video = this.nth(index)
    if (!video) return
    await removeVideo(this.workspaceId, video.id)
    this.model.delete(video.id)
  }
  expected = (fits: (video: Video) => boolean) =>
    [...this.model.values()]
      .filter(fits)
      .toSorted((a, b) => (`${a.updatedAt}#${a.id}` < `${b.updatedAt}#${b.id}` ? 1 : -1))
      .map(({ id }) => id)

  async check(): Promise<void> {
    const workspace = await this.workspace()
    const whole = { limit: 100, offset: 0 }
    const idsOf = ({ videos, total }: { videos: Video[]; total: number }) => {
      expect(total).toBe(videos.length)
      return videos.map(({ id }) => id)
    }
    const listed = (filters: Parameters<typeof listVideos>[2]) =>
      listVideos(this.workspaceId, workspace.videoCounts, filters, whole)
    expect(idsOf(await listed({}))).toEqual(this.expected(() => true))
    expect(idsOf(await listed({ type: 'ai' }))).toEqual(this.expected(({ type }) => type === 'ai'))
    expect(idsOf(await listed({ status: 'failed' }))).toEqual(this.expected((video) => videoStatus(video) === 'failed'))
    for (const search of ['bread', 'ABOUT', 'nowhere'])
      expect(idsOf(await searchVideos(workspace, { search }, whole, now()))).toEqual(
        this.expected(({ title }) => title.toLowerCase().includes(search.toLowerCase())),
      )
    expect(idsOf(await searchVideos(workspace, { subType: 'ugc', search: 'o' }, whole, now()))).toEqual(
      this.expected(({ subType, title }) => subType === 'ugc' && title.toLowerCase().includes('o')),
    )
    const page = { limit: 2, offset: 3 }
    const { videos } = await listVideos(this.workspaceId, workspace.videoCounts, {}, page)
    expect(videos.map(({ id }) => id)).toEqual(this.expected(() => true).slice(3, 5))
  }
}

const index = fc.nat(20)
const word = fc.constantFrom(...words)
const step = fc.oneof(
  fc.tuple(fc.constant('create' as const), word, fc.constantFrom('faceless', 'ai'), fc.constantFrom(null, 'ugc')),
  fc.tuple(fc.constant('create' as const), word, fc.constantFrom('faceless', 'ai'), fc.constantFrom(null, 'ugc')),
  fc.tuple(fc.constant('rename' as const), index, word),
  fc.tuple(fc.constant('end' as const), index),
  fc.tuple(fc.constant('remove' as const), index),
  fc.tuple(fc.constant('check' as const)),
)

/** From here on the list index returns its first answers, like an index that lags. */
function holdIndex(): () => void {
  const answers = new Map<string, unknown>()
  table.middlewareStack.add(
    (next, { commandName }) =>
      async (call) => {
        if (!String(commandName).startsWith('Query')) return next(call)
        const asked = JSON.stringify(call.input)
        const answer = (answers.get(asked) as Awaited<ReturnType<typeof next>>) ?? (await next(call))
        answers.set(asked, answer)
        return answer
      },
    { step: 'initialize', priority: 'high', name: 'holdIndex' },
  )
  return () => table.middlewareStack.remove('holdIndex')
}

describe('the video list', () => {
  it('equals a sorted array of the videos under every filter, after any history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const pair = new Pair((await newWorld()).workspaceId)
        for (const one of steps) {
          if (one[0] === 'create') await pair.create(one[1], one[2] as Video['type'], one[3])
          if (one[0] === 'rename') await pair.rename(one[1], one[2])
          if (one[0] === 'end') await pair.end(one[1])
          if (one[0] === 'remove') await pair.remove(one[1])
          if (one[0] === 'check') await pair.check()
        }
        await pair.check()
      }),
      { numRuns: 12 },
    )
  })

  it('is cached by searches, and rewritten after many changes that have settled', async () => {
    const pair = new Pair((await newWorld()).workspaceId)
    const search = async (at = now()) =>
      (await searchVideos(await pair.workspace(), { search: 'on' }, { limit: 1, offset: 0 }, at)).total
    await pair.create('Bread', 'faceless', null)
    expect(await search()).toBe(1)
    const first = await readVideoIndex(await pair.workspace())
    await pair.create('cats', 'faceless', null)
    expect(await search()).toBe(2)
    expect(await readVideoIndex(await pair.workspace())).toEqual(first)
    for (let made = 0; made < 160; made++) await pair.create('maps', 'faceless', null)
    expect(await search()).toBe(162)
    expect(await readVideoIndex(await pair.workspace())).toEqual(first)
    expect(await search(secondsAfter(now(), 600))).toBe(162)
    expect((await readVideoIndex(await pair.workspace()))!.videos).toHaveLength(162)
  })

  it('is rebuilt when the cached document cannot be read', async () => {
    const pair = new Pair((await newWorld()).workspaceId)
    await pair.create('Bread', 'faceless', null)
    const workspace = await pair.workspace()
    const search = async () => (await searchVideos(workspace, { search: 'on' }, { limit: 1, offset: 0 }, now())).total
    const location = { Bucket: env.bucketName(), Key: videoIndexKey(workspace) }
    await s3.send(new PutObjectCommand({ ...location, Body: 'no gzip' }))
    expect(await readVideoIndex(workspace)).toBeUndefined()
    expect(await search()).toBe(1)
    expect((await readVideoIndex(workspace))!.videos).toHaveLength(1)
  })

  it('omits under a filter every video that no longer matches while the index lags, and fills the page', async () => {
    const pair = new Pair((await newWorld()).workspaceId)
    for (const name of words) await pair.create(name, 'faceless', null)
    const { videoCounts } = await pair.workspace()
    const page = { limit: 1, offset: 0 }
    const first = async () => (await listVideos(pair.workspaceId, videoCounts, { status: 'processing' }, page)).videos
    const release = holdIndex()
    const [newest] = await first()
    await pair.end([...pair.model.keys()].indexOf(newest!.id))
    const [next] = await first()
    release()
    expect(next!.id).toBe(pair.expected((video) => videoStatus(video) === 'processing')[0])
  })

  it('has correct pages at any depth', async () => {
    const pair = new Pair((await newWorld()).workspaceId)
    for (const name of words) await pair.create(name, 'faceless', null)
    const workspace = await pair.workspace()
    // Inflated counters and document entries put the page beyond the depth to which the index is read.
    const filler = Array.from({ length: 1_200 }, (_, index) => ({
      id: `vid_${String(index).padStart(4, '0')}`,
      listSk: `${secondsAfter(now(), 60)}#vid_${String(index).padStart(4, '0')}`,
      type: 'faceless' as const,
      subType: null,
      status: 'processing' as const,
      searchTitle: 'x',
    }))
    const counted = { ...workspace, videoCounts: { 'faceless#processing': 1_204 } }
    await writeVideoIndex(workspace, updateVideoIndex(undefined, filler, [], now()))
    const { videos, total } = await queryVideos(counted, {}, { limit: 100, offset: 1_200 }, now())
    expect([videos.map(({ id }) => id), total]).toEqual([pair.expected(() => true), 1_204])
    expect(await queryVideos(counted, {}, { limit: 100, offset: 1_204 }, now())).toEqual({ videos: [], total: 1_204 })
  })
})

describe('the cached list', () => {
  const video = (id: string, at: string) => ({
    id,
    listSk: `${at}#${id}`,
    type: 'ai' as const,
    subType: null,
    status: 'ready' as const,
    searchTitle: id,
  })
  const [t1, t2, t3] = [1, 2, 3].map((second) => new Date(begin + second * 1000).toISOString())

  it('removes a video that left the list after its last activity, and keeps one with newer activity', () => {
    const library = { until: t1!, videos: [video('a', t1!), video('b', t1!)] }
    const departures = [
      { videoId: 'a', at: t2! },
      { videoId: 'b', at: t2! },
    ]
    const after = updateVideoIndex(library, [video('b', t3!)], departures, secondsAfter(t3!, 1))
    expect(after.videos).toEqual([video('b', t3!)])
  })

  it('shows a video once when the index has it in two lists, in its later state', () => {
    const moved = { ...video('a', t2!), status: 'failed' as const }
    for (const active of [
      [video('a', t1!), moved],
      [moved, video('a', t1!)],
    ])
      expect(updateVideoIndex(undefined, active, [], t3!).videos).toEqual([moved])
  })

  it('excludes the newest moments, which the index may not contain yet', () => {
    expect(updateVideoIndex(undefined, [], [], t3!).until < secondsAfter(t3!, -60)).toBe(true)
  })
})
