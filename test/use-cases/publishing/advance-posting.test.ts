/** One step of a posting: its reads, its requests, and what it writes before and after. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Superseded } from '../../../lib/domain/core/failures.ts'
import type { Post, Posting, PostingState } from '../../../lib/domain/publishing/posting.ts'
import { log } from '../../../lib/log.ts'
import { NoResponse, NotSent } from '../../../lib/platforms/failures.ts'
import type { PublishContext, Publisher } from '../../../lib/platforms/publisher.ts'
import { twitterPublisher } from '../../../lib/platforms/twitter/publish.ts'
import { advancePosting, type PostingDeps } from '../../../lib/use-cases/publishing/advance-posting.ts'
import { adjustableClock } from '../../../local/sandbox/server/clock.ts'
import { type PostingSetup, postingDeps, postingOf } from '../../platforms/shared/posting-runner.ts'

const at = '2026-11-21T10:00:00.000Z'
const film = { bytes: 16, width: 1080, height: 1920, durationMs: 30_000, url: '', coverUrl: '' }

const post: Post = { id: 'post', caption: 'secretcaption', title: '', language: 'en', film, acceptedAt: at }

/** A platform whose step `edge` publishes; its responses are scripted. */
const publisherWith = (more: Partial<Publisher>): Publisher => ({
  ...(twitterPublisher() as Publisher),
  initialState: () => ({ step: 'first' }),
  mayPublish: ({ step }) => step === 'edge',
  step: async () => ({ kind: 'continue', state: { step: 'edge' } }),
  lookUp: async (state) => ({ kind: 'absent', state }),
  ...more,
})

interface Scene {
  publisher?: Partial<Publisher>
  posting?: Partial<Posting>
  deps?: Partial<PostingDeps>
}

/** A posting in a given state, and every later write of it. */
function sceneOf({ publisher = {}, posting = {}, deps = {} }: Scene) {
  const running: PostingSetup = {
    publisher: publisherWith(publisher),
    post,
    account: { externalId: '1', username: 'user', settings: {} },
    minutes: 15,
    readFilm: () => {
      throw new Error('The film is not read.')
    },
    http: async () => {
      throw new Error('Nothing is asked.')
    },
    clock: adjustableClock(() => Date.parse(at)),
    token: (isNew) => (isNew ? 'new' : 'old'),
  }
  let row: Posting = { ...postingOf(running), ...posting }
  const written: Posting[] = []
  const rows = {
    find: async () => row,
    async write(next: Posting) {
      row = { ...next, version: next.version + 1 }
      written.push(row)
      return row
    },
  }
  return { take: () => advancePosting(row, { ...postingDeps(running, rows), ...deps }), written, now: () => row }
}

afterEach(() => {
  vi.restoreAllMocks()
})

const asked = () => {
  throw new Error('The platform is asked.')
}
const untouched = { step: asked, reconcile: asked }

