/** What calls functions at set times: one-time schedules, and sweeps by the minute. */
import { duePartitions, sweptLanes } from '../../../lib/store/core/keys.ts'
import { PortFailure } from './failure.ts'
import type { Faults } from './faults.ts'
import type { Random } from './random.ts'
import type { Schedule } from './schedule.ts'
import type { Table } from './table.ts'

interface TriggersDeps {
  schedule: Schedule
  random: Random
  faults: Faults
  table: Table
  /** Calls a function by its name. */
  invoke: (name: string, event: unknown, timeoutMs?: number) => Promise<unknown>
}

const minuteMs = 60_000
const tokenSweepMs = 15 * minuteMs

export function createTriggers({ schedule, random, faults, table, invoke }: TriggersDeps) {
  const schedules = new Set<string>()

  function createScheduleOnce({
    Name,
    ScheduleExpression,
    Target,
  }: {
    Name: string
    ScheduleExpression: string
    Target: { Input: string }
  }) {
    if (schedules.has(Name)) throw new PortFailure('ConflictException', 'The schedule exists.')
    schedules.add(Name)
    const at = Date.parse(`${/^at\((.*)\)$/.exec(ScheduleExpression)![1]}Z`)
    const times = faults.happens('scheduleLost') ? 0 : faults.happens('scheduleTwice') ? 2 : 1
    for (let time = 0; time < times; time++) {
      const late = faults.happens('scheduleLate') ? random.integer(0, 40 * minuteMs) : random.integer(0, 1_000)
      schedule.at(at + late, () => void invoke('workers/run-due-slot', JSON.parse(Target.Input)).catch(() => {}))
    }
    return {}
  }

  const swept = new Set(duePartitions(sweptLanes))
  const refreshed = new Set(duePartitions(['tokens']))
  const running = { sweep: 0, refresh: 0 }

  /** A sweep with nothing due would find nothing: the next one is that of the first due row. */
  function sweepAt(kind: 'sweep' | 'refresh', everyMs: number, at: number): void {
    schedule.at(at, async () => {
      const due = table.nextDue((shard) => (kind === 'sweep' ? swept : refreshed).has(shard))
      if (due !== undefined && due < schedule.now() && !faults.happens('sweepLost')) {
        const times = faults.happens('sweepTwice') ? 2 : 1
        for (let time = 0; time < times; time++) {
          running[kind]++
          void invoke(
            kind === 'sweep' ? 'workers/sweep' : 'workers/refresh-tokens',
            {},
            kind === 'sweep' ? 60_000 : 180_000,
          )
            .catch(() => {})
            .finally(() => running[kind]--)
        }
      }
      const next = Math.ceil(Math.max(schedule.now() + 1, due ?? 0) / everyMs) * everyMs
      sweepAt(kind, everyMs, due === undefined ? schedule.now() + everyMs : Math.max(next, schedule.now() + 1))
    })
  }

  return {
    operations: { CreateSchedule: createScheduleOnce },
    startSweeping(): void {
      sweepAt('sweep', minuteMs, schedule.now() + random.integer(0, minuteMs))
      sweepAt('refresh', tokenSweepMs, schedule.now() + tokenSweepMs)
    },
    /** Whether no sweep runs, and nothing will be due before `horizon`. */
    isIdle(horizon: number): boolean {
      if (running.sweep + running.refresh > 0) return false
      const due = table.nextDue((shard) => swept.has(shard) || refreshed.has(shard))
      return due === undefined || due > horizon
    },
  }
}
