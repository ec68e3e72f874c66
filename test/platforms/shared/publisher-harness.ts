/** A test bench for publishers: a sandbox with a frozen clock, videos, and a separate account for every posting. */
import { afterAll, beforeAll, expect } from 'vitest'
import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import type { Post, PostedVideo, PostingAccount } from '../../../lib/domain/publishing/posting.ts'
import { createPlatformHttp } from '../../../lib/platforms/http.ts'
import type { PlatformHttp, PlatformUrls, Publisher } from '../../../lib/platforms/publisher.ts'
import type { RunningServer } from '../../../local/listen.ts'
import { adjustableClock } from '../../../local/sandbox/server/clock.ts'
import type { Sandbox } from '../../../local/sandbox/server/sandbox.ts'
import { createSandbox } from '../../../local/sandbox/server/server.ts'
import { temporaryDirectoryOfFile } from '../../support/temporary-directory.ts'
import { type PostingResult, runPosting } from './posting-runner.ts'
import { type TestVideoOptions, useTestVideos, verticalVideo } from './test-videos.ts'

export interface PublisherUnderTest {
  platform: PlatformId
  /** The publisher with the addresses of the sandbox. */
  publisher(urls: PlatformUrls): Publisher
  /** The platform's id of the account with this number; a number in digits by default. */
  externalId?(number: number): string
  settings?: Readonly<Record<string, string>>
  /** Options of the posted video; portrait, five seconds by default. */
  film?: TestVideoOptions
}

/** One posting, and its faults. */
export interface PostingScenario {
  caption?: string
  title?: string
  film?: TestVideoOptions
  settings?: Readonly<Record<string, string>>
  /** The subject's own by default. */
  publisher?: Publisher
  fault?: ScenarioFault
  /** Further faults, for schedules. */
  faults?: readonly ScenarioFault[]
  diesAfterStep?: number
  /** The deadline of its run in minutes; 15 by default, as in production. */
  minutes?: number
}

/** Which fault at which call; `nth` counts from the beginning of the posting. */
export interface ScenarioFault {
  op: string
  kind: string
  nth?: number
  times?: number
}

export interface ScenarioResult {
  end: PostingResult
  steps: string[]
  states: string
  /** The received tokens, the last one last. */
  tokens: string[]
  ops: string[]
  /** The ledger's posts of this account, an hour later. */
  posts: ReturnType<Sandbox['publishedPosts']['list']>
  /** How many of them existed when the end was recorded. */
  seen: number
  sha256: string
  account: PostingAccount
}

export interface PublisherHarness {
  post(attempt?: PostingScenario): Promise<ScenarioResult>
  /** A post and its account, for `check`: valid except for the given fields of its text or its video. */
  checkInput(more?: Partial<Post & PostedVideo>): [Post, PostingAccount]
  /** The code with which the publisher rejects that post before anything is sent; undefined if it accepts it. */
  validationCode(more?: Partial<Post & PostedVideo>): string | undefined
  readonly sandbox: Sandbox
  readonly publisher: Publisher
}

/** Every posting has a separate account, so that they do not interfere. */
export function usePublisherHarness(subject: PublisherUnderTest): PublisherHarness {
  const directory = temporaryDirectoryOfFile()
  const films = useTestVideos()
  let [started, door, accounts]: [Sandbox | undefined, RunningServer | undefined, number] = [undefined, undefined, 0]
  const http: PlatformHttp = createPlatformHttp({ allowHttp: true, allowLoopback: true })
  beforeAll(async () => {
    const frozen = Date.parse('2026-11-20T12:00:00Z')
    started = await createSandbox({ directory, clock: adjustableClock(() => frozen) })
    door = await started.start()
  })
  afterAll(async () => {
    await door?.stop()
  })
  const harness = {
    get sandbox() {
      if (!started) throw new Error('The sandbox starts with the tests.')
      return started
    },
    get publisher() {
      return subject.publisher(harness.sandbox.urlsOf(subject.platform))
    },
    checkInput: ({ caption, title, ...film }: Partial<Post & PostedVideo> = {}): [Post, PostingAccount] => [
      {
        ...postOf(0, 0, { ...(caption !== undefined && { caption }), ...(title !== undefined && { title }) }),
        film: { ...goodFilm, ...film },
      },
      { externalId: '1', username: 'user', settings: subject.settings ?? {} },
    ],
    validationCode: (more: Partial<Post & PostedVideo> = {}) =>
      harness.publisher.validate(...harness.checkInput(more))?.code,
    async post(attempt: PostingScenario = {}): Promise<ScenarioResult> {
      const { sandbox } = harness
      const publisher = attempt.publisher ?? harness.publisher
      const number = ++accounts
      const user = {
        externalId: subject.externalId?.(number) ?? String(10_000 + number),
        username: `user${number}`,
      }
      const account = { ...user, settings: attempt.settings ?? subject.settings ?? {} }
      const { film, read, sha256 } = await films.make(attempt.film ?? subject.film ?? verticalVideo)
      sandbox.faults.clear()
      sandbox.deferred.length = 0
      for (const fault of [attempt.fault ?? [], attempt.faults ?? []].flat()) {
        sandbox.faults.plan({ platform: subject.platform, ...fault })
      }
      const before = sandbox.requestLog.list().length
      const tokens = [sandbox.issueToken(subject.platform, user)]
      const run = await runPosting(
        {
          publisher,
          post: { ...postOf(number, sandbox.clock.now(), attempt), film },
          account,
          minutes: attempt.minutes ?? 15,
          readFilm: read,
          http,
          clock: sandbox.clock,
          token: (isNew) => {
            const token = tokens.at(-1)!
            const now = sandbox.tokens.verify(subject.platform, token)
            if (now === 'revoked') return isNew ? null : token
            if (isNew || now === 'expired') tokens.push(sandbox.issueToken(subject.platform, user))
            return tokens.at(-1)!
          },
        },
        attempt.diesAfterStep,
      )
      expect(sandbox.failures).toEqual([])
      const listed = () => sandbox.publishedPosts.list({ platform: subject.platform, account: user.externalId })
      const seen = listed().length
      // Whatever is still in progress appears within this time.
      sandbox.clock.advance(3_600_000)
      await sandbox.runDeferred()
      return {
        end: run.end,
        steps: run.steps,
        states: JSON.stringify(run.states),
        tokens,
        ops: sandbox.requestLog
          .list()
          .slice(before)
          .map(({ op }) => op),
        posts: listed(),
        seen,
        sha256,
        account,
      }
    },
  }
  return harness
}

/** In minutes: long enough to wait for a daily limit, which ends a run immediately in production. */
export const threeDaysMinutes = 3 * 24 * 60

/** The end of a post that the platform refuses, with its code and part of its message. */
export const refusedEnd = (code: string, words = '') => ({
  kind: 'failed',
  code: 'publish-failed',
  message: expect.stringMatching(new RegExp(`\\(${code}\\): .*${words}`)),
})

const goodFilm: PostedVideo = {
  bytes: 4_000_000,
  width: 1080,
  height: 1920,
  durationMs: 30_000,
  url: 'https://media.example.com/film.mp4',
  coverUrl: 'https://media.example.com/film.jpg',
}

const postOf = (number: number, now: number, { caption, title }: PostingScenario): Omit<Post, 'film'> => ({
  id: `post${number}`,
  caption: caption ?? `The ${number}. film, with ünïcode and a #tag`,
  title: title ?? `Film ${number}`,
  language: 'en',
  acceptedAt: new Date(now).toISOString(),
})
