/**
 * DynamoDB in memory: one table with two sparse indexes that lag behind, conditions, transactions, a stream of keys, and
 * items that outlive their expiry. Calls are atomic; the scheduler decides when each one happens.
 */
import { dueIndex, listAttributes, listIndex, ttlAttribute } from '../../../lib/store/core/keys.ts'
import { holds, type Item, projected, updated } from './expressions.ts'
import { PortFailure } from './failure.ts'

interface Keyed {
  pk: string
  sk: string
}

interface Expressions {
  ConditionExpression?: string
  UpdateExpression?: string
  ProjectionExpression?: string
  ExpressionAttributeNames?: Record<string, string>
  ExpressionAttributeValues?: Record<string, unknown>
  ReturnValuesOnConditionCheckFailure?: string
}

type Write = Expressions & { Key?: Keyed; Item?: Item }
type TransactItem = Partial<Record<'Put' | 'Update' | 'Delete' | 'ConditionCheck', Write>>

export interface StreamRecord extends Keyed {
  eventName: 'INSERT' | 'MODIFY' | 'REMOVE'
}

interface Query extends Expressions {
  IndexName?: string
  KeyConditionExpression: string
  FilterExpression?: string
  ConsistentRead?: boolean
  ScanIndexForward?: boolean
  Limit?: number
  ExclusiveStartKey?: Item
}

interface KeysOfBatch {
  Keys: Keyed[]
  ConsistentRead?: boolean
}

const indexes = [dueIndex, listIndex] as const
const transactItemsMax = 100
/** In real partitions a page ends after a megabyte. */
const rowsPerPage = 200
/** How long DynamoDB remembers the token of a transaction. */
const tokenMs = 10 * 60_000

/** AWS names less than a second as usual. */
const replicaLagMs = 1_000

const keyText = ({ pk, sk }: Keyed) => `${pk}\u0000${sk}`
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** A stored value: without undefined fields, frozen, because readers share it. */
function stored<Value>(value: Value): Value {
  if (value === null || typeof value !== 'object') return value
  if (value instanceof Set) {
    if (value.size === 0) throw new PortFailure('ValidationException', 'An empty set cannot be stored.')
    return value
  }
  if (ArrayBuffer.isView(value) || Object.isFrozen(value)) return value
  if (Array.isArray(value)) return Object.freeze(value.map(stored)) as Value
  const result: Item = {}
  // Without an array for each field: this is the simulator's most frequent loop.
  for (const name in value) {
    const field = (value as Item)[name]
    if (field !== undefined) result[name] = stored(field)
  }
  return Object.freeze(result) as Value
}

/** Failed conditions return items in the format of the wire. */
function marshalled(value: unknown): unknown {
  if (typeof value === 'string') return { S: value }
  if (typeof value === 'number') return { N: String(value) }
  if (typeof value === 'boolean') return { BOOL: value }
  if (value === null) return { NULL: true }
  if (value instanceof Set) return { SS: [...value] }
  if (ArrayBuffer.isView(value)) return { B: value }
  if (Array.isArray(value)) return { L: value.map(marshalled) }
  return { M: Object.fromEntries(Object.entries(value as Item).map(([name, field]) => [name, marshalled(field)])) }
}

const marshalledItem = (item: Item) =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, marshalled(value)]))

export type Table = ReturnType<typeof createTable>

export interface TableOptions {
  now: () => number
  /** Milliseconds until an index shows a write; 0 for at once. */
  indexLag: () => number
  /** Whether a read that need not be consistent is answered by a replica that lags. */
  isStale: () => boolean
  /** How many of so many keys a batch reads. */
  partOf: (keys: number) => number
  onRecord: (record: StreamRecord) => void
  onWrite: (key: { pk: string; sk: string }, before: Item | undefined, after: Item | undefined) => void
}

