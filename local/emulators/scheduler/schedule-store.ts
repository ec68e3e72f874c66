// Schedules and their pending invocations in SQLite. An invocation is stored in the transaction that advances its schedule, and is
// deleted once it has succeeded or exhausted its retries, so a crash loses none.

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ScheduleTiming } from './next-run.ts'

export interface Target {
  readonly Arn: string
  readonly RoleArn: string
  readonly Input?: string
  readonly RetryPolicy?: { readonly MaximumRetryAttempts?: number; readonly MaximumEventAgeInSeconds?: number }
}

export interface Schedule extends ScheduleTiming {
  readonly Name: string
  readonly GroupName: string
  readonly Arn: string
  readonly State: 'ENABLED' | 'DISABLED'
  readonly Target: Target
  readonly ActionAfterCompletion?: 'NONE' | 'DELETE'
  readonly LastModificationDate: number
}

/** One run of a schedule: planned for `plannedAt`, next attempt at `due` (ms), after `attempts` attempts. */
export interface Invocation {
  readonly id: number
  readonly schedule: Schedule
  readonly plannedAt: number
  readonly due: number
  readonly attempts: number
}

export type ScheduleStore = ReturnType<typeof openScheduleStore>

export function openScheduleStore(directory: string) {
  const database = new DatabaseSync(join(directory, 'schedules.sqlite'))
  database.exec(`
    PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS groups (name TEXT PRIMARY KEY);
    INSERT OR IGNORE INTO groups VALUES ('default');
    CREATE TABLE IF NOT EXISTS schedules (groupName TEXT, name TEXT, json TEXT NOT NULL, next REAL, PRIMARY KEY (groupName, name));
    CREATE INDEX IF NOT EXISTS by_next ON schedules (next);
    CREATE TABLE IF NOT EXISTS invocations (
      id INTEGER PRIMARY KEY, json TEXT NOT NULL, plannedAt REAL NOT NULL, due REAL NOT NULL, attempts INTEGER NOT NULL DEFAULT 0);`)
  const hasGroup = database.prepare('SELECT 1 FROM groups WHERE name = ?')
  const addGroup = database.prepare('INSERT INTO groups VALUES (?)')
  const find = database.prepare('SELECT json FROM schedules WHERE groupName = ? AND name = ?')
  const put = database.prepare('INSERT OR REPLACE INTO schedules VALUES (?, ?, ?, ?)')
  const remove = database.prepare('DELETE FROM schedules WHERE groupName = ? AND name = ?')
  const list = database.prepare(
    'SELECT json FROM schedules WHERE groupName = COALESCE(?, groupName) AND instr(name, ?) = 1 ORDER BY name',
  )
  const due = database.prepare('SELECT json, next FROM schedules WHERE next <= ?')
  const addInvocation = database.prepare('INSERT INTO invocations (json, plannedAt, due) VALUES (?, ?, ?)')
  const dueInvocations = database.prepare('SELECT * FROM invocations WHERE due <= ? ORDER BY due')
  const retry = database.prepare('UPDATE invocations SET attempts = attempts + 1, due = ? WHERE id = ?')
  const removeInvocation = database.prepare('DELETE FROM invocations WHERE id = ?')

  const parse = (row: unknown): Schedule => JSON.parse((row as { json: string }).json)

  return {
    hasGroup: (name: string): boolean => hasGroup.get(name) !== undefined,
    addGroup: (name: string): void => void addGroup.run(name),
    find: (group: string, name: string): Schedule | undefined => {
      const row = find.get(group, name)
      return row && parse(row)
    },
    /** `next`: the next run in ms since 1970, or null for none. */
    put: (schedule: Schedule, next: number | null): void =>
      void put.run(schedule.GroupName, schedule.Name, JSON.stringify(schedule), next),
    remove: (group: string, name: string): void => void remove.run(group, name),
    list: (group: string | null, prefix: string | null): Schedule[] => list.all(group, prefix ?? '').map(parse),

    due: (now: number): { schedule: Schedule; plannedAt: number }[] =>
      due.all(now).map((row) => ({ schedule: parse(row), plannedAt: Number(row.next) })),
    /** Stores an invocation and advances the schedule to its next run, to none (null), or deletes it ('delete'). */
    enqueueInvocation: (schedule: Schedule, plannedAt: number, then: number | null | 'delete'): void => {
      database.exec('BEGIN')
      const json = JSON.stringify(schedule)
      addInvocation.run(json, plannedAt, plannedAt)
      if (then === 'delete') remove.run(schedule.GroupName, schedule.Name)
      else put.run(schedule.GroupName, schedule.Name, json, then)
      database.exec('COMMIT')
    },

    dueInvocations: (now: number): Invocation[] =>
      dueInvocations.all(now).map((row) => ({
        id: Number(row.id),
        schedule: parse(row),
        plannedAt: Number(row.plannedAt),
        due: Number(row.due),
        attempts: Number(row.attempts),
      })),
    retryAt: (id: number, at: number): void => void retry.run(at, id),
    removeInvocation: (id: number): void => void removeInvocation.run(id),
    close: (): void => database.close(),
  }
}
