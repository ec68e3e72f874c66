/** Where publishers are tried: a sandbox with a clock that stands still, films, and an account of its own for every posting. */
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
  /** The publisher, its addresses being those of the sandbox. */
  publisher(urls: PlatformUrls): Publisher
  /** What the platform calls the account with this number; a number in digits when absent. */
  externalId?(number: number): string
  settings?: Readonly<Record<string, string>>
  /** Of the film that is posted; upright, of five seconds, when absent. */
  film?: TestVideoOptions
}

/** One posting, and what is to go wrong with it. */
export interface PostingScenario {
  caption?: string
  title?: string
  film?: TestVideoOptions
  settings?: Readonly<Record<string, string>>
  /** The subject's own when absent. */
  publisher?: Publisher
  fault?: ScenarioFault
  /** More of them, for schedules. */
  faults?: readonly ScenarioFault[]
  diesAfterStep?: number
  /** How long its run may take; 15 when absent, as in the product. */
  minutes?: number
}

/** At which call what goes wrong; `nth` counts from the beginning of the posting. */
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
  /** That it was given, the last one last. */
  tokens: string[]
  ops: string[]
  /** What the ledger has of this account, an hour later. */
  posts: ReturnType<Sandbox['publishedPosts']['list']>
  /** How many of them were there when the end was told. */
  seen: number
  sha256: string
  account: PostingAccount
}

export interface PublisherHarness {
  post(attempt?: PostingScenario): Promise<ScenarioResult>
  /** A post and its account, for `check`: a good one but for what is said here of its words or its film. */
  checkInput(more?: Partial<Post & PostedVideo>): [Post, PostingAccount]
  /** The code with which the publisher refuses that post before anything is sent; undefined where it accepts it. */
  validationCode(more?: Partial<Post & PostedVideo>): string | undefined
  readonly sandbox: Sandbox
  readonly publisher: Publisher
}

/** Every posting has an account of its own, so that none knows of another. */
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
  const stage = {
    get sandbox() {
      if (!started) throw new Error('The sandbox starts with the tests.')
      return started
    },
    get publisher() {
      return subject.publisher(stage.sandbox.urlsOf(subject.platform))
    },
    checkInput: ({ caption, title, ...film }: Partial<Post & PostedVideo> = {}): [Post, PostingAccount] => [
      {
        ...postOf(0, 0, { ...(caption !== undefined && { caption }), ...(title !== undefined && { title }) }),
        film: { ...goodFilm, ...film },
      },
      { externalId: '1', username: 'user', settings: subject.settings ?? {} },
    ],
    validationCode: (more: Partial<Post & PostedVideo> = {}) =>
      stage.publisher.validate(...stage.checkInput(more))?.code,
    async post(attempt: PostingScenario = {}): Promise<ScenarioResult> {
      const { sandbox } = stage
      const publisher = attempt.publisher ?? stage.publisher
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
      // Whatever is still on its way appears within this time.
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
  return stage
}

/** In minutes: a run with room for a day's limit, which in the product ends it at once. */
export const threeDaysMinutes = 3 * 24 * 60

/** The end of a post that the platform refuses, with its code and some of its words. */
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
