// The fault plan: what is to go wrong at which call of which platform. A fault happens once (or as often as it says) and is used up.

import * as v from 'valibot'
import { platforms } from '../../../lib/domain/core/platform.ts'

/**
 * The frame carries out these:
 *   reset-before        the request is read and the connection cut: nothing was done
 *   late:<seconds>      the connection is cut, and everything is done so much later: the platform was at work on it
 *   reset-after         everything is done, and the connection is cut instead of an answer
 *   truncate, bad-json  everything is done, and half an answer comes, or one that is no JSON
 *   http:<status>       the platform's own server trouble: nothing was done
 *   http-after:<status> the same, but everything was done
 *   expire-token, revoke  the token of the request ends at this moment
 *   rate-limit:<seconds>  the platform's own word for too many requests
 * All others reach the call as `ask.fault`: stuck-processing, fail:<reason>, quota-full, duplicate and what else a platform has.
 */
export const faultSchema = v.strictObject({
  platform: v.picklist(platforms.map(({ id }) => id)),
  op: v.string(),
  /** At which of these calls, counted from now; the next one when absent. */
  nth: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1),
  kind: v.string(),
  /** How many calls in a row, from there. */
  times: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1),
})
type FaultInput = v.InferInput<typeof faultSchema>

export interface Fault {
  readonly kind: string
  /** What stands behind the colon, or nothing. */
  readonly detail: string
}

export interface FaultPlan {
  plan(wish: FaultInput): void
  /** Counts a call, and tells what is to go wrong with it. */
  next(platform: string, op: string): Fault | undefined
  clear(): void
}

export function createFaultPlan(): FaultPlan {
  let planned: v.InferOutput<typeof faultSchema>[] = []
  return {
    plan: (wish) => void planned.push(v.parse(faultSchema, wish)),
    clear: () => {
      planned = []
    },
    next(platform, op) {
      const [due] = planned.filter((one) => one.platform === platform && one.op === op && one.nth === 1)
      planned = planned.flatMap((one) => {
        if (one.platform !== platform || one.op !== op) return [one]
        if (one.nth > 1) return [{ ...one, nth: one.nth - 1 }]
        if (one !== due) return [one]
        return one.times > 1 ? [{ ...one, times: one.times - 1 }] : []
      })
      if (!due) return undefined
      const [kind = '', ...detail] = due.kind.split(':')
      return { kind, detail: detail.join(':') }
    },
  }
}
