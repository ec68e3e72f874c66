/** The timing block of an automation: what is accepted, what is refused, and which path a refusal names. */
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { scheduleRequest } from '../../lib/contract/requests/schedule.ts'
import { route } from '../../lib/contract/route.ts'
import { defaultSchedule, slotsPerFrequency, weekdays } from '../../lib/domain/records/schedule.ts'
import { parseRow, refusalOfRow } from './parse-request.ts'

const row = route({
  signature: 'PATCH /automations/{id}',
  handler: 'automations/edit',
  summary: 'Change when it publishes',
  returns: v.object({}),
  body: v.object({ schedule: scheduleRequest }),
})
const taken = (schedule: unknown) => (parseRow(row, { body: { schedule } }).body as { schedule: unknown }).schedule
const detailsOf = (schedule: unknown) => refusalOfRow(row, { body: { schedule } })?.details

const daily = { frequency: 'daily', timezone: 'Europe/Paris', times: [{ time: '09:00', mode: 'fixed' }] }
const twiceDaily = { ...daily, frequency: 'twice-daily' }
const twiceWeekly = { frequency: 'twice-weekly', timezone: 'Europe/Paris' }

describe('a schedule is accepted', () => {
  it('in full, and read back unchanged', () => {
    expect(taken(defaultSchedule)).toEqual(defaultSchedule)
  })

  it.each(Object.entries(slotsPerFrequency))('with exactly the slots of %s', (frequency, { list, count }) => {
    const slots = Array.from({ length: 4 }, (_, hour) => ({ day: weekdays[hour], time: `0${hour}:00` }))
    const holding = (items: number) => ({ frequency, timezone: 'UTC', [list]: slots.slice(0, items) })
    expect(taken(holding(count))).toMatchObject({ frequency, [list]: { length: count } })
    for (const items of [0, 1, 2, 3, 4].filter((number) => number !== count))
      expect(detailsOf(holding(items))).toMatchObject([{ path: `body.schedule.${list}` }])
  })

  it.each([{}, { days: null }, { days: [] }])('with the other list absent, null or empty: %j', (days) => {
    expect(taken({ ...daily, ...days })).toEqual({ ...daily, days: [] })
  })

  it('without modes, which default to fixed, and without unknown keys', () => {
    expect(taken({ ...daily, times: [{ time: '09:00', mode: null, colour: 'red' }], nextScheduledAt: null })).toEqual({
      ...daily,
      days: [],
    })
  })

  it('in any order, and stored in that of the week', () => {
    const slot = (day: string, time: string) => ({ day, time, mode: 'random' })
    const [monday, tuesday, early] = [slot('monday', '21:00'), slot('tuesday', '07:00'), slot('monday', '00:00')]
    expect(taken({ ...twiceWeekly, frequency: 'thrice-weekly', days: [tuesday, monday, early] })).toMatchObject({
      times: [],
      days: [early, monday, tuesday],
    })
    const times = [{ time: '23:59' }, { time: '00:00' }]
    expect(taken({ ...twiceDaily, times })).toMatchObject({ times: times.toReversed() })
  })

  it('with the same time on two days', () => {
    const days = [
      { day: 'monday', time: '09:00', mode: 'fixed' },
      { day: 'friday', time: '09:00', mode: 'fixed' },
    ]
    expect(taken({ ...twiceWeekly, days })).toMatchObject({ days })
  })

  it.each(['Asia/Calcutta', 'Asia/Kolkata', 'Etc/GMT+5', 'UTC'])(
    'in the zone %s, with the name unchanged',
    (timezone) => {
      expect(taken({ ...daily, timezone })).toMatchObject({ timezone })
    },
  )
})

describe('400: a schedule', () => {
  it.each(['+02:00', 'Europe/Atlantis', 'PST', ''])('in the zone "%s"', (timezone) => {
    expect(detailsOf({ ...daily, timezone })).toEqual([
      { path: 'body.schedule.timezone', message: 'must be an IANA time zone' },
    ])
  })

  it('that is incomplete', () => {
    expect(detailsOf({ times: daily.times })).toEqual([
      expect.objectContaining({ path: 'body.schedule.frequency', message: 'is missing' }),
      { path: 'body.schedule.timezone', message: 'is missing' },
    ])
    expect(detailsOf([])).toEqual([{ path: 'body.schedule', message: 'must be an object' }])
  })

  it('that sets the list of another frequency', () => {
    expect(detailsOf({ ...daily, days: [{ day: 'monday', time: '09:00' }] })).toEqual([
      { path: 'body.schedule.days', message: 'must be empty where the frequency is daily' },
    ])
  })

  it.each(['9:00', '24:00', '09:60', '09:00:00', ' 09:00', '09:00\n', '٠٩:٠٠', 540, null])(
    'with the time %j',
    (time) => {
      expect(detailsOf({ ...twiceDaily, times: [{ time: '08:00' }, { time }] })).toMatchObject([
        { path: 'body.schedule.times.1.time' },
      ])
    },
  )

  it('with an unknown frequency, mode or day, and names the valid ones', () => {
    const days = [{ day: 'Monday', time: '09:00', mode: 'often' }]
    expect(detailsOf({ frequency: 'hourly', timezone: 'UTC', days })).toMatchObject([
      { path: 'body.schedule.frequency', allowed: Object.keys(slotsPerFrequency) },
      { path: 'body.schedule.days.0.day', allowed: weekdays },
      { path: 'body.schedule.days.0.mode', allowed: ['fixed', 'random'] },
    ])
  })

  it('with two slots at the same time', () => {
    expect(detailsOf({ ...twiceDaily, times: [{ time: '09:00' }, { time: '09:00', mode: 'random' }] })).toEqual([
      { path: 'body.schedule.times.1.time', message: 'duplicates an earlier slot' },
    ])
    const slot = { day: 'monday', time: '09:00' }
    expect(detailsOf({ ...twiceWeekly, days: [slot, slot] })).toMatchObject([{ path: 'body.schedule.days.1.time' }])
  })
})
