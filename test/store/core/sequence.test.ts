/** The numbers that order events by their causes before they enter the journal: unique, and higher for later causes. */
import { describe, expect, it } from 'vitest'
import { now } from '../../../lib/clock.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { type DomainEvent, newEvent } from '../../../lib/domain/records/event.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { commit } from '../../../lib/store/core/commit.ts'
import { retryOnConflict } from '../../../lib/store/core/conflict-retry.ts'
import { WriteConflict } from '../../../lib/store/core/write-conflict.ts'
import { listEvents } from '../../../lib/store/event-journal.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { videoThatIs } from '../../domain/support/videos.ts'
import { given } from '../../support/given/videos.ts'
import { mapConcurrently } from '../../support/map-concurrently.ts'
import { newWorld } from '../../support/world.ts'

const nothing = { changes: [], charges: [], starts: [] }
const happened = (): DomainEvent =>
  newEvent('video.created', { video: videoThatIs.queued() }, mintId('vid', now()), now())
const numbersOf = async (workspaceId: string) => (await listEvents(workspaceId)).map(({ sequence }) => sequence)

describe('the number of an event in the outbox', () => {
  it('starts at 1, and gives each event of a commit the next number', async () => {
    const { workspaceId } = await newWorld()
    const events = [happened(), happened(), happened()]
    await commit({ ...nothing, workspaceId, at: now(), events })
    await commit({ ...nothing, workspaceId, at: now(), events: [happened()] })
    expect(await numbersOf(workspaceId)).toEqual([1, 2, 3, 4])
    expect((await listEvents(workspaceId)).slice(0, 3).map(({ id }) => id)).toEqual(events.map(({ id }) => id))
  })

  it('allocates no number twice, however many events are concurrent', async () => {
    const { workspaceId } = await newWorld()
    const commits = Array.from({ length: 60 }, (_, index) => Array.from({ length: 1 + (index % 3) }, happened))
    await Promise.all(commits.map((events) => commit({ ...nothing, workspaceId, at: now(), events })))
    const numbers = await numbersOf(workspaceId)
    expect(numbers).toHaveLength(120)
    expect(new Set(numbers).size).toBe(120)
  })

  it('is not shared with another workspace', async () => {
    const worlds = [await newWorld(), await newWorld()]
    for (const { workspaceId } of worlds) {
      await commit({ ...nothing, workspaceId, at: now(), events: [happened()] })
      expect(await numbersOf(workspaceId)).toEqual([1])
    }
  })

  it('numbers the events of one video in their causal order, whatever else happens concurrently', async () => {
    const { workspaceId } = await newWorld()
    const { id } = await given.generatedVideo({ workspaceId })
    let lost = 0
    /** Another version of the video, with its event. */
    const change = () =>
      retryOnConflict(async () => {
        const before = await getVideo(workspaceId, id)
        const after: Video = { ...before, version: before.version + 1 }
        const event = newEvent('video.render_completed', { video: after }, `${id}#${after.version}`, now())
        const written = { changes: [{ record: 'video' as const, before, after }], events: [event] }
        await commit({ ...nothing, ...written, workspaceId, at: now() }).catch((error) => {
          if (error instanceof WriteConflict) lost++
          throw error
        })
        return { version: after.version, eventId: event.id }
      }, 100)
    const other = () => commit({ ...nothing, workspaceId, at: now(), events: [happened()] })
    const [changes] = await Promise.all([
      mapConcurrently(4, Array.from({ length: 20 }), change),
      mapConcurrently(4, Array.from({ length: 20 }), other),
    ])
    const events = await listEvents(workspaceId)
    const inOrder = changes.toSorted((a, b) => a.version - b.version).map(({ eventId }) => eventId)
    expect(events.map((event) => event.id).filter((eventId) => inOrder.includes(eventId))).toEqual(inOrder)
    // The loser of a race has already allocated a number.
    expect(lost).toBeGreaterThan(0)
    expect(new Set(events.map(({ sequence }) => sequence)).size).toBe(events.length)
  })
})
