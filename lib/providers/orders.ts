/**
 * What is ordered of vendors that take minutes: bought once, whatever ends on the way. Before a vendor is asked an intent is noted,
 * right after it the vendor's id for the order. Who comes later asks after the order instead of placing another.
 */
import { AccountExpired, AnswerLost, ProviderBusy, ProviderRejected } from './failures.ts'

/** The orders of one video, each under the key of the artefact that it is for. */
export interface Orders {
  /** The vendor's id for an order, or the order's own token while nobody knows whether the vendor took it. */
  find(key: string): Promise<{ remoteId: string } | { token: string } | undefined>
  /** Notes that the vendor is about to be asked, and gives the order a token. Undefined where somebody else was first. */
  intend(key: string): Promise<string | undefined>
  /** Notes the vendor's id. */
  confirm(key: string, remoteId: string): Promise<void>
  /** Forgets an order that the vendor did not take, or that came to nothing: it may be placed again. */
  withdraw(key: string): Promise<void>
}

/** Where something is made, and where orders for it are noted. */
export interface OrderPlace {
  /** For scratch files; exists and belongs to the call. */
  directory: string
  orders: Orders
  /** Under which the result will be kept: the hash of the wish and of who makes it. */
  key: string
  signal: AbortSignal
}

/** A vendor with a queue. Each step asks once and waits for nothing. */
export interface OrderedWork<Wish, Made> {
  /** As clients may read it. */
  name: string
  /** Whether an order that is placed again under its token is the same order for the vendor. */
  deduplicates: boolean
  /** Places the order and answers the vendor's id for it. `token` belongs to the order alone: 32 letters and figures. */
  submit(wish: Wish, token: string, place: OrderPlace): Promise<string>
  /** Where the result lies, or undefined while the vendor is at it. Throws `ProviderRejected` where it gave up. */
  poll(remoteId: string): Promise<string | undefined>
  /** Fetches the result and reads it. Its address expires. */
  collect(address: string, wish: Wish, place: OrderPlace): Promise<Made>
}

/** How long is waited for a result. `wait` is a door, so that tests need not. */
export interface Patience {
  wait(ms: number, signal: AbortSignal): Promise<unknown>
  pollMs: number
  /** When so much was waited the order stays where it is: who tries again later polls on. */
  deadlineMs: number
}

/** The order is placed and was waited for: there is nothing to ask for again soon. */
export class StillMaking extends ProviderBusy {}

/** An address that has expired is asked for again so often. */
const collectionsMax = 3

/**
 * Has something made and waits for it. `StillMaking` where it is not there in time, `ProviderRejected` where it never will be: also
 * where an answer was lost and nobody can tell whether the order was taken.
 */
export async function fulfil<Wish, Made>(
  work: OrderedWork<Wish, Made>,
  wish: Wish,
  place: OrderPlace,
  { wait, pollMs, deadlineMs }: Patience,
): Promise<Made> {
  const remoteId = await placed(work, wish, place)
  let collections = 0
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    place.signal.throwIfAborted()
    try {
      const address = await work.poll(remoteId)
      if (address) {
        collections += 1
        return await work.collect(address, wish, place).catch((error) => {
          throw collections < collectionsMax ? expired(error) : error
        })
      }
    } catch (error) {
      // What the vendor gave up is not looked for again: whoever wishes it anew orders it anew.
      if (error instanceof ProviderRejected) await place.orders.withdraw(place.key)
      // A look that failed is no failed order.
      if (!(error instanceof ProviderBusy)) throw error
    }
    if (waitedMs >= deadlineMs) throw new StillMaking(`${work.name} is still at it.`)
    await wait(pollMs, place.signal)
  }
}

/** The vendor's id for the order, which is placed unless it was before. */
async function placed<Wish, Made>(work: OrderedWork<Wish, Made>, wish: Wish, place: OrderPlace): Promise<string> {
  const { orders, key } = place
  const known = await orders.find(key)
  if (known && 'remoteId' in known) return known.remoteId
  if (known && !work.deduplicates)
    throw new ProviderRejected(`${work.name} was asked for this before and its answer was lost. It is not paid twice.`)
  const token = known ? known.token : await orders.intend(key)
  if (!token) throw new ProviderBusy(`This is being ordered of ${work.name} by somebody else.`)
  try {
    const remoteId = await work.submit(wish, token, place)
    await orders.confirm(key, remoteId)
    return remoteId
  } catch (error) {
    // Of an order that was placed before, a no to the second try says nothing.
    if (!known && wasNotTaken(error)) await orders.withdraw(key)
    throw error
  }
}

const wasNotTaken = (error: unknown) =>
  error instanceof ProviderRejected ||
  error instanceof AccountExpired ||
  (error instanceof ProviderBusy && !(error instanceof AnswerLost))

/** The next look gives a new address. */
const expired = (error: unknown) =>
  error instanceof ProviderRejected ? new ProviderBusy('The result cannot be fetched.', { cause: error }) : error
