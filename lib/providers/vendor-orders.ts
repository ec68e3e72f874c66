/**
 * Orders at vendors that take minutes. Idempotent across crashes: the intent is persisted before the vendor is called,
 * the vendor's id right after it. A later attempt polls that order and must not place another.
 */
import { poll } from '../async.ts'
import { AccountExpired, OutcomeUnknown, ProviderBusy, ProviderRejected } from '../domain/core/failures.ts'

/** Persisted before a vendor is called. */
export interface OrderIntent {
  /** Idempotency key of the order: 32 letters and digits. */
  token: string
  /** Milliseconds since 1970. */
  at: number
}

/** The vendor's id of an order, or the intent while it is unknown whether the vendor accepted the order. */
export type OrderRecord = { remoteId: string } | OrderIntent

/** The orders of one video, each under the key of its artefact. */
export interface OrderLog {
  find(key: string): Promise<OrderRecord | undefined>
  /** Undefined where another caller has recorded an intent first. */
  recordIntent(key: string, at: number): Promise<OrderIntent | undefined>
  recordPlaced(key: string, remoteId: string): Promise<void>
  /**
   * Deletes the record of an order that the vendor did not accept or that failed, so that it can be placed again. Does
   * nothing where the record differs from `record`: that is another order.
   */
  withdraw(key: string, record: OrderRecord): Promise<void>
}

/** Where an order is recorded, and how long it is polled. */
export interface OrderScope {
  orderLog: OrderLog
  /** Artefact key of the result: the hash of the input and of the maker's id. */
  key: string
  signal: AbortSignal
  /** Time limit of one attempt. The order stays open after it: the next attempt continues to poll. */
  waitMs: number
  /** Wraps each wait, to release the slot of a concurrency limit. */
  releaseWhile?: <Waited>(wait: () => Promise<Waited>) => Promise<Waited>
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

/** `wait` and `now` are injected, so that tests need not wait. */
export interface PollPolicy {
  wait(ms: number, signal: AbortSignal): Promise<unknown>
  /** Milliseconds since 1970. */
  now(): number
  pollMs: number
}

/** The order is placed and has not finished in time: an immediate retry is pointless. */
export class OrderPending extends ProviderBusy {}

/** The vendor reports that the order failed. */
export class OrderFailed extends ProviderRejected {}

/** Downloads of one result: its address may have expired, a download may break off. */
const collectsMax = 3
/** `submit` takes one minute at most. An intent that is older and has no remote id never gets one. */
const submitMsMax = 90_000

/** Resolves to undefined when the time limit has passed. */
type PollUntilDone = <Value>(read: () => Promise<Value | undefined>) => Promise<Value | undefined>

/**
 * Places an order and waits for its result. Throws `OrderPending` after the time limit, `ProviderRejected` where there
 * will be no result, which includes a lost response: then it is unknown whether the vendor accepted the order.
 */
export async function runOrder<Input, Result, Context extends OrderScope>(
  api: OrderApi<Input, Result, Context>,
  input: Input,
  context: Context,
  { now, pollMs, wait }: PollPolicy,
): Promise<Result> {
  const until = now() + context.waitMs
  const sleep = async (ms: number) => {
    const waitOnce = () => wait(ms, context.signal)
    await (context.releaseWhile ? context.releaseWhile(waitOnce) : waitOnce())
    context.signal.throwIfAborted()
  }
  const pauseMs = { first: pollMs, growth: 1, last: pollMs }
  const pollUntilDone: PollUntilDone = (read) =>
    poll(read, (value) => value !== undefined, { pauseMs, until, now, sleep })
  const remoteId = await pollUntilDone(() => placeOnce(api, input, context, now))
  if (remoteId === undefined) throw stillPending(api)
  try {
    return await pollAndCollect(api, input, remoteId, context, pollUntilDone)
  } catch (error) {
    // The next request for this artefact places a new order.
    if (error instanceof ProviderRejected) await context.orderLog.withdraw(context.key, { remoteId })
    throw error
  }
}

/**
 * The vendor's id of the order, which is placed unless it is on record. Undefined while another caller is placing it.
 */
async function placeOnce<Input, Result, Context extends OrderScope>(
  api: OrderApi<Input, Result, Context>,
  input: Input,
  context: Context,
  now: () => number,
): Promise<string | undefined> {
  const { orderLog, key } = context
  const known = await orderLog.find(key)
  if (known && 'remoteId' in known) return known.remoteId
  if (!known) {
    const intent = await orderLog.recordIntent(key, now())
    return intent && submit(api, input, context, { intent, isFirst: true })
  }
  if (api.isIdempotent) return submit(api, input, context, { intent: known, isFirst: false })
  if (now() - known.at >= submitMsMax) throw outcomeUnknown(api)
  return undefined
}

async function submit<Input, Result, Context extends OrderScope>(
  api: OrderApi<Input, Result, Context>,
  input: Input,
  context: Context,
  { intent, isFirst }: { intent: OrderIntent; isFirst: boolean },
): Promise<string> {
  const { orderLog, key } = context
  const remoteId = await api.submit(input, intent.token, context).catch(async (error) => {
    // The refusal of a repeated submit says nothing about the first one.
    if (isFirst && wasNotAccepted(error)) await orderLog.withdraw(key, intent)
    throw error instanceof OutcomeUnknown && !api.isIdempotent ? outcomeUnknown(api, error) : error
  })
  await orderLog.recordPlaced(key, remoteId)
  return remoteId
}

const wasNotAccepted = (error: unknown) =>
  error instanceof ProviderRejected ||
  error instanceof AccountExpired ||
  (error instanceof ProviderBusy && !(error instanceof OutcomeUnknown))

const stillPending = ({ name }: { name: string }) => new OrderPending(`${name} is still processing this.`)

const outcomeUnknown = ({ name }: { name: string }, cause?: unknown) =>
  new ProviderRejected(
    `The response of ${name} to this order was lost. To avoid a double charge, it is not ordered again.`,
    {
      cause,
    },
  )

/** A poll or a download that fails does not mean that the order failed. */
async function pollAndCollect<Input, Result, Context extends OrderScope>(
  api: OrderApi<Input, Result, Context>,
  input: Input,
  remoteId: string,
  context: Context,
  pollUntilDone: PollUntilDone,
): Promise<Result> {
  let collects = 0
  let isKnown = false
  /** The vendor's response as long as it does not know the order. */
  let unknownOrder: ProviderRejected | undefined
  const result = await pollUntilDone(async () => {
    try {
      const address = await api.poll(remoteId, context)
      isKnown = true
      if (!address) return undefined
      collects += 1
      return { value: await api.collect(address, input, context) }
    } catch (error) {
      if (error instanceof OrderFailed || !isOfVendor(error)) throw error
      if (collects === collectsMax) throw error instanceof ProviderBusy ? notDownloadable(api, error) : error
      if (error instanceof ProviderRejected) unknownOrder = error
      return undefined
    }
  })
  if (result) return result.value
  throw unknownOrder && !isKnown ? unknownOrder : stillPending(api)
}

const isOfVendor = (error: unknown) => error instanceof ProviderBusy || error instanceof ProviderRejected

const notDownloadable = ({ name }: { name: string }, cause: unknown) =>
  new OrderPending(`${name} has finished this, but the result cannot be downloaded.`, { cause })