export function createTable({ now, indexLag, isStale, partOf, onRecord, onWrite }: TableOptions) {
  const partitions = new Map<string, Map<string, Item>>()
  /** What the indexes show. */
  const indexed = new Map<string, Item>()
  const unindexed: { at: number; key: string; item: Item | undefined }[] = []
  /** What an item was before its last write. */
  const overwritten = new Map<string, { at: number; item: Item | undefined }>()
  const tokens = new Map<string, { at: number; request: string }>()
  let version = 0

  const find = ({ pk, sk }: Keyed) => partitions.get(pk)?.get(sk)

  function write(key: Keyed, item: Item | undefined): void {
    const before = find(key)
    if (!before && !item) return
    onWrite(key, before, item)
    version++
    const partition = partitions.get(key.pk) ?? new Map<string, Item>()
    if (item) partition.set(key.sk, item)
    else partition.delete(key.sk)
    if (partition.size > 0) partitions.set(key.pk, partition)
    else partitions.delete(key.pk)
    overwritten.set(keyText(key), { at: now(), item: before })
    const lag = indexLag()
    unindexed.push({ at: now() + lag, key: keyText(key), item })
    onRecord({ eventName: before ? (item ? 'MODIFY' : 'REMOVE') : 'INSERT', pk: key.pk, sk: key.sk })
  }

  /** What a replica shows: of an item that was just written perhaps the item before. */
  function replicated(key: Keyed): Item | undefined {
    const last = overwritten.get(keyText(key))
    return last && now() - last.at < replicaLagMs && isStale() ? last.item : find(key)
  }

  /** The writes of an item reach the indexes in their order; those of others may overtake them. */
  function catchUp(): void {
    const late = new Set<string>()
    for (const change of unindexed.splice(0)) {
      const { at, key, item } = change
      if (at > now() || late.has(key)) {
        late.add(key)
        unindexed.push(change)
        continue
      }
      if (item && indexes.some(({ partition }) => item[partition] !== undefined)) indexed.set(key, item)
      else indexed.delete(key)
    }
  }

  const substitutions = ({ ExpressionAttributeNames = {}, ExpressionAttributeValues = {} }: Expressions) => ({
    names: ExpressionAttributeNames,
    values: ExpressionAttributeValues,
  })

  const keyOf = ({ Key, Item }: Write): Keyed => (Key ?? Item) as Keyed

  /** The item after a write; undefined for one that deletes or only checks. */
  function outcomeOf(kind: keyof TransactItem, write: Write): Item | undefined {
    if (kind === 'Put') return stored(write.Item!)
    if (kind === 'Delete') return undefined
    const key = keyOf(write)
    return stored(updated(write.UpdateExpression!, find(key) ?? { pk: key.pk, sk: key.sk }, substitutions(write)))
  }

  function single(kind: 'Put' | 'Update' | 'Delete', write_: Write & { ReturnValues?: string }) {
    const key = keyOf(write_)
    const before = find(key)
    if (!holds(write_.ConditionExpression, before, substitutions(write_)))
      throw new PortFailure('ConditionalCheckFailedException', 'The conditional request failed', {
        ...(write_.ReturnValuesOnConditionCheckFailure && before ? { Item: marshalledItem(before) } : {}),
      })
    const after = outcomeOf(kind, write_)
    write(key, after)
    if (write_.ReturnValues === 'ALL_NEW' || write_.ReturnValues === 'UPDATED_NEW') return { Attributes: after }
    return write_.ReturnValues === 'ALL_OLD' && before ? { Attributes: before } : {}
  }

  function transact({
    TransactItems,
    ClientRequestToken,
  }: {
    TransactItems: TransactItem[]
    ClientRequestToken?: string
  }) {
    if (TransactItems.length > transactItemsMax)
      throw new PortFailure('ValidationException', `A transaction has at most ${transactItemsMax} items.`)
    const known = ClientRequestToken === undefined ? undefined : tokens.get(ClientRequestToken)
    const writes = TransactItems.map((item) => Object.entries(item)[0] as [keyof TransactItem, Write])
    const keys = new Set(writes.map(([, one]) => keyText(keyOf(one))))
    const request = `${writes[0]![0]} ${[...keys].join()}`
    if (known !== undefined && now() - known.at < tokenMs) {
      if (known.request === request) return {}
      throw new PortFailure('IdempotentParameterMismatchException', 'Another request had the given token')
    }
    if (keys.size < writes.length)
      throw new PortFailure('ValidationException', 'Transaction request cannot include multiple operations on one item')
    const reasons = writes.map(([, one]) => {
      const before = find(keyOf(one))
      if (holds(one.ConditionExpression, before, substitutions(one))) return { Code: 'None' }
      const isShown = one.ReturnValuesOnConditionCheckFailure && before
      return { Code: 'ConditionalCheckFailed', ...(isShown ? { Item: marshalledItem(before) } : {}) }
    })
    if (reasons.some(({ Code }) => Code !== 'None')) throw cancelled(reasons)
    const outcomes = writes.map(
      ([kind, one]) => [kind, keyOf(one), kind === 'ConditionCheck' ? undefined : outcomeOf(kind, one)] as const,
    )
    for (const [kind, key, item] of outcomes) if (kind !== 'ConditionCheck') write(key, item)
    if (ClientRequestToken !== undefined) tokens.set(ClientRequestToken, { at: now(), request })
    return {}
  }

  function query(input: Query) {
    const { IndexName, ScanIndexForward = true, Limit = rowsPerPage, ExclusiveStartKey: after } = input
    const index =
      IndexName === undefined ? { partition: 'pk', sort: 'sk' } : indexes.find(({ name }) => name === IndexName)!
    catchUp()
    const partitionName = /(#?\w+) = (:\w+)/.exec(input.KeyConditionExpression)!
    const pk = input.ExpressionAttributeValues?.[partitionName[2]!] as string
    const rows = [...(partitions.get(pk)?.values() ?? [])]
    const shownRows = input.ConsistentRead
      ? rows
      : rows.flatMap((row): Item[] => {
          const shown = replicated(row as unknown as Keyed)
          return shown ? [shown] : []
        })
    const source = IndexName === undefined ? shownRows : [...indexed.values()]
    const sortOf = (item: Item) => `${item[index.sort]}\u0000${item.pk}\u0000${item.sk}`
    const matching = source
      .filter((item) => item[index.partition] === pk && item[index.sort] !== undefined)
      .filter((item) => holds(input.KeyConditionExpression, item, substitutions(input)))
      .sort((a, b) => byText(sortOf(a), sortOf(b)) * (ScanIndexForward ? 1 : -1))
    const rest = after
      ? matching.filter((item) => byText(sortOf(item), sortOf(after)) * (ScanIndexForward ? 1 : -1) > 0)
      : matching
    const page = rest.slice(0, Math.min(Limit, rowsPerPage))
    const last = page.at(-1)
    const isMore = page.length === Limit || page.length < rest.length
    const shown = page.filter((item) => holds(input.FilterExpression, item, substitutions(input)))
    return {
      Items: shown.map((item) => visible(item, IndexName, input)),
      ...(isMore && last
        ? { LastEvaluatedKey: { pk: last.pk, sk: last.sk, [index.partition]: pk, [index.sort]: last[index.sort] } }
        : {}),
    }
  }

  /** What an index or a projection shows of an item. */
  function visible(
    item: Item,
    indexName: string | undefined,
    { ProjectionExpression, ExpressionAttributeNames }: Expressions,
  ): Item {
    if (indexName === undefined) return projected(ProjectionExpression, item, ExpressionAttributeNames)
    const index = indexes.find(({ name }) => name === indexName)!
    const names = ['pk', 'sk', index.partition, index.sort, ...(indexName === listIndex.name ? listAttributes : [])]
    return Object.fromEntries(names.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])))
  }

  function scan(input: Omit<Query, 'KeyConditionExpression'>) {
    const all = [...partitions.values()].flatMap((partition) => [...partition.values()])
    const found = all.filter((item) => holds(input.FilterExpression, item, substitutions(input)))
    return { Items: found.map((item) => visible(item, undefined, input)) }
  }

  return {
    operations: {
      Get: (input: Expressions & { Key: Keyed; ConsistentRead?: boolean }) => {
        const item = input.ConsistentRead ? find(input.Key) : replicated(input.Key)
        return item ? { Item: visible(item, undefined, input) } : {}
      },
      Put: (input: Write) => single('Put', input),
      Update: (input: Write) => single('Update', input),
      Delete: (input: Write) => single('Delete', input),
      TransactWrite: transact,
      BatchGet: ({ RequestItems }: { RequestItems: Record<string, KeysOfBatch> }) => {
        const [[name, { Keys, ConsistentRead }]] = Object.entries(RequestItems) as [[string, KeysOfBatch]]
        const read = ConsistentRead ? find : replicated
        if (new Set(Keys.map(keyText)).size < Keys.length)
          throw new PortFailure('ValidationException', 'Provided list of item keys contains duplicates')
        const done = Keys.slice(0, partOf(Keys.length))
        const rest = Keys.slice(done.length)
        return {
          Responses: { [name]: done.flatMap((key) => read(key) ?? []) },
          UnprocessedKeys: rest.length > 0 ? { [name]: { Keys: rest } } : {},
        }
      },
      Query: query,
      Scan: scan,
    },
    /** Whether a transaction with this token was committed: a repeat of it succeeds. */
    isCommitted: (token: string) => tokens.has(token),
    /** Every item, for the invariants. */
    items: (): Item[] => [...partitions.values()].flatMap((partition) => [...partition.values()]),
    find,
    /** The items of a partition, in the order of their sort keys. */
    partition: (pk: string): Item[] =>
      [...(partitions.get(pk)?.values() ?? [])].sort((a, b) => byText(String(a.sk), String(b.sk))),
    /** The earliest time in the due index of the lanes with this prefix; undefined where nothing is due at any time. */
    nextDue(lanes: (partition: string) => boolean): number | undefined {
      let earliest: string | undefined
      for (const partition of partitions.values())
        for (const { [dueIndex.partition]: shard, [dueIndex.sort]: sort } of partition.values())
          if (typeof shard === 'string' && typeof sort === 'string' && lanes(shard) && (!earliest || sort < earliest))
            earliest = sort
      return earliest === undefined ? undefined : Date.parse(earliest.split('#')[0]!)
    },
    /** Deletes what has expired, as DynamoDB does some time later. */
    expire(): void {
      for (const item of [...partitions.values()].flatMap((partition) => [...partition.values()])) {
        const until = item[ttlAttribute]
        if (typeof until === 'number' && until * 1000 < now()) write(item as unknown as Keyed, undefined)
      }
    },
    get version() {
      return version
    },
  }
}

export const cancelled = (reasons: readonly { Code: string }[]) =>
  new PortFailure(
    'TransactionCanceledException',
    `Transaction cancelled [${reasons.map(({ Code }) => Code).join(', ')}]`,
    {
      CancellationReasons: reasons,
    },
  )
