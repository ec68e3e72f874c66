/** What can go wrong in a run. Each seed draws its own probabilities; many are 0, so that every fault is also seen alone. */
import type { Random } from './random.ts'

/** Of each call of a service. */
const callFaults = {
  throttled: 0.06,
  conflict: 0.06,
  /** Neither done nor answered. */
  unsent: 0.02,
  /** Done, not answered. */
  unanswered: 0.03,
  slow: 0.04,
  /** A transaction that is done after its caller has given up waiting. */
  late: 0.06,
  /** The process dies before, or after, the call takes effect. */
  crashBefore: 0.006,
  crashAfter: 0.006,
}

const otherFaults = {
  /** A call that takes effect late, but is answered. */
  slowRequest: 0.04,
  /** A transaction that takes effect late: others come between it and what was read before. */
  slowTransaction: 0.1,
  /** A transaction of a process that died after sending it, which takes effect once others have taken over. */
  sentByDead: 0,
  /** A function that does not start, or whose answer is lost. */
  invocation: 0.04,
  /** A function whose caller gives up while it runs, and invokes it again beside itself. */
  unawaited: 0.04,
  /** A function that cannot be invoked for minutes: the retries of a state are used up. */
  functionDown: 0.05,
  /** A process that dies at work: out of memory, at its deadline, or interrupted on Spot. */
  workDies: 0.3,
  /** A batch of messages, reads or deletions of which AWS does only a part. */
  partialBatch: 0.2,
  duplicateMessage: 0.3,
  duplicateRecord: 0.3,
  lostRecord: 0.08,
  lateRecord: 0.1,
  lostExecution: 0.04,
  vendorBusy: 0.15,
  vendorFails: 0.05,
  receiverFails: 0.5,
  receiverHangs: 0.1,
  /** An endpoint that fails until the faults end. */
  receiverDown: 0.5,
  /** A 410: the endpoint is never to be called again. */
  receiverGone: 0.03,
  platformDies: 0.6,
  /** A platform that takes almost as long as a request may. */
  platformSlow: 0.2,
  platformUnreachable: 0.2,
  platformRefuses: 0.1,
  platformBusy: 0.2,
  /** A platform that never shows the posts of an account. */
  platformDenies: 0.1,
  tokenRefused: 0.1,
  scheduleLost: 0.2,
  scheduleTwice: 0.3,
  scheduleLate: 0.3,
  sweepTwice: 0.2,
  sweepLost: 0.3,
  uploadEventLost: 0.5,
  staleIndex: 0.4,
  /** A read that need not be consistent, and shows an item as it was before its last write. */
  staleRead: 0.5,
}

/** Some seeds often delay one kind of call, so that other calls come between it and what was read before. */
const slowOperations = { probability: 0.4, names: ['Get', 'Query', 'Update', 'TransactWrite', 'PutObject'] }

export type CallFault = keyof typeof callFaults
export type OtherFault = keyof typeof otherFaults
export type FaultName = CallFault | OtherFault

export const faultNames = [...Object.keys(callFaults), ...Object.keys(otherFaults)] as FaultName[]

export interface Faults {
  /** Probabilities by name. */
  readonly weights: Readonly<Record<FaultName, number>>
  /** What was injected, by name. */
  readonly injected: Map<FaultName, number>
  isOn: boolean
  /** Whether this fault happens now. */
  happens: (name: FaultName) => boolean
  /** Whether a call of this operation takes effect late. */
  delays: (operation: string) => boolean
  /** The fault of a call, if any. */
  ofCall: (isPossible: (name: CallFault) => boolean) => CallFault | undefined
}

/** The highest probabilities of faults that a theme is about. */
export type LikelyFaults = Partial<Record<FaultName, number>>

export function createFaults(
  random: Random,
  disabled: ReadonlySet<string> = new Set(),
  likely: LikelyFaults = {},
): Faults {
  const shareOfSeeds = random.pick([0, 0.3, 0.6, 0.9])
  const weightOf = (name: FaultName, max: number): number => {
    if (disabled.has(name)) return 0
    const likelyMax = likely[name]
    if (likelyMax !== undefined) return random.chance(0.8) ? likelyMax * (0.5 + random.next() / 2) : 0
    if (max === 0) return 0
    return random.chance(shareOfSeeds) ? max * random.next() : 0
  }
  const draw = ([name, max]: [string, number]) => [name, weightOf(name as FaultName, max)]
  const weights = Object.fromEntries(Object.entries({ ...callFaults, ...otherFaults }).map(draw)) as Faults['weights']
  const names = (Object.keys(callFaults) as CallFault[]).filter((name) => weights[name] > 0)
  const slowOperation = weights.slowRequest > 0 && random.chance(0.5) ? random.pick(slowOperations.names) : undefined
  const injected = new Map<FaultName, number>()
  const count = (name: FaultName) => injected.set(name, (injected.get(name) ?? 0) + 1)
  const draws = (name: FaultName, probability: number) => {
    const isHit = faults.isOn && probability > 0 && random.chance(probability)
    if (isHit) count(name)
    return isHit
  }
  const faults: Faults = {
    weights,
    injected,
    isOn: true,
    happens: (name) => draws(name, weights[name]),
    delays: (operation) =>
      draws('slowRequest', operation === slowOperation ? slowOperations.probability : weights.slowRequest) ||
      (operation === 'TransactWrite' && draws('slowTransaction', weights.slowTransaction)),
    ofCall: (isPossible) => {
      if (!faults.isOn || names.length === 0) return undefined
      let rest = random.next()
      for (const name of names) {
        rest -= weights[name]
        if (rest >= 0) continue
        if (!isPossible(name)) return undefined
        count(name)
        return name
      }
      return undefined
    },
  }
  return faults
}
