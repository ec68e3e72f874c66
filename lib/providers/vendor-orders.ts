/**
 * Orders at vendors that take minutes. An attempt asks once and never waits: the state machine waits, and starts the next
 * attempt. Idempotent across crashes: the intent is persisted before the vendor is called, the vendor's id right after
 * it. A later attempt polls that order and must not place another.
 */
import { AccountExpired, OutcomeUnknown, ProviderBusy, ProviderRejected } from '../domain/core/failures.ts'

/** Persisted before a vendor is called. */
export interface OrderIntent {
  /** Idempotency key of the order: 32 letters and digits. */
  token: string
  /** Milliseconds since 1970. */
  at: number
}

export interface PlacedOrder {
  /** The vendor's id of the order. */
  remoteId: string
  /** When it was placed, in milliseconds since 1970; absent in older records. */
  at?: number
}

/** The intent while it is unknown whether the vendor accepted the order. */
export type OrderRecord = PlacedOrder | OrderIntent

/** The orders of one video, each under the key of its artefact. */
export interface OrderLog {
  /** The clock of its records: milliseconds since 1970. */
  now(): number
  find(key: string): Promise<OrderRecord | undefined>
  /** Undefined where another caller has recorded an intent first. */
  recordIntent(key: string): Promise<OrderIntent | undefined>
  recordPlaced(key: string, remoteId: string): Promise<PlacedOrder>
  /**
   * Deletes the record of an order that the vendor did not accept or that failed, so that it can be placed again. Does
   * nothing where the record differs from `record`: that is another order.
   */
  withdraw(key: string, record: OrderRecord): Promise<void>
}

/** Where an order is recorded. */
export interface OrderScope {
  orderLog: OrderLog
  /** Artefact key of the result: the hash of the input and of the maker's id. */
  key: string
  signal: AbortSignal
}

/** Of an order whose result is a file. */
export interface OrderContext extends OrderScope {
  /** For scratch files; exists and belongs to the call. */
  directory: string
}

/** A vendor with a queue. Each step makes one attempt and does not wait for the result. */
export interface OrderApi<Input, Result, Context extends OrderScope = OrderContext> {
  /** As clients may read it. */
  name: string
  /** True where the vendor recognises an order that is submitted again with the same token. */
  isIdempotent: boolean
  /** Returns the vendor's id of the order, within a minute. Not abortable: the order might already be placed. */
  submit(input: Input, token: string, context: Context): Promise<string>
  /**
   * The address of the result, or undefined while the vendor is processing. Throws `OrderFailed` where the vendor
   * reports a failure.
   */
  poll(remoteId: string, context: Context): Promise<string | undefined>
  /** Downloads and reads the result. Its address expires. */
  collect(address: string, input: Input, context: Context): Promise<Result>
}

/** The vendor has not finished the order, or does not accept it yet: an immediate retry is pointless. */
export class OrderPending extends ProviderBusy {}

/** The vendor reports that the order failed. */
export class OrderFailed extends ProviderRejected {}

/** Downloads of one result in an attempt: its address may have expired. */
const collectsMax = 3
/** `submit` takes one minute at most. An intent that is older and has no remote id never gets one. */
const submitMsMax = 90_000
/** A vendor may not know a new order yet. One that it does not know after this long is lost. */
const unknownMsMax = 10 * 60_000

/**
 * Places an order unless it is placed, and polls it once. Throws `OrderPending` until there is a result,
 * `ProviderRejected` where there will be none, which includes a lost response: then it is unknown whether the vendor
 * accepted the order.
 */
export async function runOrder<Input, Result, Context extends OrderScope>(
  api: OrderApi<Input, Result, Context>,
  input: Input,
  context: Context,
): Promise<Result> {
  const order = await placeOnce(api, input, context)
  try {
    return await collectIfDone(api, input, order, context)
  } catch (error) {
    // The next request for this artefact places a new order.
    if (error instanceof ProviderRejected) await context.orderLog.withdraw(context.key, order)
    throw error
  }
}

/** The order, which is placed unless it is on record. */
async function placeOnce<Input, Result, Context extends OrderScope>(
  api: OrderApi<Input, Result, Context>,
  input: Input,
  context: Context,
): Promise<PlacedOrder> {
  const { orderLog, key } = context
  const known = await orderLog.find(key)
  if (known && 'remoteId' in known) return known
  const intent = known ?? (await orderLog.recordIntent(key))
  if (intent && (!known || api.isIdempotent)) return submit(api, input, context, { intent, isFirst: !known })
  if (known && orderLog.now() - known.at >= submitMsMax) throw outcomeUnknown(api)
  // Another caller is placing it.
  throw stillPending(api)
}

async function submit<Input, Result, Context extends OrderScope>(
  api: OrderApi<Input, Result, Context>,
  input: Input,
  context: Context,
  { intent, isFirst }: { intent: OrderIntent; isFirst: boolean },
): Promise<PlacedOrder> {
  const { orderLog, key } = context
  const remoteId = await api.submit(input, intent.token, context).catch(async (error) => {
    // The refusal of a repeated submit says nothing about the first one.
    if (isFirst && wasNotAccepted(error)) await orderLog.withdraw(key, intent)
    if (error instanceof OutcomeUnknown && !api.isIdempotent) throw outcomeUnknown(api, error)
    throw error instanceof ProviderBusy ? new OrderPending(error.message, { cause: error }) : error
  })
  return orderLog.recordPlaced(key, remoteId)
}

const wasNotAccepted = (error: unknown) =>
  error instanceof ProviderRejected ||
  error instanceof AccountExpired ||
  (error instanceof ProviderBusy && !(error instanceof OutcomeUnknown))

const stillPending = ({ name }: { name: string }, cause?: unknown) =>
  new OrderPending(`${name} is still processing this.`, { cause })

const outcomeUnknown = ({ name }: { name: string }, cause?: unknown) =>
  new ProviderRejected(
    `The response of ${name} to this order was lost. To avoid a double charge, it is not ordered again.`,
    {
      cause,
    },
  )

/** The result. A poll or a download that fails does not mean that the order failed. */
async function collectIfDone<Input, Result, Context extends OrderScope>(
  api: OrderApi<Input, Result, Context>,
  input: Input,
  order: PlacedOrder,
  context: Context,
): Promise<Result> {
  for (let collects = 1; ; collects++) {
    const address = await pollOnce(api, order, context)
    if (!address) throw stillPending(api)
    try {
      return await api.collect(address, input, context)
    } catch (error) {
      if (error instanceof ProviderBusy) throw notDownloadable(api, error)
      if (!(error instanceof ProviderRejected) || error instanceof OrderFailed || collects === collectsMax) throw error
    }
  }
}

async function pollOnce<Input, Result, Context extends OrderScope>(
  api: OrderApi<Input, Result, Context>,
  { remoteId, at = 0 }: PlacedOrder,
  context: Context,
): Promise<string | undefined> {
  try {
    return await api.poll(remoteId, context)
  } catch (error) {
    const mayBeUnknown = error instanceof ProviderRejected && !(error instanceof OrderFailed)
    const isNew = context.orderLog.now() - at < unknownMsMax
    throw error instanceof ProviderBusy || (mayBeUnknown && isNew) ? stillPending(api, error) : error
  }
}

const notDownloadable = ({ name }: { name: string }, cause: unknown) =>
  new OrderPending(`${name} has finished this, but the result cannot be downloaded.`, { cause })
