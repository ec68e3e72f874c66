/** The slots of all active automations in the next weeks, in a time zone of choice. */
import { useState } from 'preact/hooks'
import type { AutomationItem } from '../../../packages/client/index.js'
import { Empty, Select } from '../components.tsx'
import { useQuery } from '../queries.ts'
import { type CalendarSlot, localTime, slotsBetween, startOfDay } from '../schedule.ts'

const weeks = 5
const dayMs = 86_400_000
const idleMs = 60_000
const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone

const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' })
const dayFormat = format({ weekday: 'long', day: 'numeric', month: 'long' })
const weekdayFormat = format({ weekday: 'short' })
const numberFormat = format({ day: 'numeric' })
const monthFormat = format({ day: 'numeric', month: 'short' })
const timeFormat = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

interface Shown extends CalendarSlot {
  automation: AutomationItem
  /** In the chosen zone, as if it was UTC. */
  local: number
}

export function Calendar({ automations }: { automations: AutomationItem[] }) {
  const [zone, setZone] = useState(browserZone)
  const active = automations.filter(({ status }) => status === 'active')
  const upcoming = useUpcoming(active)
  if (active.length === 0)
    return (
      <Empty title="No automation is active">
        <p>The calendar shows when active automations publish.</p>
      </Empty>
    )
  const zones = [...new Set([browserZone, ...active.map(({ schedule }) => schedule.timezone), 'UTC'])]
  const today = startOfDay(Date.now(), zone)
  // Weeks start on Monday: 5 January 1970 was one.
  const monday = today - ((((today / dayMs - 4) % 7) + 7) % 7) * dayMs
  const end = monday + weeks * 7 * dayMs
  const slots: Shown[] = active
    .flatMap((automation) =>
      slotsBetween(automation.schedule, upcoming.get(automation.id) ?? [], Date.now() - dayMs, end + dayMs).map(
        (slot) => ({
          ...slot,
          automation,
          local: localTime(slot.at, zone),
        }),
      ),
    )
    .toSorted((a, b) => a.at - b.at)
  const days = Array.from({ length: weeks * 7 }, (_, index) => monday + index * dayMs)
  return (
    <div class="stack">
      <div class="zone">
        <Select
          label="Time zone"
          value={zone}
          options={zones.map((name) => [name, name === browserZone ? `${name} (this browser)` : name] as const)}
          onChange={setZone}
        />
      </div>
      <div class="calendar-head" aria-hidden="true">
        {days.slice(0, 7).map((day) => (
          <span key={day}>{weekdayFormat.format(day)}</span>
        ))}
      </div>
      <ol class="calendar" aria-label={`Slots of the next ${weeks} weeks, times in ${zone}`}>
        {days.map((day) => {
          const ofDay = slots.filter(({ local }) => local >= day && local < day + dayMs)
          return (
            <li
              key={day}
              class={[day < today && 'past', day === today && 'today', ofDay.length === 0 && 'free']
                .filter(Boolean)
                .join(' ')}
            >
              <h2>
                <span class="hidden">{dayFormat.format(day)}</span>
                <span class="short" aria-hidden="true">
                  {new Date(day).getUTCDate() === 1 || day === monday
                    ? monthFormat.format(day)
                    : numberFormat.format(day)}
                </span>
                <span class="long" aria-hidden="true">
                  {dayFormat.format(day)}
                </span>
              </h2>
              <ul>
                {ofDay.map(({ at, local, isApproximate, automation }) => (
                  <li key={`${automation.id} ${at}`}>
                    <a
                      href={`/automations/${automation.id}`}
                      title={automation.title}
                      data-at={new Date(at).toISOString()}
                    >
                      <time dateTime={new Date(at).toISOString()}>
                        {isApproximate && '~'}
                        {timeFormat.format(local)}
                      </time>{' '}
                      {automation.title}
                    </a>
                  </li>
                ))}
              </ul>
            </li>
          )
        })}
      </ol>
      <p class="muted">A time with ~ is the start of the hour in which a random minute is chosen.</p>
    </div>
  )
}

/** The next slots of each automation, as the service announces them. */
function useUpcoming(automations: AutomationItem[]): Map<string, string[]> {
  const ids = automations.map(({ id }) => id)
  const { data } = useQuery(
    `automations upcoming ${ids.join(' ')}`,
    async (client, options) => {
      const found = new Map<string, string[]>()
      // One after the other: a workspace may have a hundred of them, and shares its limit of requests with programs.
      for (const id of ids) found.set(id, (await client.automations.health(id, options)).upcoming)
      return found
    },
    () => idleMs,
  )
  return data ?? new Map()
}
