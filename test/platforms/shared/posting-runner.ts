/**
 * Runs a posting with the product's own steps to its end, against a sandbox: the store is in memory, waits move the
 * sandbox's clock, and a worker that crashes is restarted.
 */

import { secondsAfter } from '../../../lib/domain/core/time.ts'
import {
  newPosting,
  type Post,
  type Posting,
  type PostingAccount,
  type PostingState,
} from '../../../lib/domain/publishing/posting.ts'
import type { Account } from '../../../lib/domain/records/account.ts'
import type { PlatformHttp, Publisher, ReadRender } from '../../../lib/platforms/publisher.ts'
import { WriteConflict } from '../../../lib/store/core/write-conflict.ts'
import { advancePosting, type PostingDeps } from '../../../lib/use-cases/publishing/advance-posting.ts'
import type { SandboxClock } from '../../../local/sandbox/server/clock.ts'

export interface PostingSetup {
  publisher: Publisher
  post: Post
  account: PostingAccount
  /** From now to the deadline. */
  minutes: number
  readFilm: ReadRender
  http: PlatformHttp
  clock: SandboxClock
  /** A token that is valid as far as known; with `isNew` after the platform has refused one. Null when none is left. */
  token(isNew: boolean): string | null
}

/** Its end, as recorded. */
export type PostingResult =
  | { kind: 'done'; externalId: string; url: string | null; isAdopted: boolean }
  | { kind: 'unknown' }
  | { kind: 'failed'; code: string; message: string }

export interface PostingTrace {
  end: PostingResult
  /** The names of the executed steps, in order. */
  steps: string[]
  /** Every state that was stored. */
  states: PostingState[]
}

export class SimulatedCrash extends Error {}

/** An upper limit that no test reaches. */
const callsMax = 5_000
const secondsAfterDeath = 5

/** `diesAfterStep`: the worker crashes after the step with this number, before it records the result. */
export async function runPosting(running: PostingSetup, diesAfterStep?: number): Promise<PostingTrace> {
  const steps: string[] = []
  const states: PostingState[] = []
  let isAdopted = false
  const { publisher } = running
  const watched: Publisher = {
    ...publisher,
    async step(state, context) {
      steps.push(state.step)
      const outcome = await publisher.step(state, context)
      if (steps.length === diesAfterStep) throw new SimulatedCrash()
      isAdopted = outcome.kind === 'duplicate'
      return outcome
    },
    async lookUp(state, context) {
      const found = await publisher.lookUp(state, context)
      isAdopted = found.kind === 'published'
      return found
    },
  }
  const first = postingOf(running)
  const rows = memoryStore(first, states)
  const ended = await untilEnded(first, postingDeps({ ...running, publisher: watched }, rows), running.clock)
  return { end: postingResult(ended, isAdopted), steps, states }
}

export const postingOf = ({ publisher, post, minutes }: PostingSetup): Posting =>
  newPosting(
    {
      workspaceId: 'wsp_1',
      videoId: 'vid_1',
      runId: 'run_1',
      profileId: 'prf_1',
      accountId: 'acc_1',
      platform: publisher.platform,
      post,
      filmKey: 'film',
      deadlineAt: secondsAfter(post.acceptedAt, minutes * 60),
    },
    publisher.initialState(post),
  )

export type PostingStore = Pick<PostingDeps, 'find' | 'write'>

export const postingDeps = (
  { publisher, account, http, readFilm, clock, token }: PostingSetup,
  rows: PostingStore,
  accountId = 'acc_1',
): PostingDeps => ({
  ...rows,
  findAccount: async () => ({ ...connected, ...account, id: accountId, platform: publisher.platform }),
  async accessToken(_account, { isNew }) {
    const now = token(isNew)
    return now === null ? { kind: 'expired' } : { kind: 'token', token: now }
  },
  markAccountExpired: async () => {},
  publisherOf: () => publisher,
  reportPostingEnd: async () => {},
  http,
  readRender: () => readFilm,
  now: () => new Date(clock.now()).toISOString(),
  timeScale: 1,
})

const connected: Omit<Account, 'platform' | 'externalId' | 'username' | 'settings'> = {
  id: 'acc_1',
  workspaceId: 'wsp_1',
  profileId: 'prf_1',
  version: 1,
  displayName: 'User',
  pictureUrl: null,
  health: 'connected',
  connectedAt: '2026-11-20T12:00:00.000Z',
  updatedAt: '2026-11-20T12:00:00.000Z',
}

/** Calls until the record has ended; a crashed worker is called again. */
async function untilEnded(posting: Posting, deps: PostingDeps, clock: SandboxClock): Promise<Posting> {
  for (let call = 0; call < callsMax; call++) {
    const taken = await advancePosting(posting, deps).catch((error) => {
      if (error instanceof SimulatedCrash) return { ended: false, waitSeconds: secondsAfterDeath }
      throw error
    })
    if (taken.ended) return (await deps.find(posting))!
    clock.advance(taken.waitSeconds * 1000)
  }
  throw new Error('The posting comes to no end.')
}

/** One row, read as it was stored and fenced by its version. */
function memoryStore(first: Posting, states: PostingState[]): PostingStore {
  let row = JSON.stringify(first)
  return {
    find: async () => JSON.parse(row),
    async write(posting) {
      const stored: Posting = JSON.parse(row)
      if (stored.version !== posting.version) throw new WriteConflict('The posting was changed meanwhile.')
      const next = { ...posting, version: posting.version + 1 }
      row = JSON.stringify(next)
      states.push(JSON.parse(row).state)
      return next
    },
  }
}

export function postingResult({ end }: Posting, isAdopted: boolean): PostingResult {
  if (!end) throw new Error('The posting has not ended.')
  if (end.status === 'COMPLETED') return { kind: 'done', externalId: end.externalId, url: end.url, isAdopted }
  const { code, message } = end.error
  return code === 'publish-outcome-unknown' ? { kind: 'unknown' } : { kind: 'failed', code, message }
}
