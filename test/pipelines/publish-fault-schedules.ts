/**
 * Publications with scheduled faults: faults of the platform, an engine that crashes before or after any of its
 * requests and writes, a second one that runs the same step concurrently, and a sweeper that closes the posting in the
 * middle. The store is the real one; the sandbox's ledger is the ground truth.
 */
import { afterAll, beforeAll, vi } from 'vitest'
import { timeoutError } from '../../lib/domain/core/failures.ts'
import { type PlatformId, platforms } from '../../lib/domain/core/platform.ts'
import type { Posting } from '../../lib/domain/publishing/posting.ts'
import { createPlatformHttp } from '../../lib/platforms/http.ts'
import { publisherOf } from '../../lib/platforms/publishers.ts'
import { WriteConflict } from '../../lib/store/core/write-conflict.ts'
import { createPosting, findPosting, writePosting } from '../../lib/store/postings.ts'
import { advancePosting, type PostingDeps } from '../../lib/use-cases/publishing/advance-posting.ts'
import { finishPosting } from '../../lib/use-cases/publishing/finish-publish.ts'
import type { RunningServer } from '../../local/listen.ts'
import { adjustableClock } from '../../local/sandbox/server/clock.ts'
import type { Sandbox } from '../../local/sandbox/server/sandbox.ts'
import { createSandbox } from '../../local/sandbox/server/server.ts'
import {
  type PostingResult,
  type PostingSetup,
  postingDeps,
  postingOf,
  postingResult,
  SimulatedCrash,
} from '../platforms/shared/posting-runner.ts'
import { useTestVideos, verticalVideo } from '../platforms/shared/test-videos.ts'
import { temporaryDirectoryOfFile } from '../support/temporary-directory.ts'

export interface FaultSchedule {
  platform: PlatformId
  faults: { op: string; kind: string; nth: number; times: number }[]
  /** At which points the engine crashes, counted from the beginning: there are two for each request and each write. */
  deaths: number[]
  /** At which calls of the engine a second one is called concurrently. */
  twice: number[]
  /** At which point the posting is closed from outside, if ever. */
  closedAt: number | null
}

export interface PublishOutcome {
  end: PostingResult
  /** How many posts the ledger has in the end, and their ids on the platform. */
  posts: number
  ids: string[]
  /** The requests to the platform, in order. */
  ops: string[]
  moments: number
  calls: number
}

const callsMax = 2_000
const secondsAfterDeath = 5

export interface PublishSimulator {
  publish(schedule: FaultSchedule): Promise<PublishOutcome>
}

/** Call it once in a test file, outside its tests. */
export function usePublishSimulator(): PublishSimulator {
  const directory = temporaryDirectoryOfFile()
  const films = useTestVideos()
  let [sandbox, door, number]: [Sandbox | undefined, RunningServer | undefined, number] = [undefined, undefined, 0]
  beforeAll(async () => {
    const frozen = Date.parse('2026-11-20T12:00:00Z')
    sandbox = await createSandbox({ directory, clock: adjustableClock(() => frozen) })
    door = await sandbox.start()
    const urls = platforms.map(({ id }) => [id, sandbox!.urlsOf(id)])
    vi.stubEnv('PLATFORM_URLS', JSON.stringify(Object.fromEntries(urls)))
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await door?.stop()
  })
  return {
    async publish(schedule) {
      if (!sandbox) throw new Error('The sandbox starts with the tests.')
      const { platform } = schedule
      number += 1
      const user = { externalId: externalIdOf(platform, number), username: `user${number}` }
      const { film, read } = await films.make(verticalVideo)
      sandbox.faults.clear()
      sandbox.deferred.length = 0
      for (const fault of schedule.faults) sandbox.faults.plan({ platform, ...fault })
      const from = sandbox.requestLog.list().length
      const acceptedAt = new Date(sandbox.clock.now()).toISOString()
      const caption = `The ${number}. film`
      const running: PostingSetup = {
        publisher: publisherOf(platform),
        post: { id: `post${number}`, caption, title: `Film ${number}`, language: 'en', film, acceptedAt },
        account: { ...user, settings: {} },
        minutes: 15,
        readFilm: read,
        http: createPlatformHttp({ allowHttp: true, allowLoopback: true }),
        clock: sandbox.clock,
        token: tokensOf(sandbox, platform, user),
      }
      const posting = { ...postingOf(running), videoId: `vid_${number}`, runId: `run_${process.pid}_${number}` }
      await createPosting(posting)
      const { ended, moments, calls } = await untilEnded(posting, postingDeps(running, store), schedule, sandbox)
      if (sandbox.failures.length > 0) throw sandbox.failures[0]
      // Posts that are still in progress appear within this time.
      sandbox.clock.advance(3_600_000)
      await sandbox.runDeferred()
      const posts = sandbox.publishedPosts.list({ platform, account: user.externalId })
      const ids = posts.flatMap(({ externalId, knownAs }) => [externalId, ...knownAs])
      const ops = sandbox.requestLog.list().slice(from)
      return {
        end: postingResult(ended, false),
        posts: posts.length,
        ids,
        ops: ops.map(({ op }) => op),
        moments,
        calls,
      }
    },
  }
}

const store = { find: findPosting, write: writePosting }

const externalIdOf = (platform: PlatformId, number: number): string => {
  if (platform === 'linkedin') return `urn:li:organization:${number}`
  return platform === 'bluesky' ? `did:plc:user${number}` : String(10_000 + number)
}

function tokensOf(sandbox: Sandbox, platform: PlatformId, user: { externalId: string; username: string }) {
  let token = sandbox.issueToken(platform, user)
  return (isNew: boolean) => {
    const now = sandbox.tokens.verify(platform, token)
    if (now === 'revoked') return isNew ? null : token
    if (isNew || now === 'expired') token = sandbox.issueToken(platform, user)
    return token
  }
}

/** Calls the engine as the state machine does: again after a crash, and at the time that it returned. */
async function untilEnded(posting: Posting, doors: PostingDeps, schedule: FaultSchedule, sandbox: Sandbox) {
  const life = { moments: 0 }
  const crashingDeps = withCrashPoints(doors, async () => {
    life.moments += 1
    if (life.moments === schedule.closedAt) await finishPosting(posting, timeoutError)
    if (schedule.deaths.includes(life.moments)) throw new SimulatedCrash()
  })
  for (let call = 1; call <= callsMax; call++) {
    const engines = schedule.twice.includes(call) ? [crashingDeps, crashingDeps] : [crashingDeps]
    const taken = await Promise.all(engines.map((one) => advancePosting(posting, one).catch(retryableError)))
    if (taken.some(({ ended }) => ended))
      return { ended: (await findPosting(posting))!, moments: life.moments, calls: call }
    sandbox.clock.advance(Math.min(...taken.map(({ waitSeconds }) => waitSeconds)) * 1000)
  }
  throw new Error('The posting comes to no end.')
}

/** The errors that the state machine retries. */
function retryableError(error: unknown): { ended: boolean; waitSeconds: number } {
  if (error instanceof SimulatedCrash || error instanceof WriteConflict)
    return { ended: false, waitSeconds: secondsAfterDeath }
  throw error
}

/** The same dependencies, with a hook before and after every request and every write. */
function withCrashPoints(doors: PostingDeps, moment: () => Promise<void>): PostingDeps {
  const around = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await moment()
    const result = await work()
    await moment()
    return result
  }
  return {
    ...doors,
    write: (posting) => around(() => doors.write(posting)),
    http: (request) => around(() => doors.http(request)),
  }
}
