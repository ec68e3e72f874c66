/** Functions of the media container that fail: the task does the work, once, and keeps what was rendered. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { VideoResource } from '../../lib/contract/resources/index.ts'
import { listEvents } from '../../lib/store/event-journal.ts'
import type { Fault } from '../../local/emulators/lambda-sandboxes.ts'
import { type Reelsmith, startReelsmith } from '../../local/reelsmith.ts'
import { creditLedgerOf } from '../support/credit-ledger.ts'
import { temporaryDirectoryOfFile } from '../support/temporary-directory.ts'
import { newWorld } from '../support/world.ts'
import { type ApiCredentials, callApiOf, storedObjects, waitForVideo } from './service-process.ts'

const directory = temporaryDirectoryOfFile({ memory: true })
/** The faults of the next invocations, by command. */
const faults = new Map<string, Fault>()
/** Every command that a function was invoked with. */
const invoked: string[] = []
let service: Reelsmith
beforeAll(async () => {
  const mediaFault = (event: unknown) => {
    const [command = ''] = (event as { command: string[] }).command
    const fault = faults.get(command)
    invoked.push(fault ? `${command} ${fault}` : command)
    faults.delete(command)
    return fault
  }
  service = await startReelsmith({ directory, port: 0, timeScale: 20, log: () => {}, mediaFault })
  service.resume()
})
afterAll(() => service.stop())

const ready = (client: ApiCredentials, id: string) => waitForVideo(client, id, ({ status }) => status === 'ready')

describe('a function that fails', () => {
  it('is followed by a task: one video, one charge, one set of events, and what was rendered is kept', async () => {
    const world = await newWorld({ planId: 'pro' })
    const client = { ...world, baseUrl: service.baseUrl }
    faults.set('fetch-visuals', 'killed').set('render-video', 'vanished')
    const body = { text: 'Films have parts. Each part is kept.', aspectRatio: '1:1', process: { render: true } }
    const { id } = await callApiOf<VideoResource>(client, 'POST', '/videos', body)
    const video = await ready(client, id)
    expect(invoked).toEqual(['fetch-visuals killed', 'render-video vanished'])
    const renders = () => storedObjects(directory, id).filter(({ kind }) => kind === 'renders')
    // The mp4, its thumbnail and its facts.
    expect(renders()).toHaveLength(3)
    const count = (type: string) => async () =>
      (await listEvents(world.workspaceId)).filter((event) => event.type === type).length
    expect(await count('video.render_completed')()).toBe(1)
    expect((await creditLedgerOf(world.workspaceId)).map(({ kind }) => kind).toSorted()).toEqual(['capture', 'reserve'])

    const { captions } = await callApiOf<VideoResource>(client, 'GET', `/videos/${id}?include=captions`)
    const [first, ...others] = captions!
    await callApiOf(client, 'PUT', `/videos/${id}/captions`, {
      captions: [{ ...first, punctuated_word: 'Movies' }, ...others],
    })
    faults.set('render-video', 'memory')
    await callApiOf(client, 'POST', `/videos/${id}/render`)
    const { reuse } = (await ready(client, id)).render!
    expect(invoked.at(-1)).toBe('render-video memory')
    expect(reuse!.segments).toBe(video.render!.reuse!.segments)
    expect(reuse!.reused).toBeGreaterThan(0)
    expect(await count('video.render_completed')()).toBe(2)
  })
})
