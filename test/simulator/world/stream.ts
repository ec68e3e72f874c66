/** The stream of the table: shards that are polled one batch at a time, and what can go wrong with it. */
import { outboxPrefix } from '../../../lib/store/core/keys.ts'
import type { Faults } from './faults.ts'
import type { Random } from './random.ts'
import type { Schedule } from './schedule.ts'
import type { StreamRecord } from './table.ts'

interface StreamDeps {
  schedule: Schedule
  random: Random
  faults: Faults
  /** Calls a function by its name. */
  invoke: (name: string, event: unknown) => Promise<unknown>
}

interface NumberedRecord extends StreamRecord {
  id: number
}

const shards = 2
const recordsPerBatch = 25
const recordAttemptsMax = 8
const readersMax = 4

export function createStream({ schedule, random, faults, invoke }: StreamDeps) {
  const waiting: NumberedRecord[][] = Array.from({ length: shards }, () => [])
  const isPolled = new Array<boolean>(shards).fill(false)
  let recordIds = 0
  let records = 0

  function onRecord(record: StreamRecord): void {
    if (record.eventName !== 'INSERT' || !record.sk.startsWith(outboxPrefix)) return
    records++
    if (faults.happens('lostRecord')) return
    const shard = record.pk.charCodeAt(record.pk.length - 8) % shards
    waiting[shard]!.push({ ...record, id: ++recordIds })
    poll(shard)
  }

  function poll(shard: number): void {
    if (isPolled[shard]) return
    isPolled[shard] = true
    const lag = faults.happens('lateRecord') ? random.integer(1_000, 300_000) : random.longTailed(20, 500)
    schedule.at(schedule.now() + lag, () => void dispatch(shard))
  }

  /** A batch until all of it is done, or given up: later records of the shard wait. */
  async function dispatch(shard: number): Promise<void> {
    let batch = waiting[shard]!.splice(0, recordsPerBatch)
    for (let attempt = 0; batch.length > 0 && attempt <= recordAttemptsMax; attempt++) {
      const sent = faults.happens('duplicateRecord') ? [...batch, ...batch] : batch
      const event = {
        Records: sent.map(({ id, eventName, pk, sk }) => ({
          eventName,
          dynamodb: { SequenceNumber: String(id), Keys: { pk: { S: pk }, sk: { S: sk } } },
        })),
      }
      // A stream that changes its readers gives a batch to several at once.
      for (let readers = 1; readers < readersMax && faults.happens('duplicateRecord'); readers++)
        schedule.at(
          schedule.now() + random.integer(0, 3_000),
          () => void invoke('workers/dispatch-outbox', event).catch(() => {}),
        )
      const result = (await invoke('workers/dispatch-outbox', event).catch(() => undefined)) as
        | { batchItemFailures: { itemIdentifier: string }[] }
        | undefined
      const failed = result ? result.batchItemFailures[0]?.itemIdentifier : String(batch[0]!.id)
      batch = failed === undefined ? [] : batch.slice(batch.findIndex(({ id }) => String(id) === failed))
      if (batch.length > 0) await schedule.sleep(random.integer(100, 2_000) * (attempt + 1))
    }
    isPolled[shard] = false
    if (waiting[shard]!.length > 0) poll(shard)
  }

  return {
    onRecord,
    isIdle: () => waiting.every(({ length }) => length === 0) && !isPolled.some(Boolean),
    get records() {
      return records
    },
  }
}
