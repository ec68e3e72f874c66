/** Transactions that are under way after their callers have given up: DynamoDB refuses repeats, and other writes of their items. */
import { PortFailure } from './failure.ts'
import { cancelled } from './table.ts'

/** Operations that write to the table. */
export const writes: ReadonlySet<string> = new Set(['Put', 'Update', 'Delete', 'TransactWrite'])

export const tokenOf = (input: unknown) => (input as { ClientRequestToken?: string }).ClientRequestToken ?? ''

/** The items that a write touches. */
function keysOf(input: unknown): string[] {
  const { TransactItems } = input as { TransactItems?: Record<string, object>[] }
  const all = TransactItems?.map((item) => Object.values(item)[0]!) ?? [input as object]
  return all.map((write) => {
    const { Key, Item } = write as Record<'Key' | 'Item', object | undefined>
    const { pk, sk } = (Key ?? Item ?? {}) as { pk?: string; sk?: string }
    return `${pk} ${sk}`
  })
}

/** The failure of a write that meets another transaction at the items that are hit; undefined where none is. */
export function conflictOf(
  operation: string,
  input: unknown,
  isHit: (key: string, index: number) => boolean,
): PortFailure | undefined {
  if (!writes.has(operation)) return undefined
  const hits = keysOf(input).map(isHit)
  if (!hits.includes(true)) return undefined
  return operation === 'TransactWrite'
    ? cancelled(hits.map((hit) => ({ Code: hit ? 'TransactionConflict' : 'None' })))
    : new PortFailure('TransactionConflictException', 'Transaction is ongoing for the item')
}

export function createTransactions() {
  /** Tokens of transactions that are under way after their first callers have given up. */
  const inProgress = new Map<string, ReadonlySet<string>>()

  return {
    /** Holds the items of a transaction until `end`. */
    begin: (input: unknown) => void (tokenOf(input) && inProgress.set(tokenOf(input), new Set(keysOf(input)))),
    end: (input: unknown) => void inProgress.delete(tokenOf(input)),
    isInProgress: (input: unknown) => inProgress.has(tokenOf(input)),
    /** The failure of a write of items that are held; undefined where none is. */
    conflictWith: (operation: string, input: unknown): PortFailure | undefined =>
      conflictOf(operation, input, (key) => inProgress.values().some((keys) => keys.has(key))),
  }
}
