/** How clock changes affect slots, and how an edited schedule selects the next one. */
import { describe, expect, it } from 'vitest'
import { cursorAfterEdit, nextSlotAfter, slotsAfter, slotsBetween } from '../../../lib/domain/automations/slot-times.ts'
import type { Schedule } from '../../../lib/domain/records/schedule.ts'
import { defaultSchedule, isTimeZone } from '../../../lib/domain/records/schedule.ts'
import { automationId, dailyAt, slotsOn, timesOn } from '../support/schedules.ts'

describe('slots', () => {
  it('of the default schedule are at 09:00 UTC every day, strictly after the instant', () => {
    expect(slotsAfter(defaultSchedule, automationId, '2026-11-21T09:00:00.000Z', 2)).toEqual([
      { date: '2026-11-22', index: 0, at: '2026-11-22T09:00:00.000Z' },
      { date: '2026-11-23', index: 0, at: '2026-11-23T09:00:00.000Z' },
    ])
    expect(slotsAfter(defaultSchedule, automationId, '2026-11-21T08:59:59.999Z', 1)[0]!.date).toBe('2026-11-21')
  })

  it('of a day are numbered by their time, whatever their order in the schedule', () => {
    expect(slotsOn('2026-07-01', dailyAt('Asia/Kathmandu', '18:30', '00:00', '09:15'))).toEqual([
      { date: '2026-07-01', index: 0, at: '2026-06-30T18:15:00.000Z' },
      { date: '2026-07-01', index: 1, at: '2026-07-01T03:30:00.000Z' },
      { date: '2026-07-01', index: 2, at: '2026-07-01T12:45:00.000Z' },
    ])
  })

  it('of a week are on their local days, those of one day numbered by their time', () => {
    const schedule: Schedule = {
      frequency: 'thrice-weekly',
      timezone: 'Pacific/Auckland',
      times: [],
      days: [
        { day: 'sunday', time: '08:00', mode: 'fixed' },
        { day: 'monday', time: '20:00', mode: 'fixed' },
        { day: 'monday', time: '07:30', mode: 'fixed' },
      ],
    }
    expect(slotsBetween(schedule, automationId, '2026-06-01T12:00:00.000Z', '2026-06-14T12:00:00.000Z')).toEqual([
      { date: '2026-06-07', index: 0, at: '2026-06-06T20:00:00.000Z' },
      { date: '2026-06-08', index: 0, at: '2026-06-07T19:30:00.000Z' },
      { date: '2026-06-08', index: 1, at: '2026-06-08T08:00:00.000Z' },
      { date: '2026-06-14', index: 0, at: '2026-06-13T20:00:00.000Z' },
    ])
  })

  it('between two instants are those after the first and up to the second', () => {
    const between = (from: string, to: string) =>
      slotsBetween(defaultSchedule, automationId, from, to).map(({ date }) => date)
    expect(between('2026-11-21T09:00:00.000Z', '2026-11-22T09:00:00.000Z')).toEqual(['2026-11-22'])
    expect(between('2026-11-21T09:00:00.000Z', '2026-11-22T08:59:59.999Z')).toEqual([])
    expect(between('2026-11-22T09:00:00.000Z', '2026-11-21T09:00:00.000Z')).toEqual([])
  })

  it('are empty for an empty schedule, which has no next slot either', () => {
    const empty = { ...defaultSchedule, times: [] }
    expect(slotsAfter(empty, automationId, '2026-11-21T09:00:00.000Z', 1)).toEqual([])
    expect(() => nextSlotAfter(empty, automationId, '2026-11-21T09:00:00.000Z', null)).toThrow('without slots')
  })
})

