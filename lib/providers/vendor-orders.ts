/**
 * What is ordered of vendors that take minutes: bought once, whatever ends on the way. Before a vendor is asked an intent is noted,
 * right after it the vendor's id for the order. Who comes later asks after the order instead of placing another.
 */
import { AccountExpired, OutcomeUnknown, ProviderBusy, ProviderRejected } from '../domain/core/failures.ts'

/** That a vendor is about to be asked. */
export interface OrderIntent {
  /** Of this order alone: 32 letters and figures. */
  token: string
  /** When, in milliseconds since 1970. */
  at: number
}

/** What is known of an order: the vendor's id for it, or the intent while nobody knows whether the vendor took it. */
export type OrderRecord = { remoteId: string } | OrderIntent

/** The orders of one video, each under the key of the artefact that it is for. */
export interface OrderLog {
  find(key: string): Promise<OrderRecord | undefined>
  /** Notes that the vendor is about to be asked. Undefined where somebody else was first. */
  recordIntent(key: string, at: number): Promise<OrderIntent | undefined>
  /** Notes the vendor's id. */
  recordPlaced(key: string, remoteId: string): Promise<void>
  /**
   * Forgets an order that the vendor did not take, or that came to nothing: it may be placed again. Where something else is noted by
   * now, that is another order, and it stays.
   */
  withdraw(key: string, note: OrderRecord): Promise<void>
}

/** Where something is made, and where orders for it are noted. */
export interface OrderContext {
  /** For scratch files; exists and belongs to the call. */
  directory: string
  orderLog: OrderLog
  /** Under which the result will be kept: the hash of the wish and of who makes it. */
  key: string
  signal: AbortSignal
  /** When so much time has passed the order stays where it is: who tries again later polls on. */
  waitMs: number
  /** Goes around every wait, so that others can work meanwhile. */
  releaseWhile?: <Waited>(wait: () => Promise<Waited>) => Promise<Waited>
}

/** A vendor with a queue. Each step asks once and waits for nothing. */
export interface OrderApi<Wish, Made> {
  /** As clients may read it. */
  name: string
  /** Whether an order that is placed again under its token is the same order for the vendor. */
  isIdempotent: boolean
  /** Places the order and answers the vendor's id for it, within a minute. No signal ends it: the order might be placed already. */
  submit(wish: Wish, token: string, place: OrderContext): Promise<string>
  /** Where the result lies, or undefined while the vendor is at it. Throws `OrderFailed` where the vendor says that it gave up. */
  poll(remoteId: string, place: OrderContext): Promise<string | undefined>
  /** Fetches the result and reads it. Its address expires. */
  collect(address: string, wish: Wish, place: OrderContext): Promise<Made>
}

/** How a result is waited for. Both are doors, so that tests need not wait. */
export interface PollPolicy {
  wait(ms: number, signal: AbortSignal): Promise<unknown>
  /** Milliseconds since 1970. */
  now(): number
  pollMs: number
}

/** The order is placed and was waited for: there is nothing to ask for again soon. */
export class OrderPending extends ProviderBusy {}

/** The vendor's own word that nothing comes of an order. */
export class OrderFailed extends ProviderRejected {}

/** A result is fetched so often: its address may have expired, a download may break off. */
const fetchesMax = 3
/** An order is being placed for so long at most, and a little: what has no id by then never gets one. */
const submitMsMax = 90_000

/**
 * Has something made and waits for it. `StillMaking` where it is not there in time, `ProviderRejected` where it never will be: also
 * where an answer was lost and nobody can tell whether the order was taken.
 */
export async function runOrder<Wish, Made>(
  work: OrderApi<Wish, Made>,
  wish: Wish,
  place: OrderContext,
  patience: PollPolicy,
): Promise<Made> {
  const until = patience.now() + place.waitMs
  const pause = async () => {
    if (patience.now() >= until) throw new OrderPending(`${work.name} is still at it.`)
    const wait = () => patience.wait(patience.pollMs, place.signal)
    await (place.releaseWhile ? place.releaseWhile(wait) : wait())
    place.signal.throwIfAborted()
  }
  const remoteId = await placeOnce(work, wish, place, { now: patience.now, pause })
  try {
    return await pollAndCollect(work, wish, remoteId, { place, pause })
  } catch (error) {
    // What the vendor gave up is not looked for again: whoever wishes it anew orders it anew.
    if (error instanceof ProviderRejected) await place.orderLog.withdraw(place.key, { remoteId })
    throw error
  }
}

/** The vendor's id for the order, which is placed unless it was before. */
async function placeOnce<Wish, Made>(
  work: OrderApi<Wish, Made>,
  wish: Wish,
  place: OrderContext,
  { now, pause }: { now: () => number; pause: () => Promise<void> },
): Promise<string> {
  const { orderLog: orders, key } = place
  for (;;) {
    const known = await orders.find(key)
    if (known && 'remoteId' in known) return known.remoteId
    if (!known) {
      const intent = await orders.recordIntent(key, now())
      if (intent) return submit(work, wish, place, { intent, isFirst: true })
    } else if (work.isIdempotent) return submit(work, wish, place, { intent: known, isFirst: false })
    else if (now() - known.at >= submitMsMax) throw outcomeUnknown(work)
    // Somebody else is just placing it.
    await pause()
  }
}

async function submit<Wish, Made>(
  work: OrderApi<Wish, Made>,
  wish: Wish,
  place: OrderContext,
  { intent, isFirst }: { intent: OrderIntent; isFirst: boolean },
): Promise<string> {
  const { orderLog: orders, key } = place
  const remoteId = await work.submit(wish, intent.token, place).catch(async (error) => {
    // Of an order that was placed before, a no to the second try says nothing.
    if (isFirst && wasNotTaken(error)) await orders.withdraw(key, intent)
    throw error instanceof OutcomeUnknown && !work.isIdempotent ? outcomeUnknown(work, error) : error
  })
  await orders.recordPlaced(key, remoteId)
  return remoteId
}

const wasNotTaken = (error: unknown) =>
  error instanceof ProviderRejected ||
  error instanceof AccountExpired ||
  (error instanceof ProviderBusy && !(error instanceof OutcomeUnknown))

const outcomeUnknown = ({ name }: { name: string }, cause?: unknown) =>
  new ProviderRejected(`The answer of ${name} to this order was lost, and it is not paid twice.`, { cause })

/** What came of an order. A look or a download that fails is no failed order. */
async function pollAndCollect<Wish, Made>(
  work: OrderApi<Wish, Made>,
  wish: Wish,
  remoteId: string,
  { place, pause }: { place: OrderContext; pause: () => Promise<void> },
): Promise<Made> {
  let fetches = 0
  /** What the vendor answers as long as it knows nothing of the order. */
  let unknown: ProviderRejected | undefined
  for (let isKnown = false; ; ) {
    try {
      const address = await work.poll(remoteId, place)
      isKnown = true
      if (address) {
        fetches += 1
        return await work.collect(address, wish, place)
      }
    } catch (error) {
      if (error instanceof OrderFailed || !isOfVendor(error)) throw error
      if (fetches === fetchesMax) throw error instanceof ProviderBusy ? outOfReach(work, error) : error
      if (error instanceof ProviderRejected) unknown = error
    }
    await pause().catch((error) => {
      throw unknown && !isKnown && error instanceof OrderPending ? unknown : error
    })
  }
}

const isOfVendor = (error: unknown) => error instanceof ProviderBusy || error instanceof ProviderRejected

const outOfReach = ({ name }: { name: string }, cause: unknown) =>
  new OrderPending(`${name} has made this, and it cannot be fetched.`, { cause })
