/**
 * The expected slots of a schedule, found by walking every minute of a zone with the offsets of `Intl`. It shares no
 * code with the implementation under test.
 */
import type { Schedule, SlotTime } from '../../../lib/domain/records/schedule.ts'
import { weekdays } from '../../../lib/domain/records/schedule.ts'
import type { SlotId } from '../../../lib/domain/records/slot.ts'

const minuteMs = 60_000
export const dayMs = 1_440 * minuteMs
/** The largest UTC offset, and the largest distance that the searches of the tests cover. */
const marginMs = 3 * dayMs

export interface ZoneClock {
  timezone: string
  /**
   * The first instant at which a local minute occurs, or the end of the gap that contains it. Local times are written
   * as if they were UTC.
   */
  firstAt: (localMs: number) => number
  isShown: (localMs: number) => boolean
  /** The local times before and after every clock change. */
  changes: number[]
}

/** The clock of a zone between two UTC midnights. */
export function zoneClock(timezone: string, fromMs: number, toMs: number): ZoneClock {
  const start = fromMs - marginMs
  const offsets = offsetsOf(timezone, start, toMs + marginMs)
  const first = new Float64Array((toMs - fromMs + 2 * marginMs) / minuteMs)
  for (const [place, { since, offsetMs }] of offsets.entries()) {
    const until = offsets[place + 1]?.since ?? toMs + marginMs
    for (let ms = since; ms < until; ms += minuteMs) {
      const minute = (ms + offsetMs - start) / minuteMs
      first[minute] ||= ms
    }
  }
  const shown = Uint8Array.from(first, (ms) => (ms > 0 ? 1 : 0))
  for (let minute = first.length - 2; minute >= 0; minute--) first[minute] ||= first[minute + 1]!
  const minuteOf = (localMs: number) => (localMs - start) / minuteMs
  return {
    timezone,
    firstAt: (localMs) => first[minuteOf(localMs)]!,
    isShown: (localMs) => shown[minuteOf(localMs)] === 1,
    changes: offsets
      .slice(1)
      .flatMap(({ since, offsetMs }, place) => [since + offsets[place]!.offsetMs, since + offsetMs])
      .filter((localMs) => localMs >= fromMs && localMs < toMs),
  }
}

/** The instants from which each offset holds: searched every six hours, then to the minute. */
function offsetsOf(timezone: string, fromMs: number, toMs: number): { since: number; offsetMs: number }[] {
  const format = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' })
  const offsetAt = (ms: number) => {
    const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?$/.exec(format.format(ms))!
    return sign ? Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * minuteMs : 0
  }
  const found = [{ since: fromMs, offsetMs: offsetAt(fromMs) }]
  for (let before = fromMs; before < toMs; before += dayMs / 4) {
    let after = before + dayMs / 4
    const { offsetMs } = found.at(-1)!
    if (offsetAt(after) === offsetMs) continue
    for (let low = before; after - low > minuteMs; ) {
      const middle = low + Math.floor((after - low) / 2 / minuteMs) * minuteMs
      if (offsetAt(middle) === offsetMs) low = middle
      else after = middle
    }
    found.push({ since: after, offsetMs: offsetAt(after) })
  }
  return found
}

/** An expected slot with the instants at which it may be: only one if it is fixed. */
export interface ExpectedSlot extends SlotId {
  allowed: number[]
}

/** The slots of a range of local dates, end exclusive; both dates are UTC midnights. */
export function expectedSlots(schedule: Schedule, clocks: ZoneClock, fromMs: number, toMs: number): ExpectedSlot[] {
  const slots: ExpectedSlot[] = []
  for (let midnight = fromMs; midnight < toMs; midnight += dayMs) {
    const weekday = weekdays[(new Date(midnight).getUTCDay() + 6) % 7]
    const ofDay: SlotTime[] = schedule.frequency.endsWith('daily')
      ? schedule.times
      : schedule.days.filter(({ day }) => day === weekday)
    const starts = ofDay.map(({ time }) => Date.parse(`1970-01-01T${time}Z`)).toSorted((a, b) => a - b)
    for (const [index, start] of starts.entries()) {
      const { mode } = ofDay.find(({ time }) => Date.parse(`1970-01-01T${time}Z`) === start)!
      const end = Math.min(start + (mode === 'random' ? 60 * minuteMs : minuteMs), starts[index + 1] ?? dayMs)
      const minutes = Array.from(
        { length: (end - start) / minuteMs },
        (_, minute) => midnight + start + minute * minuteMs,
      )
      const shown = minutes.filter(clocks.isShown)
      slots.push({
        date: new Date(midnight).toISOString().slice(0, 10),
        index,
        allowed: (shown.length > 0 ? shown : minutes.slice(0, 1)).map(clocks.firstAt),
      })
    }
  }
  return slots
}
