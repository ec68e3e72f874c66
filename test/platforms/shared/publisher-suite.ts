/**
 * What every publisher promises, whatever its platform: a post appears once and whole, or not at all, and nobody is told otherwise. The
 * faults are put at every request that a run without faults makes; the truth is the sandbox's ledger.
 */
import { describe, expect, it } from 'vitest'
import { volume } from '../../support/fuzz/volume.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import type { PostingResult } from './posting-runner.ts'
import { type PublisherHarness, type PublisherUnderTest, usePublisherHarness } from './publisher-harness.ts'

/** All of these leave the post to appear in the end. */
export const transientFaults = [
  'reset-before',
  'reset-after',
  'late:80',
  'http:503',
  'http-after:502',
  'rate-limit:60',
  'truncate',
  'bad-json',
  'expire-token',
]

/** How many schedules of several faults and a death are tried; `SCHEDULES=500` for a long night. */
const schedules = Number(process.env.SCHEDULES ?? volume(5, 25))

/** Whether an end says what the ledger says. */
const matchesPosts = ({ kind }: PostingResult, posts: number) =>
  kind === 'done' ? posts === 1 : posts <= (kind === 'unknown' ? 1 : 0)

/** Declares the tests of one publisher; more of its own may stand beside them. */
export function publisherSuite(subject: PublisherUnderTest): PublisherHarness {
  const stage = usePublisherHarness(subject)
  /** Each kind of fault at each request; or every so many of them: a number that shares no divisor with that of the kinds meets all of both. */
  const faultsAt = async (kinds: readonly string[], oneIn = 1) => {
    const { ops } = await stage.post()
    const seen = new Map<string, number>()
    const all = ops.flatMap((op) => {
      const nth = (seen.get(op) ?? 0) + 1
      seen.set(op, nth)
      return kinds.map((kind) => ({ op, nth, kind }))
    })
    return all.filter((_, place) => place % oneIn === 0)
  }

  describe('a post', () => {
    it('appears once, whole, and is known by its id', async () => {
      const { end, posts, sha256, account } = await stage.post()
      expect(posts).toHaveLength(1)
      expect(posts[0]).toMatchObject({ caption: expect.stringContaining('ünïcode and a #tag'), sha256 })
      expect(posts[0]).toMatchObject({ account: account.externalId })
      expect(end).toMatchObject({
        kind: 'done',
        externalId: posts[0]!.externalId,
        url: posts[0]!.url,
        isAdopted: false,
      })
    })

    it('is on its way without its token and without its words', async () => {
      const { states, tokens } = await stage.post({ caption: 'secretcaption' })
      for (const secret of ['secretcaption', ...tokens]) expect(states).not.toContain(secret)
    })

    it('appears once, whatever goes wrong at any of its requests', async () => {
      for (const fault of await faultsAt(transientFaults, volume(6, 1))) {
        const { end, posts, seen, steps } = await stage.post({ fault })
        const ids = posts.flatMap(({ externalId, knownAs }) => [externalId, ...knownAs])
        const isTold = end.kind === 'done' && seen === 1 && ids.includes(end.externalId)
        expect({ fault, end, steps, posts: posts.length, isTold }).toMatchObject({ posts: 1, isTold: true })
      }
    })

    it('appears once, whenever its engine dies', async () => {
      const { steps } = await stage.post()
      for (const diesAfterStep of steps.keys().map((index) => index + 1)) {
        const { end, posts } = await stage.post({ diesAfterStep })
        expect({ diesAfterStep, kind: end.kind, posts: posts.length }).toEqual({
          diesAfterStep,
          kind: 'done',
          posts: 1,
        })
      }
    })

    it('is not reported as failed when it may have appeared, nor as there when it is not, after the user has left', async () => {
      for (const fault of await faultsAt(['revoke'])) {
        const { end, posts } = await stage.post({ fault })
        expect({ fault, end, posts: posts.length, isTrue: matchesPosts(end, posts.length) }).toMatchObject({
          isTrue: true,
        })
      }
    })

    it('appears once at most, and is told of truly, in whatever order things go wrong', async () => {
      const { ops, steps } = await stage.post()
      for (let seed = 1; seed <= schedules; seed++) {
        const draw = seededRandom(seed)
        const faults = Array.from({ length: 1 + draw(4) }, () => ({
          op: ops[draw(ops.length)]!,
          kind: [...transientFaults, 'revoke'][draw(transientFaults.length + 1)]!,
          nth: 1 + draw(3),
          times: 1 + draw(3),
        }))
        const diesAfterStep = 1 + draw(2 * steps.length)
        const { end, posts } = await stage.post({ faults, diesAfterStep })
        const told = { seed, faults, diesAfterStep, end, posts: posts.length }
        expect({ ...told, isTrue: matchesPosts(end, posts.length) }).toMatchObject({ isTrue: true })
      }
    }, 3_600_000)

    it('is given up, and never twice there, when a fault does not pass', async () => {
      const kinds = ['reset-before', 'reset-after', 'http:404', 'http:503', 'bad-json']
      for (const fault of await faultsAt(kinds, volume(6, 1))) {
        const { end, posts } = await stage.post({ fault: { ...fault, times: 1_000 } })
        expect({ fault, end, posts: posts.length, isTrue: matchesPosts(end, posts.length) }).toMatchObject({
          isTrue: true,
        })
      }
    })
  })
  return stage
}
