// Computes the next run of a schedule by the rules of EventBridge Scheduler:
// https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html

import { Cron } from 'croner'
import { namedError } from '../named-error.ts'

/** The timing of a stored schedule; dates in seconds since 1970, as on the wire. */
export interface ScheduleTiming {
  readonly ScheduleExpression: string
  readonly ScheduleExpressionTimezone?: string
  readonly StartDate?: number
  readonly EndDate?: number
  readonly CreationDate: number
}

const UNIT_MS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }

const invalid = (expression: string): Error =>
  namedError('ValidationException', `Invalid Schedule Expression ${expression}.`)

/**
 * The first run after `from`, both in ms since 1970; null if there is none. A run in the gap of a spring
 * change is skipped; a run in an autumn overlap happens once. Throws ValidationException for a bad expression or time zone.
 */
export function nextRun(timing: ScheduleTiming, from: number): number | null {
  const zone = timing.ScheduleExpressionTimezone ?? 'UTC'
  const [, kind, argument = ''] = /^(at|rate|cron)\((.*)\)$/.exec(timing.ScheduleExpression) ?? []
  const start = (timing.StartDate ?? 0) * 1000
  const next =
    kind === 'at'
      ? runAt(argument, zone, from)
      : kind === 'rate'
        ? runAtRate(argument, Math.max(start, timing.CreationDate * 1000), from)
        : kind === 'cron'
          ? runByCron(argument, zone, Math.max(from, start - 1))
          : undefined
  if (next === undefined) throw invalid(timing.ScheduleExpression)
  return next !== null && next <= (timing.EndDate ?? Number.POSITIVE_INFINITY) * 1000 ? next : null
}

function runAt(argument: string, zone: string, from: number): number | null | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(argument)) return undefined
  const at = instantOf(Date.parse(`${argument}Z`), zone)
  return at === undefined || at > from ? at : null
}

function runAtRate(argument: string, since: number, from: number): number | undefined {
  const [, count, unit = ''] = /^([1-9]\d*) (minute|hour|day)s?$/.exec(argument) ?? []
  if (count === undefined) return undefined
  const stepMs = Number(count) * UNIT_MS[unit]!
  return since + Math.max(0, Math.floor((from - since) / stepMs) + 1) * stepMs
}

function runByCron(argument: string, zone: string, from: number): number | null | undefined {
  const [minutes, hours, days, , weekdays, year] = argument.split(' ')
  if (year === undefined || (days === '?') === (weekdays === '?')) return undefined
  const cron = parseCron(`0 ${argument}`, zone)
  if (!cron) return undefined
  const time = new Cron(`0 ${minutes} ${hours} * * *`, { timezone: 'UTC' })
  for (let run = cron.nextRun(new Date(from)); run; run = cron.nextRun(run)) {
    // croner moves a run in a spring gap to the end of the gap, where the wall clock does not match the expression.
    if (time.match(new Date(wallClock(run.getTime(), zone)))) return run.getTime()
  }
  return null
}

function parseCron(pattern: string, zone: string): Cron | undefined {
  try {
    // EventBridge counts the days of the week from 1 for Sunday.
    return new Cron(pattern, { timezone: zone, alternativeWeekdays: true })
  } catch {
    return undefined
  }
}

/** The wall-clock time of the zone at an instant, encoded as if it were UTC, to the second. */
function wallClock(at: number, zone: string): number {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  return Date.UTC(part.year!, part.month! - 1, part.day, part.hour, part.minute, part.second)
}

/** The first instant with the wall-clock time `wall` in the zone; undefined in a spring gap. */
function instantOf(wall: number, zone: string): number | undefined {
  const DAY_MS = 86_400_000
  // Only the offsets of the day before and the day after are possible.
  for (const near of [wall - DAY_MS, wall + DAY_MS]) {
    const at = wall - (wallClock(near, zone) - near)
    if (wallClock(at, zone) === wall) return at
  }
  return undefined
}
