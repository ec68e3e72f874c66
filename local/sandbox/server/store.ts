// The state of all platforms in one SQLite file, so that uploads, containers and posts survive a restart of the local run.

import { DatabaseSync } from 'node:sqlite'

/** Records of one kind, by id; values are plain JSON. */
interface Collection<Value> {
  get(id: string): Value | undefined
  put(id: string, value: Value): void
  /** In insertion order. */
  list(): Value[]
  entries(): [id: string, value: Value][]
  /** Whether the record was stored by an earlier process. */
  isEarlier(id: string): boolean
}

export interface SandboxStore {
  collection<Value extends object>(kind: string): Collection<Value>
  /** A counter that never repeats, for numbers and ids. */
  nextNumber(): number
  close(): void
}

export function openSandboxStore(file: string): SandboxStore {
  const db = new DatabaseSync(file)
  // Writes survive a kill; only a power failure can lose the last ones.
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
    CREATE TABLE IF NOT EXISTS records (place INTEGER PRIMARY KEY, kind TEXT, id TEXT, value TEXT, UNIQUE (kind, id));
    CREATE TABLE IF NOT EXISTS numbers (last INTEGER PRIMARY KEY AUTOINCREMENT)`)
  const get = db.prepare('SELECT value FROM records WHERE kind = ? AND id = ?')
  const put = db.prepare(
    'INSERT INTO records (kind, id, value) VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value',
  )
  const list = db.prepare('SELECT id, value FROM records WHERE kind = ? ORDER BY place')
  const number = db.prepare('INSERT INTO numbers DEFAULT VALUES')
  const last = Number(db.prepare('SELECT max(place) AS place FROM records').get()?.place ?? 0)
  const place = db.prepare('SELECT place FROM records WHERE kind = ? AND id = ?')
  return {
    collection: <Value extends object>(kind: string): Collection<Value> => ({
      get: (id) => read<Value>(get.get(kind, id)),
      put: (id, value) => void put.run(kind, id, JSON.stringify(value)),
      isEarlier: (id) => Number(place.get(kind, id)?.place ?? last + 1) <= last,
      list: () => list.all(kind).flatMap((row) => read<Value>(row) ?? []),
      entries: () => list.all(kind).map((row) => [String(row.id), JSON.parse(String(row.value)) as Value]),
    }),
    nextNumber: () => Number(number.run().lastInsertRowid),
    close: () => db.close(),
  }
}

function read<Value>(row: Record<string, unknown> | undefined): Value | undefined {
  return row && (JSON.parse(String(row.value)) as Value)
}
