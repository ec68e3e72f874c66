// Executions in SQLite, with everything that Describe, List and a resume after a crash need.

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ExecutionStatus } from '@aws-sdk/client-sfn'

export interface Execution {
  readonly arn: string
  readonly machine: string
  readonly name: string
  readonly status: ExecutionStatus
  /** JSON text, unchanged: starting the same name again is idempotent only with the same bytes. */
  readonly input: string
  readonly output: string | null
  readonly error: string | null
  readonly cause: string | null
  /** Seconds since 1970, as on the wire. */
  readonly startedAt: number
  readonly stoppedAt: number | null
  /** The last top-level state entered, and its input as JSON text. */
  readonly state: string | null
  readonly stateInput: string | null
}

export interface ExecutionResult {
  readonly status: Exclude<ExecutionStatus, 'RUNNING'>
  readonly output?: string | undefined
  readonly error?: string | undefined
  readonly cause?: string | undefined
}

export type ExecutionStore = ReturnType<typeof openExecutionStore>

/** Opens `states.sqlite` in the directory. Every change is durable when its function returns. */
export function openExecutionStore(directory: string) {
  const database = new DatabaseSync(join(directory, 'states.sqlite'))
  database.exec(`
    PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS executions (
      arn TEXT PRIMARY KEY, machine TEXT NOT NULL, name TEXT NOT NULL, status TEXT NOT NULL, input TEXT NOT NULL,
      output TEXT, error TEXT, cause TEXT, startedAt REAL NOT NULL, stoppedAt REAL, state TEXT, stateInput TEXT);
    CREATE INDEX IF NOT EXISTS by_machine ON executions (machine, startedAt DESC);
    CREATE INDEX IF NOT EXISTS by_status ON executions (status);
    CREATE TABLE IF NOT EXISTS events (arn TEXT NOT NULL, at INTEGER NOT NULL, type TEXT NOT NULL, state TEXT, error TEXT);`)
  const insert = database.prepare(
    `INSERT INTO executions (arn, machine, name, status, input, startedAt) VALUES (?, ?, ?, 'RUNNING', ?, ?)`,
  )
  const find = database.prepare('SELECT * FROM executions WHERE arn = ?')
  const running = database.prepare(`SELECT * FROM executions WHERE status = 'RUNNING' ORDER BY startedAt`)
  const list = database.prepare(
    `SELECT * FROM executions WHERE machine = ? AND status = COALESCE(?, status) ORDER BY startedAt DESC LIMIT ? OFFSET ?`,
  )
  const checkpoint = database.prepare('UPDATE executions SET state = ?, stateInput = ? WHERE arn = ?')
  const finish = database.prepare(
    `UPDATE executions SET status = ?, output = ?, error = ?, cause = ?, stoppedAt = ? WHERE arn = ? AND status = 'RUNNING'`,
  )
  const note = database.prepare('INSERT INTO events (arn, at, type, state, error) VALUES (?, ?, ?, ?, ?)')
  const rows = (found: unknown): Execution[] => found as Execution[]

  return {
    insert: (execution: Pick<Execution, 'arn' | 'machine' | 'name' | 'input' | 'startedAt'>): void => {
      const { arn, machine, name, input, startedAt } = execution
      insert.run(arn, machine, name, input, startedAt)
    },
    find: (arn: string): Execution | undefined => find.get(arn) as Execution | undefined,
    running: (): Execution[] => rows(running.all()),
    list: (machine: string, status: string | undefined, limit: number, offset: number): Execution[] =>
      rows(list.all(machine, status ?? null, limit, offset)),
    /** Stores the state to resume from after a crash. */
    checkpoint: (arn: string, state: string, input: unknown): void => {
      checkpoint.run(state, JSON.stringify(input), arn)
    },
    /** Keeps the first result: a task that ends after StopExecution changes nothing. */
    finish: (arn: string, { status, output, error, cause }: ExecutionResult): void => {
      finish.run(status, output ?? null, error ?? null, cause ?? null, Date.now() / 1000, arn)
    },
    /** Adds a row to the history, for debugging. */
    note: (arn: string, at: number, type: string, state?: string, error?: string): void => {
      note.run(arn, at, type, state ?? null, error ?? null)
    },
    close: (): void => database.close(),
  }
}
