/** A bill: quantities by price name, and their totals. */
import { awsPrices, type ListPrice, type PriceName } from './prices.ts'

/** The quantity of each billed unit. */
export type Bill = Partial<Record<PriceName, number>>

export const usdOf = (name: PriceName, amount: number): number => awsPrices[name].usd * amount

/** The total without the free tier. */
export const billTotal = (bill: Bill): number =>
  linesOf(bill).reduce((sum, [name, amount]) => sum + usdOf(name, amount), 0)

/** The total beyond the free tier of an account that holds nothing else. */
export function billTotalBeyondFreeTier(bill: Bill): number {
  const beyond = linesOf(bill).map(([name, amount]) => {
    const { free = 0 }: ListPrice = awsPrices[name]
    return usdOf(name, Math.max(amount - free, 0))
  })
  return beyond.reduce((sum, usd) => sum + usd, 0)
}

/** Lines in descending order of their price. */
export const linesOf = (bill: Bill): [PriceName, number][] =>
  (Object.entries(bill) as [PriceName, number][]).toSorted(([a, x], [b, y]) => usdOf(b, y) - usdOf(a, x))

export function addBills(...bills: readonly Bill[]): Bill {
  const whole: Bill = {}
  for (const [name, amount] of bills.flatMap(linesOf)) whole[name] = (whole[name] ?? 0) + amount
  return whole
}

export const scaleBill = (bill: Bill, factor: number): Bill =>
  Object.fromEntries(linesOf(bill).map(([name, amount]) => [name, amount * factor]))