describe('a local time that does not exist moves to the first valid instant', () => {
  it.each([
    ['Paris, an hour', 'Europe/Paris', '2026-03-29', '02:30', '2026-03-29T01:00:00.000Z'],
    ['Paris, its first minute', 'Europe/Paris', '2026-03-29', '02:00', '2026-03-29T01:00:00.000Z'],
    ['Paris, the minute before', 'Europe/Paris', '2026-03-29', '01:59', '2026-03-29T00:59:00.000Z'],
    ['Lord Howe, half an hour', 'Australia/Lord_Howe', '2026-10-04', '02:15', '2026-10-03T15:30:00.000Z'],
    ['Havana, no midnight', 'America/Havana', '2026-03-08', '00:00', '2026-03-08T05:00:00.000Z'],
    ['Azores, no midnight', 'Atlantic/Azores', '2026-03-29', '00:10', '2026-03-29T01:00:00.000Z'],
    ['Beirut, no midnight', 'Asia/Beirut', '2026-03-29', '00:59', '2026-03-28T22:00:00.000Z'],
    ['Cairo, no midnight', 'Africa/Cairo', '2026-04-24', '00:00', '2026-04-23T22:00:00.000Z'],
    ['Asunción, no midnight', 'America/Asuncion', '2023-10-01', '00:30', '2023-10-01T04:00:00.000Z'],
    ['Scoresbysund, no end of the day', 'America/Scoresbysund', '2026-03-28', '23:15', '2026-03-29T01:00:00.000Z'],
    ['Apia, no day', 'Pacific/Apia', '2011-12-30', '09:00', '2011-12-30T10:00:00.000Z'],
  ])('%s', (_case, timezone, date, time, at) => {
    expect(timesOn(date, dailyAt(timezone, time))).toEqual([at])
  })
})

describe('a local time that occurs twice is used once, the first time', () => {
  it.each([
    ['Paris', 'Europe/Paris', '2026-10-25', '02:30', '2026-10-25T00:30:00.000Z'],
    ['Lord Howe', 'Australia/Lord_Howe', '2026-04-05', '01:45', '2026-04-04T14:45:00.000Z'],
    ['Havana, midnight', 'America/Havana', '2026-11-01', '00:00', '2026-11-01T04:00:00.000Z'],
    ['Azores, midnight', 'Atlantic/Azores', '2026-10-25', '00:30', '2026-10-25T00:30:00.000Z'],
    ['São Paulo, the hour before midnight', 'America/Sao_Paulo', '2018-02-17', '23:30', '2018-02-18T01:30:00.000Z'],
    ['São Paulo, the midnight behind it', 'America/Sao_Paulo', '2018-02-18', '00:00', '2018-02-18T03:00:00.000Z'],
  ])('%s', (_case, timezone, date, time, at) => {
    expect(timesOn(date, dailyAt(timezone, time))).toEqual([at])
  })

  it('is also used once when the search starts between the two', () => {
    const [next] = slotsAfter(dailyAt('Europe/Paris', '02:30'), automationId, '2026-10-25T00:45:00.000Z', 1)
    expect(next).toEqual({ date: '2026-10-26', index: 0, at: '2026-10-26T01:30:00.000Z' })
  })
})