describe('a step', () => {
  it('that may publish is recorded before it is sent', async () => {
    let phase: string | undefined
    const scene = sceneOf({
      posting: { state: { step: 'edge' } },
      publisher: {
        async step() {
          phase = scene.now().phase
          return { kind: 'done', externalId: '7', url: null }
        },
      },
    })
    expect(await scene.take()).toEqual({ ended: true, waitSeconds: 0 })
    expect([phase, scene.written.map((one) => one.phase)]).toEqual(['sending', ['sending', 'ended']])
  })

  it('that sends a part is recorded as one, so that its result shows that nothing was published', async () => {
    const scene = sceneOf({
      posting: { state: { step: 'edge' } },
      publisher: { isPartialUpload: () => true, step: () => Promise.reject(new Error('The engine dies.')) },
    })
    await expect(scene.take()).rejects.toThrow('The engine dies.')
    expect(scene.now()).toMatchObject({ phase: 'sending', isPart: true })
  })

  it('that cannot publish is written once', async () => {
    const scene = sceneOf({})
    expect(await scene.take()).toEqual({ ended: false, waitSeconds: 0 })
    expect(scene.written).toMatchObject([{ phase: 'open', state: { step: 'edge' } }])
  })

  it('is not sent when its intent cannot be written', async () => {
    const scene = sceneOf({
      posting: { state: { step: 'edge' } },
      publisher: untouched,
      deps: { write: () => Promise.reject(new Error('The table is gone.')) },
    })
    await expect(scene.take()).rejects.toThrow('The table is gone.')
  })

  it.each([
    ['before the emulated platforms started', '2026-11-21T09:59:59.999Z', true],
    ['since they started', at, false],
  ])('is due at once if its wait began %s', async (_, scheduledAt, isDue) => {
    const scene = sceneOf({
      posting: { notBefore: '2026-11-21T10:01:00.000Z', scheduledAt },
      deps: { platformsStartedAt: at },
    })
    expect(await scene.take()).toEqual({ ended: false, waitSeconds: isDue ? 0 : 60 })
    expect(scene.written).toHaveLength(isDue ? 1 : 0)
  })

  it.each([
    ['before the emulated platforms started', '2026-11-21T09:59:59.999Z', at, true],
    ['since they started', at, at, false],
    ['to a real platform', '2026-11-21T09:59:59.999Z', undefined, false],
  ])('that was sent %s is looked up as settled or not', async (_, sentAt, platformsStartedAt, isSettled) => {
    const lookUp = vi.fn(async () => ({ kind: 'unsure', waitSeconds: 30 }) as const)
    const scene = sceneOf({
      posting: { state: { step: 'edge' }, phase: 'sending', sentAt },
      publisher: { lookUp },
      deps: platformsStartedAt === undefined ? {} : { platformsStartedAt },
    })
    expect(await scene.take()).toEqual({ ended: false, waitSeconds: 30 })
    expect(lookUp).toHaveBeenCalledWith({ step: 'edge' }, expect.objectContaining({ isSettled }))
    expect(scene.now().sentAt).toBe(sentAt)
  })

  it('is looked up, not repeated, when its result was not recorded', async () => {
    const scene = sceneOf({
      posting: { state: { step: 'edge' }, phase: 'sending' },
      publisher: { step: asked, lookUp: async () => ({ kind: 'published', externalId: '7', url: null }) },
    })
    expect(await scene.take()).toMatchObject({ ended: true })
    expect(scene.now().end).toMatchObject({ status: 'COMPLETED', externalId: '7' })
  })

  it.each([
    [new NoResponse('Cut.'), 'sending'],
    [new NotSent('No route.'), 'open'],
  ])('that may publish and ends with %s is %s', async (error, phase) => {
    const scene = sceneOf({
      posting: { state: { step: 'edge' } },
      publisher: { step: () => Promise.reject(error) },
    })
    expect(await scene.take()).toEqual({ ended: false, waitSeconds: 5 })
    expect(scene.now().phase).toBe(phase)
  })

  it('is not sent when the deadline passed while its token was renewed', async () => {
    let time = at
    const scene = sceneOf({
      posting: { state: { step: 'edge' } },
      publisher: untouched,
      deps: {
        now: () => time,
        async accessToken() {
          time = '2026-11-21T10:15:00.000Z'
          return { kind: 'token', token: 'late' }
        },
      },
    })
    expect(await scene.take()).toEqual({ ended: true, waitSeconds: 0 })
    expect(scene.now().end).toMatchObject({ error: { code: 'timeout' } })
    expect(scene.written.map(({ phase }) => phase)).toEqual(['ended'])
  })

  it('ends even when every upload is refused at its start: an execution has room for 25,000 events', async () => {
    let steps = 0
    const scene = sceneOf({
      publisher: {
        async step({ step }) {
          steps += 1
          return { kind: 'continue', state: { step: step === 'first' ? 'upload' : 'first' } }
        },
      },
    })
    while (steps < 1_000 && !(await scene.take()).ended);
    expect([steps, scene.now().end]).toEqual([12, expect.objectContaining({ status: 'FAILED' })])
  })

  it('logs how the posting ended, and a doubt about it, with ids and no word of the post', async () => {
    const [info, warn] = [vi.spyOn(log, 'info'), vi.spyOn(log, 'warn')]
    const reported: Posting[] = []
    const scene = sceneOf({
      posting: { phase: 'sending', isOnItsWay: true, state: { step: 'edge' }, deadlineAt: at },
      deps: { reportPostingEnd: async (posting) => void reported.push(posting) },
    })
    await scene.take()
    const ids = { accountId: 'acc_1', platform: 'twitter', runId: 'run_1', videoId: 'vid_1', workspaceId: 'wsp_1' }
    expect(warn.mock.calls).toEqual([['publish.unknown', { ...ids, step: 'edge' }]])
    expect(info.mock.calls).toContainEqual(['posting.ended', { ...ids, code: 'publish-outcome-unknown' }])
    expect(JSON.stringify([info.mock.calls, warn.mock.calls])).not.toContain('secretcaption')
    // Repeated for the next caller, since the first may have crashed; logged once.
    await scene.take()
    expect([reported.length, info.mock.calls.filter(([event]) => event === 'posting.ended').length]).toEqual([2, 1])
  })

  it('does nothing before its time, after its end, and after the deadline', async () => {
    const publisher = untouched
    const early = sceneOf({ publisher, posting: { notBefore: '2026-11-21T10:00:07.500Z' } })
    expect([await early.take(), early.written]).toEqual([{ ended: false, waitSeconds: 8 }, []])
    const over = sceneOf({ publisher, posting: { phase: 'ended' } })
    expect([await over.take(), over.written]).toEqual([{ ended: true, waitSeconds: 0 }, []])
    const late = sceneOf({ publisher, posting: { deadlineAt: at } })
    expect(await late.take()).toMatchObject({ ended: true })
    expect(late.now().end).toMatchObject({ error: { code: 'timeout' } })
  })

  it('ends when the posting was deleted with its video', async () => {
    const scene = sceneOf({ publisher: untouched, deps: { find: async () => undefined } })
    await expect(scene.take()).rejects.toThrow(Superseded)
  })

  it('returns whole waits of the platform, divided by the time scale', async () => {
    const step = async (state: PostingState) => ({ kind: 'continue' as const, state, waitSeconds: 30 })
    expect(await sceneOf({ publisher: { step }, deps: { timeScale: 20 } }).take()).toMatchObject({ waitSeconds: 2 })
    expect(await sceneOf({ publisher: { step } }).take()).toMatchObject({ waitSeconds: 30 })
  })
})

