/** Reads of the service: one cached entry for each key, refreshed while a visible page shows it, and retried with backoff. */
import { type Signal, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Client, ReelsmithError } from '../../packages/client/index.js'
import { client, endIfUnauthorized } from './session.ts'

export interface Query<Data> {
  /** The last response, also while it is refreshed and where the refresh fails. */
  data: Data | undefined
  /** Why the last attempt failed. */
  error: ReelsmithError | undefined
  isLoading: boolean
  /** When the next attempt follows a failed one, in milliseconds since 1970. */
  retryAt: number | undefined
}

type Load<Data> = (client: Client, options: { signal: AbortSignal }) => Promise<Data>
/** Milliseconds until the next refresh. */
type Interval<Data> = (data: Data) => number

interface Entry<Data = unknown> {
  readonly state: Signal<Query<Data>>
  readonly intervals: Set<Interval<Data>>
  load: Load<Data>
  loadedAt: number
  failures: number
  timer?: ReturnType<typeof setTimeout> | undefined
  running?: AbortController | undefined
}

/** While something that a page shows is being made. */
export const busyMs = 1_500
export const idleMs = 15_000
const freshMs = 1_000
/** Entries that no page shows are forgotten after this time. */
const unusedMs = 60_000
const retryMsMax = 30_000

const entries = new Map<string, Entry>()
const empty: Query<never> = { data: undefined, error: undefined, isLoading: true, retryAt: undefined }

export function useQuery<Data>(key: string, load: Load<Data>, interval: Interval<Data> = () => idleMs): Query<Data> {
  const entry = entryOf(key, load)
  useEffect(() => {
    const used = entryOf(key, load)
    used.intervals.add(interval)
    clearTimeout(used.timer)
    if (Date.now() - used.loadedAt > freshMs) void fetchEntry(used)
    else schedule(used)
    return () => {
      used.intervals.delete(interval)
      if (used.intervals.size > 0) return
      clearTimeout(used.timer)
      used.running?.abort()
      used.running = undefined
      used.timer = setTimeout(() => entries.delete(key), unusedMs)
    }
  }, [key, client.value])
  return entry.state.value
}

/** Reads again what begins with a prefix, after a change. */
export function refresh(prefix = ''): void {
  for (const [key, entry] of entries)
    if (key.startsWith(prefix)) {
      entry.loadedAt = 0
      if (entry.intervals.size > 0) void fetchEntry(entry)
    }
}

/** Shows the response of a write at once. */
export function storeResult<Data>(key: string, data: Data): void {
  const entry = entries.get(key) as Entry<Data> | undefined
  if (!entry) return
  // An older response in flight must not replace it.
  entry.running?.abort()
  entry.running = undefined
  entry.state.value = { ...entry.state.value, data, error: undefined, isLoading: false }
  schedule(entry)
}

export function forgetAll(): void {
  for (const entry of entries.values()) {
    clearTimeout(entry.timer)
    entry.running?.abort()
  }
  entries.clear()
}

function entryOf<Data>(key: string, load: Load<Data>): Entry<Data> {
  let entry = entries.get(key) as Entry<Data> | undefined
  if (!entry) {
    entry = { state: signal<Query<Data>>(empty), intervals: new Set(), load, loadedAt: 0, failures: 0 }
    entries.set(key, entry as unknown as Entry)
  }
  entry.load = load
  return entry
}

async function fetchEntry<Data>(entry: Entry<Data>): Promise<void> {
  if (!client.value || entry.running) return
  clearTimeout(entry.timer)
  const running = new AbortController()
  entry.running = running
  if (!entry.state.value.isLoading) entry.state.value = { ...entry.state.value, isLoading: true }
  try {
    const data = await entry.load(client.value, { signal: running.signal })
    if (entry.running !== running) return
    entry.loadedAt = Date.now()
    entry.failures = 0
    entry.state.value = { data, error: undefined, isLoading: false, retryAt: undefined }
  } catch (failure) {
    if (entry.running !== running) return
    if (!(failure instanceof ReelsmithError)) throw failure
    entry.failures++
    const retryAt = isTransient(failure) ? Date.now() + retryDelay(failure, entry.failures) : undefined
    entry.state.value = { ...entry.state.value, error: failure, isLoading: false, retryAt }
    endIfUnauthorized(failure)
  } finally {
    if (entry.running === running) {
      entry.running = undefined
      schedule(entry)
    }
  }
}

const isTransient = ({ status }: ReelsmithError) => status === 0 || status === 429 || status >= 500

const retryDelay = ({ retryAfterMs = 0 }: ReelsmithError, failures: number) =>
  Math.max(retryAfterMs, Math.min(1_000 * 2 ** (failures - 1), retryMsMax))

function schedule<Data>(entry: Entry<Data>): void {
  clearTimeout(entry.timer)
  if (entry.intervals.size === 0 || document.hidden) return
  const { data, error, retryAt } = entry.state.value
  if (error && retryAt === undefined) return
  const waitMs = retryAt
    ? retryAt - Date.now()
    : Math.min(...[...entry.intervals].map((interval) => (data === undefined ? 0 : interval(data))))
  if (waitMs < Number.POSITIVE_INFINITY) entry.timer = setTimeout(() => void fetchEntry(entry), Math.max(0, waitMs))
}

addEventListener('online', () => refresh())
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) refresh()
  else for (const entry of entries.values()) if (entry.intervals.size > 0) clearTimeout(entry.timer)
})
