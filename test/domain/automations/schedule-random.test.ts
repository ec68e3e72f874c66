import { describe, expect, it } from 'vitest'
import { slotsAfter } from '../../../lib/domain/automations/slot-times.ts'
import type { Schedule } from '../../../lib/domain/records/schedule.ts'
import type { Slot } from '../../../lib/domain/records/slot.ts'
import { automationId, dailyAt, timesOn, toIso } from '../support/schedules.ts'

describe('a random slot', () => {
  const seeds = Array.from({ length: 1_200 }, (_, number) => `vid_${number}`)
  /** How often each minute from an instant on is drawn for the first slot after it, over many automations. */
  function drawn(start: string, schedule: Schedule): number[] {
    const counts: number[] = []
    for (const seed of seeds) {
      const [slot] = slotsAfter(schedule, seed, toIso(Date.parse(start) - 1), 1)
      const minute = (Date.parse(slot!.at) - Date.parse(start)) / 60_000
      counts[minute] = (counts[minute] ?? 0) + 1
    }
    return counts
  }
  /**
   * Pearson's chi-squared statistic against the uniform distribution; its expected value is the number of cells minus
   * one.
   */
  const unevenness = (counts: number[]) => {
    const mean = seeds.length / counts.length
    return Array.from(counts, (count) => count ?? 0).reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0)
  }

  it('is distributed uniformly over the 60 minutes from its time on', () => {
    const counts = drawn('2026-11-21T09:00:00.000Z', dailyAt('UTC', '~09:00'))
    expect(counts.length).toBe(60)
    expect(unevenness(counts)).toBeLessThan(99)
  })

  it.each(['09:10', '~09:10'])('is before the next slot of the day, %s', (next) => {
    const counts = drawn('2026-11-21T09:00:00.000Z', dailyAt('UTC', next, '~09:00'))
    expect(counts.length).toBe(10)
    expect(unevenness(counts)).toBeLessThan(28)
  })

  it('stays on its local day', () => {
    expect(drawn('2026-11-21T23:30:00.000Z', dailyAt('UTC', '~23:30')).length).toBe(30)
    expect(timesOn('2026-11-21', dailyAt('UTC', '~23:59'))).toEqual(['2026-11-21T23:59:00.000Z'])
  })

  it.each([
    ['Europe/Paris', '~01:30'],
    ['America/Scoresbysund', '~22:30'],
  ])('is at a minute that exists in %s, if any minute of the hour from %s exists', (timezone, time) => {
    const counts = drawn('2026-03-29T00:30:00.000Z', dailyAt(timezone, time))
    expect(counts.length).toBe(30)
    expect(unevenness(counts)).toBeLessThan(58)
  })

  it('is at the first valid instant when none of its minutes exists', () => {
    for (const seed of seeds.slice(0, 20))
      expect(timesOn('2026-03-29', dailyAt('Europe/Paris', '~02:00'), seed)).toEqual(['2026-03-29T01:00:00.000Z'])
  })

  it('does not move when the schedule gets another slot before or after it', () => {
    const [drawn] = timesOn('2026-11-21', dailyAt('UTC', '~09:00'))
    for (const more of [['07:00'], ['~18:00'], ['07:00', '10:00']])
      expect(timesOn('2026-11-21', dailyAt('UTC', '~09:00', ...more))).toContain(drawn)
  })

  it('is deterministic for an automation, a date and a time, and differs for others', () => {
    const schedule = dailyAt('UTC', '~09:00', '~15:00')
    const days = slotsAfter(schedule, automationId, '2026-11-21T00:00:00.000Z', 20)
    for (const [nth, slot] of days.entries())
      expect(slotsAfter(schedule, automationId, toIso(Date.parse(slot.at) - 1), 1)).toEqual([days[nth]])
    const minutes = (slots: Slot[]) => slots.map(({ at }) => at.slice(14, 16))
    expect(new Set(minutes(days)).size).toBeGreaterThan(10)
    expect(minutes(slotsAfter(schedule, 'vid_2', '2026-11-21T00:00:00.000Z', 20))).not.toEqual(minutes(days))
  })
})
