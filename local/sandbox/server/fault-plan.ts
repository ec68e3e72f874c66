// The fault plan: faults to inject, by platform and operation. A fault is injected once, or `times` times.

import * as v from 'valibot'
import { platforms } from '../../../lib/domain/core/platform.ts'

/**
 * Faults that the dispatcher carries out:
 *   reset-before        the request is read and the connection closed; nothing is done
 *   late:<seconds>      the connection is closed, and the operation is executed that much later, as if the platform were still working
 *   reset-after         the operation is executed, and the connection is closed without a response
 *   truncate, bad-json  the operation is executed, and the response is truncated or not JSON
 *   http:<status>       a server error of the platform; nothing is done
 *   http-after:<status> a server error after the operation was executed
 *   expire-token, revoke  the token of the request expires or is revoked now
 *   rate-limit:<seconds>  the platform's rate limit error
 * All others reach the operation as `ask.fault`: stuck-processing, fail:<reason>, quota-full, duplicate and others of a platform.
 */
export const faultSchema = v.strictObject({
  platform: v.picklist(platforms.map(({ id }) => id)),
  op: v.string(),
  /** The number of the matching call, counted from now; default: the next one. */
  nth: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1),
  kind: v.string(),
  /** The number of consecutive calls. */
  times: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1),
})
type FaultInput = v.InferInput<typeof faultSchema>

export interface Fault {
  readonly kind: string
  /** The part after the colon, or an empty string. */
  readonly detail: string
}

export interface FaultPlan {
  plan(fault: FaultInput): void
  /** Counts a call and returns its fault, if any. */
  next(platform: string, op: string): Fault | undefined
  clear(): void
}

export function createFaultPlan(): FaultPlan {
  let planned: v.InferOutput<typeof faultSchema>[] = []
  return {
    plan: (fault) => void planned.push(v.parse(faultSchema, fault)),
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
