/** How an order is placed and polled, for any vendor: concurrently, with responses that are lost, late or wrong. */
import { afterEach, describe, expect, it } from 'vitest'
import { OutcomeUnknown, ProviderBusy, ProviderRejected } from '../../lib/domain/core/failures.ts'
import {
  type OrderApi,
  type OrderContext,
  OrderFailed,
  OrderPending,
  runOrder,
} from '../../lib/providers/vendor-orders.ts'
import { inMemoryOrders, orderDepsFor, removeScratch, testPollPolicy } from '../support/provider-orders.ts'

afterEach(removeScratch)

/** A vendor that accepts every order and completes it at once. */
function vendor(does: Partial<OrderApi<string, string>> = {}) {
  const submitted: string[] = []
  const work: OrderApi<string, string> = {
    name: 'Acme',
    isIdempotent: false,
    submit: async (_, token) => `order-${submitted.push(token)}`,
    poll: async (remoteId) => `/${remoteId}`,
    collect: async (address) => `made ${address}`,
    ...does,
  }
  return {
    submitted,
    order: (place: OrderContext, waiting = testPollPolicy()) => runOrder(work, 'wish', place, waiting),
  }
}

const inTheEnd = (made: Promise<string>) => made.catch((error: Error) => error)

describe('two concurrent requests for the same result', () => {
  it('order it once: the second waits until the first has placed it', async () => {
    const orders = inMemoryOrders()
    const placing = Promise.withResolvers<string>()
    let submits = 0
    const { order } = vendor({
      submit: () => {
        submits += 1
        return placing.promise
      },
    })
    const first = order(orderDepsFor(orders))
    const { now, ...waiting } = testPollPolicy()
    const wait = async () => placing.resolve('order-1')
    const second = order(orderDepsFor(orders), { ...waiting, now, wait })
    expect([await first, await second]).toEqual(['made /order-1', 'made /order-1'])
    expect(submits).toBe(1)
  })

  it('count it as lost if the first stopped without a result: it is not paid twice', async () => {
    const orders = inMemoryOrders()
    await orders.recordIntent(orderDepsFor().key, 0)
    const { order, submitted } = vendor()
    await expect(order(orderDepsFor(orders))).rejects.toThrow(
      'was lost. To avoid a double charge, it is not ordered again.',
    )
    expect(submitted).toEqual([])
  })

  it('discard no newer order if they learn late that the old one failed', async () => {
    const orders = inMemoryOrders()
    const late = Promise.withResolvers<undefined>()
    const { order } = vendor({ poll: () => late.promise })
    const first = inTheEnd(order(orderDepsFor(orders)))
    await expect.poll(() => orders.noted.size).toBe(1)
    orders.noted.set(orderDepsFor().key, { remoteId: 'newer' })
    late.reject(new OrderFailed('It failed.'))
    expect(await first).toBeInstanceOf(OrderFailed)
    expect(await orders.find(orderDepsFor().key)).toEqual({ remoteId: 'newer' })
  })
})

describe('an order', () => {
  it('is not given up if polling it is refused for a while', async () => {
    let looks = 0
    const { order, submitted } = vendor({
      poll: async () => {
        looks += 1
        if (looks < 4) throw new ProviderRejected('Acme rejected this (status 404).')
        return '/late'
      },
    })
    expect(await order(orderDepsFor())).toBe('made /late')
    expect(submitted).toHaveLength(1)
  })

  it('that the vendor never knows is discarded', async () => {
    const orders = inMemoryOrders()
    const { order } = vendor({ poll: () => Promise.reject(new ProviderRejected('No such order.')) })
    await expect(order(orderDepsFor(orders))).rejects.toThrow('No such order.')
    expect(orders.noted.size).toBe(0)
  })

  it('has a deadline by the clock, however long each poll takes', async () => {
    let [now, looks] = [0, 0]
    const { order } = vendor({
      poll: async () => {
        looks += 1
        now += 60_000
        throw new ProviderBusy('It does not answer.')
      },
    })
    const slow = { ...testPollPolicy(), now: () => now }
    await expect(order({ ...orderDepsFor(), waitMs: 180_000 }, slow)).rejects.toBeInstanceOf(OrderPending)
    expect(looks).toBe(3)
  })

  it('whose result cannot be downloaded is tried three times, and stays an order', async () => {
    const orders = inMemoryOrders()
    let downloads = 0
    const { order } = vendor({
      collect: async () => {
        downloads += 1
        throw new OutcomeUnknown('The connection broke off.')
      },
    })
    await expect(order(orderDepsFor(orders))).rejects.toBeInstanceOf(OrderPending)
    expect([downloads, orders.noted.size]).toEqual([3, 1])
  })

  it('releases its turn while it waits', async () => {
    let away = 0
    const meanwhile = async <Waited>(wait: () => Promise<Waited>) => {
      away += 1
      return wait()
    }
    const looks = [undefined, undefined, '/done']
    const { order } = vendor({ poll: async () => looks.shift() })
    await order({ ...orderDepsFor(), releaseWhile: meanwhile })
    expect(away).toBe(2)
  })
})
