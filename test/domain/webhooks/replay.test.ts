/** Replays: which events a range selects, and what is queued for them. */
import { describe, expect, it } from 'vitest'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import type { EventType } from '../../../lib/domain/records/event.ts'
import type { JournalEntry, JournalRow } from '../../../lib/domain/webhooks/event-journal.ts'
import {
  isInRange,
  replayDeliveries,
  replayEvents,
  replayRange,
  sequencesOf,
} from '../../../lib/domain/webhooks/replay.ts'
import { webhookWith } from '../support/deliveries.ts'

const noon = '2026-11-20T12:00:00.000Z'
const webhook = webhookWith({ events: ['video.created', 'video.published'], epoch: 3 })
const rowOf = (sequence: number, event: EventType = 'video.created'): JournalRow => ({
  id: `evt_${sequence}`,
  event,
  sequence,
  enteredAt: noon,
  createdAt: secondsAfter(noon, sequence),
})
const rows = [rowOf(1), rowOf(2, 'video.published'), rowOf(3, 'video.render_failed'), rowOf(4)]
const select = (range: Parameters<typeof replayRange>[1]) =>
  rows.filter((row) => isInRange(row, replayRange(webhook, range))).map(({ sequence }) => sequence)

describe('a range', () => {
  it('includes both ends, as numbers or as times, of what the endpoint subscribes to', () => {
    expect(select({ from: 1, to: 4 })).toEqual([1, 2, 4])
    expect(select({ from: 2, to: 2 })).toEqual([2])
    expect(select({ from: secondsAfter(noon, 2), to: secondsAfter(noon, 4) })).toEqual([2, 4])
    expect(select({ from: 2, to: secondsAfter(noon, 3.999) })).toEqual([2])
    expect(select({ from: 1, to: 4, events: ['video.created'] })).toEqual([1, 4])
  })

  it('is read by its numbers, and from the first to the last without them', () => {
    const read = (from: number | string, to: number | string) => sequencesOf({ from, to, types: [] })
    expect([read(5, 9), read(noon, 9), read(5, noon)]).toEqual([
      [4, 9],
      [0, 9],
      [4, Number.POSITIVE_INFINITY],
    ])
  })

  it('is refused where it ends before it begins, or names what the endpoint would not get', () => {
    expect(() => replayRange(webhook, { from: 5, to: 4 })).toThrow(expect.objectContaining({ code: 'invalid-request' }))
    expect(() => replayRange(webhook, { from: 1, to: 4, events: ['video.render_failed'] })).toThrow(
      expect.objectContaining({ code: 'conflict', message: expect.stringContaining('video.render_failed') }),
    )
    expect(() => replayRange(webhook, { from: 1, to: 4, events: ['video.filmed'] })).toThrow(
      expect.objectContaining({ code: 'warning-invalid-events' }),
    )
  })
})

describe('a replay', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => rowOf(index + 1))

  it('is queued in parts of a hundred', () => {
    const { deliveryReplays } = replayEvents(webhook, many(250), 'run_1', noon)
    expect(deliveryReplays!.map(({ cause, offset, eventIds }) => [cause, offset, eventIds.length])).toEqual([
      ['run_1#0', 0, 100],
      ['run_1#100', 100, 100],
      ['run_1#200', 200, 50],
    ])
    expect(deliveryReplays!.flatMap(({ eventIds }) => eventIds)).toEqual(many(250).map(({ id }) => id))
    expect(replayEvents(webhook, [], 'run_1', noon)).toMatchObject({
      ...{ workspaceId: 'wsp_1', at: noon, changes: [], deliveryReplays: [] },
    })
  })

  it('has at most a thousand events, and says where the next one would begin', () => {
    expect(replayEvents(webhook, many(1_000), 'run_1', noon).deliveryReplays).toHaveLength(10)
    const details = [{ path: 'body.to', message: expect.stringContaining('sequence 1000') }]
    expect(() => replayEvents(webhook, many(1_001), 'run_1', noon)).toThrow(
      expect.objectContaining({ code: 'invalid-request', extras: { details } }),
    )
  })

  it('is refused for a disabled endpoint', () => {
    expect(() => replayEvents({ ...webhook, enabled: false }, many(1), 'run_1', noon)).toThrow(
      expect.objectContaining({ code: 'conflict' }),
    )
  })
})

describe('the deliveries of a part', () => {
  const entry = (index: number) => ({ ...rowOf(index), payload: `{"sequence":${index}}` }) as JournalEntry
  const entries = Array.from({ length: 25 }, (_, index) => entry(index + 1))
  const part = { epoch: 3, cause: 'run_1#100', offset: 100, createdAt: noon }

  it('are ten a second, have ids that a repeat gives again, and the stored payloads', () => {
    const deliveries = replayDeliveries(webhook, part, entries, 1)
    expect(deliveries.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual(
      entries.map((_, index) => secondsAfter(noon, 10 + Math.floor(index / 10))),
    )
    expect(deliveries.map(({ payload }) => payload)).toEqual(entries.map(({ payload }) => payload))
    expect(replayDeliveries(webhook, part, entries, 1)).toEqual(deliveries)
    const other = replayDeliveries(webhook, { ...part, cause: 'run_2#100' }, entries, 1)
    expect(new Set([...deliveries, ...other].map(({ id }) => id)).size).toBe(50)
  })

  it('are none where the endpoint was disabled since', () => {
    expect(replayDeliveries({ ...webhook, epoch: 4 }, part, entries, 1)).toEqual([])
    expect(replayDeliveries({ ...webhook, enabled: false }, part, entries, 1)).toEqual([])
  })
})
