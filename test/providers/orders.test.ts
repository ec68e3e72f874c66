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
import { inMemoryOrders, orderDepsFor, removeScratch, whilePending } from '../support/provider-orders.ts'

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
  return { submitted, order: (place: OrderContext) => runOrder(work, 'wish', place) }
}

const minutes = (count: number) => count * 60_000
const inTheEnd = (made: Promise<string>) => made.catch((error: Error) => error)

describe('two concurrent requests for the same result', () => {
  it('order it once: the second is pending until the first has placed it', async () => {
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
    await expect(order(orderDepsFor(orders))).rejects.toBeInstanceOf(OrderPending)
    placing.resolve('order-1')
    expect([await first, await order(orderDepsFor(orders))]).toEqual(['made /order-1', 'made /order-1'])
    expect(submits).toBe(1)
  })

  it('count it as lost if the first stopped without a result: it is not paid twice', async () => {
    const orders = inMemoryOrders()
    await orders.recordIntent(orderDepsFor().key)
    const { order, submitted } = vendor()
    await expect(order(orderDepsFor(orders))).rejects.toBeInstanceOf(OrderPending)
    await expect(whilePending(() => order(orderDepsFor(orders)), orders)).rejects.toThrow(
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
  it('is placed once and polled once by each attempt, however long the vendor takes', async () => {
    const orders = inMemoryOrders()
    let polls = 0
    const { order, submitted } = vendor({
      poll: async (remoteId) => {
        polls += 1
        return orders.now() < minutes(15) ? undefined : `/${remoteId}`
      },
    })
    for (let attempt = 1; attempt <= 90; attempt++) {
      await expect(order(orderDepsFor(orders))).rejects.toBeInstanceOf(OrderPending)
      expect(polls).toBe(attempt)
      orders.pass(10_000)
    }
    expect(await order(orderDepsFor(orders))).toBe('made /order-1')
    expect(submitted).toHaveLength(1)
  })

  it('that a busy vendor does not accept is pending, and is placed when the vendor accepts it', async () => {
    const orders = inMemoryOrders()
    let isBusy = true
    const { order } = vendor({
      submit: async () => {
        if (isBusy) throw new ProviderBusy('Acme is busy.')
        return 'order-1'
      },
    })
    await expect(order(orderDepsFor(orders))).rejects.toBeInstanceOf(OrderPending)
    expect(orders.noted.size).toBe(0)
    isBusy = false
    expect(await order(orderDepsFor(orders))).toBe('made /order-1')
  })

  it('is not given up if polling it is refused for a while', async () => {
    const orders = inMemoryOrders()
    let looks = 0
    const { order, submitted } = vendor({
      poll: async () => {
        looks += 1
        if (looks < 4) throw new ProviderRejected('Acme rejected this (status 404).')
        return '/late'
      },
    })
    expect(await whilePending(() => order(orderDepsFor(orders)), orders)).toBe('made /late')
    expect(submitted).toHaveLength(1)
  })

  it('that the vendor does not know ten minutes after it was placed is discarded, also one of an older record', async () => {
    const { order } = vendor({ poll: () => Promise.reject(new ProviderRejected('No such order.')) })
    const orders = inMemoryOrders()
    await expect(order(orderDepsFor(orders))).rejects.toBeInstanceOf(OrderPending)
    orders.pass(minutes(10) - 1)
    await expect(order(orderDepsFor(orders))).rejects.toBeInstanceOf(OrderPending)
    orders.pass(1)
    await expect(order(orderDepsFor(orders))).rejects.toThrow('No such order.')
    expect(orders.noted.size).toBe(0)
    orders.noted.set(orderDepsFor().key, { remoteId: 'order-1' })
    await expect(order(orderDepsFor(orders))).rejects.toThrow('No such order.')
  })

  it('stays pending while its polls are not answered, however old it is', async () => {
    const orders = inMemoryOrders()
    const { order } = vendor({ poll: () => Promise.reject(new ProviderBusy('It does not answer.')) })
    for (const _ of [1, 2]) {
      await expect(order(orderDepsFor(orders))).rejects.toBeInstanceOf(OrderPending)
      orders.pass(minutes(60))
    }
    expect(orders.noted.size).toBe(1)
  })

  it('whose result cannot be downloaded stays an order', async () => {
    const orders = inMemoryOrders()
    let downloads = 0
    const { order, submitted } = vendor({
      collect: async (address) => {
        downloads += 1
        if (downloads < 3) throw new OutcomeUnknown('The connection broke off.')
        return `made ${address}`
      },
    })
    await expect(order(orderDepsFor(orders))).rejects.toBeInstanceOf(OrderPending)
    expect(await whilePending(() => order(orderDepsFor(orders)), orders)).toBe('made /order-1')
    expect([downloads, submitted.length]).toEqual([3, 1])
  })

  it('is polled for a new address when the old one is refused, three times in an attempt', async () => {
    const orders = inMemoryOrders()
    let downloads = 0
    const { order } = vendor({
      collect: () => {
        downloads += 1
        return Promise.reject(new ProviderRejected('It is no clip.'))
      },
    })
    await expect(order(orderDepsFor(orders))).rejects.toThrow('It is no clip.')
    expect([downloads, orders.noted.size]).toEqual([3, 0])
  })
})