describe('the slot after the last used one', () => {
  it('is the first one after now when the schedule is edited on its day, and not the same one again', () => {
    const used = { date: '2026-11-21', index: 0, at: '2026-11-21T09:00:00.000Z' }
    const now = '2026-11-21T09:10:00.000Z'
    const before = dailyAt('UTC', '09:00')
    const nextOf = (schedule: Schedule) =>
      nextSlotAfter(schedule, automationId, now, cursorAfterEdit(schedule, before, automationId, now, used)).at
    expect(nextOf(dailyAt('UTC', '18:00'))).toBe('2026-11-21T18:00:00.000Z')
    expect(nextOf(dailyAt('UTC', '07:00', '09:00', '11:00'))).toBe('2026-11-21T11:00:00.000Z')
    expect(nextOf(dailyAt('Pacific/Honolulu', '23:00'))).toBe('2026-11-22T09:00:00.000Z')
    // At the drawn minute it would still be upcoming, but it was used.
    const [drawn] = timesOn('2026-11-21', dailyAt('UTC', '~09:00'))
    expect(drawn! > now).toBe(true)
    expect(nextOf(dailyAt('UTC', '~09:00')).slice(0, 13)).toBe('2026-11-22T09')
    expect(nextOf(dailyAt('UTC', '~09:00', '18:00'))).toBe('2026-11-21T18:00:00.000Z')
  })

  it('is upcoming after two edits in a row, although the first kept a used slot whose minute is now later', () => {
    const now = '2026-10-26T09:28:00.000Z'
    const schedules = [dailyAt('UTC', '~09:20', '09:45'), dailyAt('UTC', '~09:20'), dailyAt('UTC', '~09:00')] as const
    const [used] = slotsOn('2026-10-26', schedules[0])
    const [first, second] = [slotsOn('2026-10-26', schedules[1])[0]!, slotsOn('2026-10-26', schedules[2])[0]!]
    expect([used!.at <= now, now < second.at, second.at < first.at]).toEqual([true, true, true])
    const kept = cursorAfterEdit(schedules[1], schedules[0], automationId, now, used!)
    expect(nextSlotAfter(schedules[1], automationId, now, kept).date).toBe('2026-10-27')
    const cursor = cursorAfterEdit(schedules[2], schedules[1], automationId, now, kept)
    expect(nextSlotAfter(schedules[2], automationId, now, cursor)).toEqual(second)
  })

  it('stays used after an edit if it was triggered early', () => {
    const now = '2026-11-21T08:00:00.000Z'
    const triggered = { date: '2026-11-21', index: 0, at: '2026-11-21T09:00:00.000Z' }
    const after = dailyAt('UTC', '08:30', '09:00', '12:00')
    const cursor = cursorAfterEdit(after, dailyAt('UTC', '09:00'), automationId, now, triggered)
    expect(nextSlotAfter(after, automationId, now, cursor).at).toBe('2026-11-21T12:00:00.000Z')
  })

  it("uses the schedule's time of a slot whose time an earlier version did not record", () => {
    const used = { date: '2026-11-21', index: 0 }
    const now = '2026-11-21T10:00:00.000Z'
    expect(nextSlotAfter(dailyAt('UTC', '18:00'), automationId, now, used).at).toBe('2026-11-22T18:00:00.000Z')
    expect(nextSlotAfter(dailyAt('UTC', '11:00', '18:00'), automationId, now, used).at).toBe('2026-11-21T18:00:00.000Z')
    expect(cursorAfterEdit(dailyAt('UTC', '18:00'), dailyAt('UTC', '09:00'), automationId, now, used)).toEqual({
      ...used,
      at: '2026-11-21T09:00:00.000Z',
    })
  })

  it('is after now, however long ago the last one was', () => {
    const next = nextSlotAfter(defaultSchedule, automationId, '2026-11-21T09:00:00.000Z', {
      date: '2024-01-01',
      index: 0,
    })
    expect(next.at).toBe('2026-11-22T09:00:00.000Z')
    const strictly = nextSlotAfter(defaultSchedule, automationId, '2026-11-21T09:00:00.000Z', {
      date: '2026-11-20',
      index: 0,
    })
    expect(strictly.at).toBe('2026-11-22T09:00:00.000Z')
  })

  it.each([
    [
      'of one day',
      dailyAt('Europe/Paris', '02:10', '02:30', '03:00'),
      '2026-03-29T00:00:00.000Z',
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'of two days',
      dailyAt('America/Scoresbysund', '00:00', '23:10', '23:50'),
      '2026-03-28T12:00:00.000Z',
      '2026-03-29T01:00:00.000Z',
    ],
  ])('has the same instant when a clock change skips both: %s', (_case, schedule, from, at) => {
    const first = nextSlotAfter(schedule, automationId, from, null)
    const second = nextSlotAfter(schedule, automationId, first.at, first)
    const third = nextSlotAfter(schedule, automationId, second.at, second)
    expect([first.at, second.at, third.at]).toEqual([at, at, at])
    expect(nextSlotAfter(schedule, automationId, third.at, third).at > at).toBe(true)
  })
})

describe('a time zone', () => {
  it.each([
    'UTC',
    'Europe/Paris',
    'Asia/Calcutta',
    'Asia/Kolkata',
    'US/Eastern',
    'Etc/GMT+5',
    'America/Port-au-Prince',
  ])('accepts %s', (name) => expect(isTimeZone(name)).toBe(true))
  it.each([
    '+02:00',
    '-05',
    'Z',
    'PST',
    'GMT+2',
    'Europe/Atlantis',
    'Etc/Unknown',
    '',
    ' UTC',
    '2026-01-01T00:00[UTC]',
  ])('rejects "%s"', (name) => expect(isTimeZone(name)).toBe(false))
})