describe('the token of a step', () => {
  it('is renewed after a refusal; a second refusal marks the account', async () => {
    const tokens: string[] = []
    const marked: string[] = []
    const scene = sceneOf({
      publisher: {
        async step(_state, { token }: PublishContext) {
          tokens.push(token)
          return { kind: 'unauthorised' }
        },
      },
      deps: { markAccountExpired: async ({ id }) => marked.push(id) },
    })
    expect([await scene.take(), marked.length]).toEqual([{ ended: false, waitSeconds: 0 }, 0])
    expect(await scene.take()).toMatchObject({ ended: true })
    expect([tokens, marked]).toEqual([['old', 'new'], ['acc_1']])
    expect(scene.now().end).toMatchObject({ error: { code: 'warning-publish-auth' } })
  })

  it('is waited for while it is being renewed', async () => {
    const scene = sceneOf({
      publisher: untouched,
      deps: { accessToken: async () => ({ kind: 'later', waitSeconds: 4 }) },
    })
    expect(await scene.take()).toEqual({ ended: false, waitSeconds: 4 })
  })

  it.each<[string, Partial<PostingDeps>]>([
    ['has expired', { accessToken: async () => ({ kind: 'expired' }) }],
    ['was deleted with its account', { findAccount: async () => undefined }],
  ])('that %s ends the posting without a request', async (_why, deps) => {
    const scene = sceneOf({ publisher: untouched, deps })
    expect(await scene.take()).toMatchObject({ ended: true })
    expect(scene.now().end).toMatchObject({ error: { code: 'warning-publish-auth', action: 'connect' } })
    const sent = sceneOf({ publisher: untouched, deps, posting: { phase: 'sending' } })
    await sent.take()
    expect(sent.now().end).toMatchObject({ error: { code: 'publish-outcome-unknown' } })
  })
})
