/** The contract of every vendor with a queue: one order, even after crashes. */
import { describe, expect, it } from 'vitest'
import { ProviderRejected } from '../../lib/domain/core/failures.ts'
import type { Clip } from '../../lib/providers/footage/index.ts'
import { type OrderContext, OrderPending } from '../../lib/providers/vendor-orders.ts'
import type { FakeVendor, VendorFault } from '../support/fake-vendors/fake-vendor.ts'
import { hostileVideo } from '../support/fake-vendors/media.ts'
import {
  type Attempts,
  CrashPoint,
  inMemoryOrders,
  orderDepsFor,
  SimulatedCrash,
  whilePending,
} from '../support/provider-orders.ts'

/** A stand-in, reset for each test. */
export interface QueuedVendor {
  vendor: FakeVendor
  /** The number of orders that it accepted. */
  orders: () => number
  deduplicates: boolean
  /** Orders the one clip of the suite. */
  make: (place: OrderContext) => Promise<Clip>
  /** The faults for the request that places an order; requests before that one pass. */
  failOrder: (fault: VendorFault) => unknown
  /** Keeps the order in progress for this many polls. */
  setPendingPolls: (looks: number) => unknown
  /** Makes the order fail, or succeed again. */
  failJobs: (does: boolean) => unknown
  /** Replaces the files of the next results: bytes, or null for an expired address. */
  queueFiles: (...files: (Uint8Array | null)[]) => unknown
}

/** Short, so that a failed test prints no clip. */
const outcome = (made: Promise<Clip>) => made.then(({ bytes }) => (bytes.length > 0 ? 'made' : 'empty'))

export function orderSuite(name: string, start: () => QueuedVendor): void {
  const attempt = (ordered: QueuedVendor, orders = inMemoryOrders()) => outcome(ordered.make(orderDepsFor(orders)))
  const made = (ordered: QueuedVendor, orders = inMemoryOrders(), fate = new CrashPoint(), attempts: Attempts = {}) =>
    whilePending(() => outcome(ordered.make(orderDepsFor(orders, fate))), orders, attempts)

  describe(`an order of ${name}`, () => {
    it('is placed once and polled until the result is available', async () => {
      const ordered = start()
      ordered.setPendingPolls(3)
      await made(ordered)
      expect(ordered.orders()).toBe(1)
    })

    it('is placed once, wherever its worker is killed', async () => {
      const begin = () => {
        const ordered = start()
        ordered.setPendingPolls(1)
        return ordered
      }
      const whole = new CrashPoint()
      await made(begin(), inMemoryOrders(), whole)
      const deaths = Array.from({ length: whole.steps }, (_, at) => ({ at, when: 'before' as const }))
      // The vendor is called between the intent and the next step.
      for (const { at, when } of [...deaths, { at: 1, when: 'after' as const }]) {
        const [ordered, orders] = [begin(), inMemoryOrders()]
        await expect(made(ordered, orders, new CrashPoint(at, when))).rejects.toBeInstanceOf(SimulatedCrash)
        const again = await made(ordered, orders).catch((error: Error) => error)
        // If it is unknown whether it was placed, it is placed again only if the vendor recognises repeats.
        const isLost = again instanceof ProviderRejected && /lost/.test(again.message)
        expect({ at, when, orders: ordered.orders(), isLost }).toEqual({
          at,
          when,
          orders: isLost ? expect.toBeOneOf([0, 1]) : 1,
          isLost: isLost && !ordered.deduplicates,
        })
      }
    })

    it('is not placed again if its response was lost, unless the vendor recognises repeats', async () => {
      const [ordered, orders] = [start(), inMemoryOrders()]
      ordered.failOrder('lost')
      const first = { name: ordered.deduplicates ? 'ProviderBusy' : 'ProviderRejected' }
      await expect(attempt(ordered, orders)).rejects.toMatchObject(first)
      for (const _ of [1, 2]) {
        const again = await made(ordered, orders).catch((error: Error) => error)
        if (ordered.deduplicates) expect(again).toBe('made')
        else
          expect(again).toMatchObject({
            name: 'ProviderRejected',
            message: expect.stringContaining('not ordered again'),
          })
      }
      expect(ordered.orders()).toBe(1)
    })

    it('is placed again if the vendor was too busy to accept it', async () => {
      const [ordered, orders] = [start(), inMemoryOrders()]
      ordered.failOrder({ status: 429, body: {} })
      await expect(attempt(ordered, orders)).rejects.toBeInstanceOf(OrderPending)
      expect(await made(ordered, orders)).toBe('made')
      expect(ordered.orders()).toBe(1)
    })

    it('whose response was lost stays the same order, also if the vendor is too busy to be called again', async () => {
      const [ordered, orders] = [start(), inMemoryOrders()]
      ordered.failOrder('lost')
      await attempt(ordered, orders).catch(() => {})
      ordered.failOrder({ status: 429, body: {} })
      await attempt(ordered, orders).catch(() => {})
      await made(ordered, orders).catch(() => {})
      expect(ordered.orders()).toBe(1)
    })

    it('continues after the run that waited for it has ended', async () => {
      const [ordered, orders] = [start(), inMemoryOrders()]
      ordered.setPendingPolls(14)
      await expect(made(ordered, orders)).rejects.toThrow(/still processing/)
      expect(await made(ordered, orders)).toBe('made')
      expect(ordered.orders()).toBe(1)
    })

    it('is polled further after failed polls', async () => {
      const ordered = start()
      ordered.vendor.fault = null
      let waits = 0
      const wait = () => {
        waits += 1
        if (waits < 4) ordered.vendor.faults.push({ status: waits === 2 ? 404 : 500, body: {} })
      }
      expect(await made(ordered, inMemoryOrders(), new CrashPoint(), { wait })).toBe('made')
      expect(ordered.orders()).toBe(1)
    })

    it('that failed is reported as such, and is placed again by the next request', async () => {
      const [ordered, orders] = [start(), inMemoryOrders()]
      ordered.failJobs(true)
      await expect(made(ordered, orders)).rejects.toBeInstanceOf(ProviderRejected)
      expect(orders.noted.size).toBe(0)
      ordered.failJobs(false)
      await made(ordered, orders)
      expect(ordered.orders()).toBe(2)
    })

    it('is fetched from its new address if the old one has expired', async () => {
      const ordered = start()
      ordered.queueFiles(null)
      expect(await made(ordered)).toBe('made')
      expect(ordered.orders()).toBe(1)
    })

    it('with a result that is not a clip is refused', async () => {
      const ordered = start()
      ordered.queueFiles(hostileVideo(), Buffer.from('<html></html>'), null, hostileVideo())
      await expect(made(ordered)).rejects.toBeInstanceOf(ProviderRejected)
    })
  })
}
