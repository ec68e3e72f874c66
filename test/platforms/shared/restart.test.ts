/**
 * A kill -9 of the local run between the intent to send and its outcome, or while a platform completes an upload, on
 * every platform: after the restart the outcome is found at once, and no post appears twice.
 */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type PlatformId, platforms } from '../../../lib/domain/core/platform.ts'
import type { Posting } from '../../../lib/domain/publishing/posting.ts'
import { createPlatformHttp } from '../../../lib/platforms/http.ts'
import { publisherOf } from '../../../lib/platforms/publishers.ts'
import { advancePosting, type PostingDeps } from '../../../lib/use-cases/publishing/advance-posting.ts'
import { didOf } from '../../../local/sandbox/platforms/bluesky/did.ts'
import { adjustableClock, type SandboxClock } from '../../../local/sandbox/server/clock.ts'
import type { Sandbox } from '../../../local/sandbox/server/sandbox.ts'
import { createSandbox } from '../../../local/sandbox/server/server.ts'
import { temporaryDirectoryOfFile } from '../../support/temporary-directory.ts'
import { postingDeps, postingOf, postingResult, SimulatedCrash } from './posting-runner.ts'
import { useTestVideos, verticalVideo } from './test-videos.ts'

const directory = temporaryDirectoryOfFile()
const films = useTestVideos()
const http = createPlatformHttp({ allowHttp: true, allowLoopback: true })

interface Subject {
  platform: PlatformId
  externalId: string
  settings: Readonly<Record<string, string>>
}

const subjectOf = (platform: PlatformId, externalId = '1001', settings = {}): [string, Subject] => [
  [platform, ...Object.values(settings)].join(' via '),
  { platform, externalId, settings },
]
const subjects = [
  ...platforms.filter(({ id }) => id !== 'bluesky' && id !== 'linkedin').map(({ id }) => subjectOf(id)),
  subjectOf('bluesky', didOf('restart')),
  subjectOf('linkedin', 'urn:li:organization:7'),
  subjectOf('pinterest', '1002', { via: 'zernio' }),
]

/** Starts the sandbox on the data that its predecessor left, at the same address. */
async function startSandbox(clock: SandboxClock, name: string, port = 0) {
  const sandbox = await createSandbox({ directory: `${directory}/${name}`, clock })
  const { url, stop } = await sandbox.start(port)
  return { sandbox, stop, port: Number(new URL(url).port) }
}

const isSending = ({ phase, isPart }: Posting) => phase === 'sending' && !isPart

/** Steps until the posting has ended; the seconds that it waited. */
async function untilEnded(posting: Posting, deps: PostingDeps, clock: SandboxClock): Promise<number> {
  const startedAt = clock.now()
  for (;;) {
    const { ended, waitSeconds } = await advancePosting(posting, deps)
    if (ended) return (clock.now() - startedAt) / 1000
    clock.advance(waitSeconds * 1000)
  }
}

/**
 * `unsent`: the process dies before the request that publishes; `unanswered`: after it, before its response;
 * `uploaded`: after the last byte of the video, before the platform has completed it; `completed`: before the platform
 * has recorded that.
 */
type Moment = 'unsent' | 'unanswered' | 'uploaded' | 'completed'

/** Rejects when the platform completes an upload, which then never ends. */
function crashAtCompletion({ media }: Sandbox, moment: Moment): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  const finish = media.finish
  if (moment === 'uploaded' || moment === 'completed')
    media.finish = async (upload) => {
      if (moment === 'completed') await finish(upload)
      reject(new SimulatedCrash())
      return new Promise(() => {})
    }
  return promise
}

async function postThroughKill({ platform, externalId, settings }: Subject, moment: Moment) {
  const name = [platform, ...Object.values(settings), externalId.replaceAll(':', '-'), moment].join('-')
  const clock = adjustableClock(() => Date.parse('2026-11-20T12:00:00Z'))
  const { film, read } = await films.make(verticalVideo)
  const before = await startSandbox(clock, name)
  vi.stubEnv('PLATFORM_URLS', JSON.stringify({ [platform]: before.sandbox.urlsOf(platform) }))
  const user = { externalId, username: 'user' }
  const token = before.sandbox.issueToken(platform, user)
  const setup = {
    publisher: publisherOf(platform, settings),
    post: { id: 'post', caption: 'A caption', title: 'A title', language: 'en', film, acceptedAt: isoOf(clock) },
    account: { ...user, settings },
    minutes: 15,
    readFilm: read,
    http,
    clock,
    token: () => token,
  }
  let row = postingOf(setup)
  const rows = {
    find: async () => row,
    async write(next: Posting) {
      row = { ...next, version: next.version + 1 }
      return row
    },
  }
  const completion = crashAtCompletion(before.sandbox, moment)
  const dying = postingDeps(
    {
      ...setup,
      async http(request) {
        if (moment === 'uploaded' || moment === 'completed') return Promise.race([http(request), completion])
        const publishes = isSending(row) && request.method !== 'GET'
        if (publishes && moment === 'unanswered') await http(request)
        if (publishes) throw new SimulatedCrash()
        return http(request)
      },
    },
    rows,
  )
  await expect(untilEnded(row, dying, clock)).rejects.toThrow(SimulatedCrash)
  await before.stop()

  clock.advance(5_000)
  const { sandbox, stop } = await startSandbox(clock, name, before.port)
  const waited = await untilEnded(row, { ...postingDeps(setup, rows), platformsStartedAt: isoOf(clock) }, clock)
  clock.advance(3_600_000)
  const posts = sandbox.publishedPosts.list({ platform, account: externalId })
  await stop()
  expect(sandbox.failures).toEqual([])
  return { waited, end: postingResult(row, false), posts }
}

const isoOf = (clock: SandboxClock) => new Date(clock.now()).toISOString()

afterEach(() => {
  vi.unstubAllEnvs()
})

describe.each(subjects)('a post to %s', (_name, subject) => {
  it.each(['unsent', 'unanswered'] as const)('that is %s at a kill appears once, within a minute', async (moment) => {
    const { waited, end, posts } = await postThroughKill(subject, moment)
    expect({ end, posts: posts.length }).toMatchObject({ end: { kind: 'done' }, posts: 1 })
    expect(waited).toBeLessThanOrEqual(60)
  })
})

/** The others fetch the video, or complete an upload with the request that publishes. */
const completing = subjects.filter(([name]) => ['tiktok', 'youtube', 'facebook', 'twitter', 'linkedin'].includes(name))
describe.each(completing)('an upload to %s', (_name, subject) => {
  it.each(['uploaded', 'completed'] as const)('that is %s at a kill leads to one post', async (moment) => {
    const { waited, end, posts } = await postThroughKill(subject, moment)
    expect({ end, posts: posts.length }).toMatchObject({ end: { kind: 'done' }, posts: 1 })
    expect(waited).toBeLessThanOrEqual(60)
  })
})

describe('a post of a member to LinkedIn, which shows no posts of members', () => {
  it.each([
    ['unsent', 0],
    ['unanswered', 1],
  ] as const)('that is %s at a kill is unknown at once', async (moment, count) => {
    const { waited, end, posts } = await postThroughKill(subjectOf('linkedin', 'urn:li:person:7')[1], moment)
    expect({ waited, end, posts: posts.length }).toEqual({ waited: 0, end: { kind: 'unknown' }, posts: count })
  })
})
