/** A bill: so much of this and that, each at its price. */
import { awsPrices, type ListPrice, type PriceName } from './prices.ts'

/** How much of each thing is used. */
export type Bill = Partial<Record<PriceName, number>>

export const usdOf = (name: PriceName, amount: number): number => awsPrices[name].usd * amount

/** Nothing is free. */
export const billTotal = (bill: Bill): number =>
  linesOf(bill).reduce((sum, [name, amount]) => sum + usdOf(name, amount), 0)

/** After what an account gets for nothing, if it uses it for nothing else. */
export function billTotalBeyondFreeTier(bill: Bill): number {
  const beyond = linesOf(bill).map(([name, amount]) => {
    const { free = 0 }: ListPrice = awsPrices[name]
    return usdOf(name, Math.max(amount - free, 0))
  })
  return beyond.reduce((sum, usd) => sum + usd, 0)
}

/** The dearest first. */
export const linesOf = (bill: Bill): [PriceName, number][] =>
  (Object.entries(bill) as [PriceName, number][]).toSorted(([a, x], [b, y]) => usdOf(b, y) - usdOf(a, x))

export function addBills(...bills: readonly Bill[]): Bill {
  const whole: Bill = {}
  for (const [name, amount] of bills.flatMap(linesOf)) whole[name] = (whole[name] ?? 0) + amount
  return whole
}

export const scaleBill = (bill: Bill, factor: number): Bill =>
  Object.fromEntries(linesOf(bill).map(([name, amount]) => [name, amount * factor]))
