/**
 * Runs a publisher the way the engine does: what may publish is done once, after its intent was written down; where its answer is
 * missing the platform is read, and nothing is sent again blindly. Waits are moves of the sandbox's clock.
 */
import { NoAnswer, NotSent } from '../../lib/publishers/failures.ts'
import type {
  Found,
  PlatformHttp,
  Post,
  PostingAccount,
  PostingState,
  Publisher,
  ReadFilm,
  StepOutcome,
} from '../../lib/publishers/index.ts'
import { isOnItsWay } from '../../lib/publishers/on-its-way.ts'
import type { SandboxClock } from '../../local/sandbox/clock.ts'

export interface Driving {
  publisher: Publisher
  post: Post
  account: PostingAccount
  readFilm: ReadFilm
  http: PlatformHttp
  clock: SandboxClock
  /** A token that holds as far as one knows; with `isNew` after the platform has refused one. Null when there is none any more. */
  token(isNew: boolean): string | null
  /** The engine dies after the step with this number, before it could write down what came of it. */
  diesAfterStep?: number
}

export type DriveEnd =
  | { kind: 'done'; externalId: string; url: string | null; isAdopted: boolean }
  | { kind: 'refused'; code: string; message: string }
  | { kind: 'duplicate' }
  | { kind: 'unauthorised' }
  /** The same step again and again came to nothing, and nothing appeared. */
  | { kind: 'gave-up' }
  /** It was sent, and nobody can say what became of it. */
  | { kind: 'unknown' }

export interface Drive {
  end: DriveEnd
  /** The names of the steps that were run, in order. */
  steps: string[]
  /** Every state that would have been stored. */
  states: PostingState[]
}

const stepsMax = 400
/** Attempts in a row without getting on. */
const attemptsMax = 10

/** Where a run is; the engine has it in its store. */
interface Place {
  state: PostingState
  isOnItsWay: boolean
  isTokenNew: boolean
  attempts: number
}

export async function drive(driving: Driving): Promise<Drive> {
  const { publisher, post } = driving
  const [steps, states]: [string[], PostingState[]] = [[], []]
  const place: Place = { state: stored(publisher.first(post)), isOnItsWay: false, isTokenNew: false, attempts: 0 }
  const ended = (end: DriveEnd): Drive => ({ end: saidTruly(end, place), steps, states })
  for (let step = 1; step <= stepsMax && place.attempts < attemptsMax; step++) {
    const token = driving.token(place.isTokenNew)
    if (token === null) return ended({ kind: 'unauthorised' })
    steps.push(place.state.step)
    states.push(place.state)
    const outcome = await outcomeOf(driving, place.state, token, step === driving.diesAfterStep)
    place.isTokenNew = outcome === 'no-answer' || outcome.kind === 'unauthorised'
    const end = outcome === 'no-answer' ? await endWithoutAnswer(driving, place) : endAfter(driving, place, outcome)
    if (end) return ended(end)
  }
  return ended({ kind: 'gave-up' })
}

/** A post that may be on its way is not reported as one that failed, unless the platform itself says so. */
const saidTruly = (end: DriveEnd, { isOnItsWay }: Place): DriveEnd =>
  isOnItsWay && (end.kind === 'unauthorised' || end.kind === 'gave-up') ? { kind: 'unknown' } : end

/** A step that may publish is looked after, any other is done again. */
async function endWithoutAnswer(driving: Driving, place: Place): Promise<DriveEnd | undefined> {
  driving.clock.advance(5_000)
  place.attempts++
  if (!driving.publisher.mayPublish(place.state)) return undefined
  const found = await whatBecameOf(driving, place.state)
  if (found.kind === 'published') return { ...found, kind: 'done', isAdopted: true }
  if (found.kind === 'unsure') return { kind: 'unknown' }
  place.state = stored(found.state)
  place.isOnItsWay = false
  return undefined
}

function endAfter(
  { publisher, post, clock }: Driving,
  place: Place,
  outcome: StepOutcome<PostingState>,
): DriveEnd | undefined {
  switch (outcome.kind) {
    case 'continue': {
      const { state: to, waitSeconds = 0 } = outcome
      if (to.step !== place.state.step) place.attempts = 0
      place.isOnItsWay = isOnItsWay(publisher, post, { from: place.state, to, was: place.isOnItsWay })
      place.state = stored(to)
      clock.advance(waitSeconds * 1000)
      return undefined
    }
    case 'retry':
      clock.advance(outcome.waitSeconds * 1000)
      place.attempts++
      return undefined
    case 'unauthorised':
      place.attempts++
      return undefined
    case 'done':
      return { ...outcome, isAdopted: false }
    case 'refused':
      return outcome
    case 'duplicate': {
      const { externalId, url } = outcome
      return externalId ? { kind: 'done', externalId, url, isAdopted: true } : { kind: 'duplicate' }
    }
  }
}

/** As it comes out of storage. */
const stored = <State extends PostingState>(state: State): State => JSON.parse(JSON.stringify(state))

const placeOf = ({ post, account, http, readFilm, clock }: Driving, token: string) => ({
  post,
  account,
  token,
  http,
  readFilm,
  now: new Date(clock.now()).toISOString(),
})

async function outcomeOf(
  driving: Driving,
  state: PostingState,
  token: string,
  dies: boolean,
): Promise<StepOutcome<PostingState> | 'no-answer'> {
  try {
    const outcome = await driving.publisher.step(state, placeOf(driving, token))
    return dies ? 'no-answer' : outcome
  } catch (error) {
    if (error instanceof NoAnswer) return 'no-answer'
    if (error instanceof NotSent) return { kind: 'retry', waitSeconds: 5, message: error.message }
    throw error
  }
}

/** Looks until the platform tells, with a new token each time: an old one may be why it did not. */
async function whatBecameOf(driving: Driving, state: PostingState): Promise<Found<PostingState>> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const token = driving.token(attempt > 0)
    if (token === null) break
    const found = await foundBy(driving, state, token)
    if (found.kind !== 'unsure') return found
    driving.clock.advance(found.waitSeconds * 1000)
  }
  return { kind: 'unsure', waitSeconds: 0 }
}

async function foundBy(driving: Driving, state: PostingState, token: string): Promise<Found<PostingState>> {
  try {
    return await driving.publisher.reconcile(state, placeOf(driving, token))
  } catch (error) {
    if (error instanceof NoAnswer || error instanceof NotSent) return { kind: 'unsure', waitSeconds: 5 }
    throw error
  }
}
