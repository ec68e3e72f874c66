/** The promises of the service, each checked on the final state of a run and on what clients, receivers and platforms saw. */
import { countersTrue, permitsFree } from './invariants/counters.ts'
import { balances, paidAsEnded, settledRuns } from './invariants/credits.ts'
import { type Facts, factsOf, type Observed, reported } from './invariants/facts.ts'
import { postedOnce, scheduledWhileActive, slotsOnce } from './invariants/publishing.ts'
import { deletedIsGone, describedApart, oneEffectPerKey, repeatsAreEqual } from './invariants/requests.ts'
import { journalled, nothingWaits, numberedWithoutGaps, quietWithoutFaults } from './invariants/runs.ts'
import { bytesCounted, narrationsDescribed, noOrphans, objectsStay, referencesExist } from './invariants/storage.ts'
import { foreignersRefused, secretsHidden, tenantsApart } from './invariants/tenants.ts'
import {
  attemptsCounted,
  attemptsSpaced,
  delivered,
  failuresCounted,
  replayedOnce,
  signaturesFresh,
  signaturesValid,
} from './invariants/webhooks.ts'

export interface Invariant {
  name: string
  promise: string
  /** What breaks it; empty where it holds. */
  check: (facts: Facts) => string[]
  /** What has to hold at every time, also among faults. */
  always?: (facts: Facts) => string[]
  /** The part that the state at rest shows, with what clients and receivers saw: neither the order of writes nor their times. */
  atRest?: (facts: Facts) => string[]
}

export interface Violation {
  invariant: string
  promise: string
  what: string
}

export const invariants: readonly Invariant[] = [
  {
    name: 'I1',
    promise: 'The balance is the sum of the ledger.',
    check: balances,
    always: balances,
    atRest: balances,
  },
  {
    name: 'I2',
    promise: 'What a run reserved is captured or released, once.',
    check: (facts) => [...settledRuns(facts), ...paidAsEnded(facts), ...reported('I2')(facts)],
    atRest: (facts) => [...settledRuns(facts), ...paidAsEnded(facts)],
  },
  {
    name: 'I3',
    promise: 'A request with an idempotency key takes effect once.',
    check: (facts) => [...oneEffectPerKey(facts), ...reported('I3')(facts)],
    atRest: oneEffectPerKey,
  },
  { name: 'I4', promise: 'A run that has ended stays as it ended, and progress never falls.', check: reported('I4') },
  { name: 'I5', promise: 'Nothing waits for ever.', check: nothingWaits, atRest: nothingWaits },
  {
    name: 'I6',
    promise: 'Every end of a run is one event in a journal without gaps.',
    check: (facts) => [...journalled(facts), ...numberedWithoutGaps(facts), ...reported('I6')(facts)],
    atRest: numberedWithoutGaps,
  },
  {
    name: 'I7',
    promise: 'Every event reaches every endpoint, or its delivery says why not.',
    check: (facts) => [...delivered(facts), ...replayedOnce(facts), ...reported('I7')(facts)],
    atRest: delivered,
  },
  {
    name: 'I8',
    promise: 'A delivery is attempted at most six times, by one worker at a time, with the same bytes.',
    check: (facts) => [...attemptsCounted(facts), ...attemptsSpaced(facts), ...reported('I8')(facts)],
    atRest: attemptsCounted,
  },
  {
    name: 'I9',
    promise: 'Used storage is the sum of the stored objects.',
    check: bytesCounted,
    always: bytesCounted,
    atRest: bytesCounted,
  },
  { name: 'I10', promise: 'Nothing is left of what was deleted.', check: noOrphans, atRest: noOrphans },
  {
    name: 'I11',
    promise: 'No row names another workspace, and no request finds a record of one.',
    check: (facts) => [...tenantsApart(facts), ...foreignersRefused(facts)],
    atRest: tenantsApart,
  },
  {
    name: 'I12',
    promise: 'An endpoint counts its failed attempts, and is disabled after 25.',
    check: (facts) => [...failuresCounted(facts), ...reported('I12')(facts)],
    always: failuresCounted,
  },
  {
    name: 'I13',
    promise: 'An automation makes one clip for a slot.',
    check: (facts) => [...slotsOnce(facts), ...scheduledWhileActive(facts)],
  },
  {
    name: 'I14',
    promise: 'A post is made at most once, and reported as it is.',
    check: postedOnce,
    atRest: postedOnce,
  },
  {
    name: 'I15',
    promise: 'What was deleted cannot be read.',
    check: (facts) => [...deletedIsGone(facts), ...reported('I15')(facts)],
    atRest: deletedIsGone,
  },
  {
    name: 'I16',
    promise: 'What a record names exists, stays as it is, and facts describe their own sound.',
    check: (facts) => [...referencesExist(facts), ...narrationsDescribed(facts), ...objectsStay(facts)],
    atRest: referencesExist,
  },
  {
    name: 'I17',
    promise: 'A repeat gets the answer of the first request.',
    check: (facts) => [...repeatsAreEqual(facts), ...describedApart(facts)],
    atRest: repeatsAreEqual,
  },
  {
    name: 'I18',
    promise: 'No secret is in a log, a body or a row; every delivery is signed.',
    check: (facts) => [...secretsHidden(facts), ...signaturesValid(facts), ...signaturesFresh(facts)],
    atRest: (facts) => [...secretsHidden(facts), ...signaturesValid(facts)],
  },
  {
    name: 'I19',
    promise: 'Counters and permits are those of the records.',
    check: (facts) => [...countersTrue(facts), ...permitsFree(facts), ...reported('I19')(facts)],
    always: countersTrue,
    atRest: (facts) => [...countersTrue(facts), ...permitsFree(facts)],
  },
  { name: 'I20', promise: 'Without faults nothing fails, and nothing has to be repaired.', check: quietWithoutFaults },
]

/** The promises that are broken in the middle of a run. */
export const violationsSoFar = (observed: Observed): Violation[] => {
  const facts = factsOf(observed)
  return invariants.flatMap(({ name, promise, always }) =>
    (always?.(facts) ?? []).map((what) => ({ invariant: name, promise, what })),
  )
}

/** Every broken promise of a run. */
export const violationsOf = (observed: Observed): Violation[] => {
  const facts = factsOf(observed)
  return invariants.flatMap(({ name, promise, check }) =>
    check(facts).map((what) => ({ invariant: name, promise, what })),
  )
}
