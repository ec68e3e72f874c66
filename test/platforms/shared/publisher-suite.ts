/**
 * The guarantees of every publisher: a post appears once and complete, or not at all, and its reported result is
 * true. Faults are injected at every request of a run without faults; the sandbox's ledger is the truth.
 */
import { describe, expect, it } from 'vitest'
import { volume } from '../../support/fuzz/volume.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import type { PostingResult } from './posting-runner.ts'
import { type PublisherHarness, type PublisherUnderTest, usePublisherHarness } from './publisher-harness.ts'

/** After each of these the post must still appear in the end. */
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

/** The number of random schedules of several faults and a crash; `SCHEDULES=500` for a long run. */
const schedules = Number(process.env.SCHEDULES ?? volume(5, 25))

/** Whether a reported end agrees with the ledger. */
const matchesPosts = ({ kind }: PostingResult, posts: number) =>
  kind === 'done' ? posts === 1 : posts <= (kind === 'unknown' ? 1 : 0)

/** Declares the tests of one publisher, which may add its own. */
export function publisherSuite(subject: PublisherUnderTest): PublisherHarness {
  const harness = usePublisherHarness(subject)
  /**
   * Every kind of fault at every request, or every n-th combination: an n that is coprime to the number of kinds
   * covers all kinds and requests.
   */
  const faultsAt = async (kinds: readonly string[], oneIn = 1) => {
    const { ops } = await harness.post()
    const seen = new Map<string, number>()
    const all = ops.flatMap((op) => {
      const nth = (seen.get(op) ?? 0) + 1
      seen.set(op, nth)
      return kinds.map((kind) => ({ op, nth, kind }))
    })
    return all.filter((_, position) => position % oneIn === 0)
  }

  describe('a post', () => {
    it('appears once, complete, and is identified by its id', async () => {
      const { end, posts, sha256, account } = await harness.post()
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

    it('is stored in progress without its token and without its text', async () => {
      const { states, tokens } = await harness.post({ caption: 'secretcaption' })
      for (const secret of ['secretcaption', ...tokens]) expect(states).not.toContain(secret)
    })

    it('appears once, whatever fault occurs at any of its requests', async () => {
      for (const fault of await faultsAt(transientFaults, volume(6, 1))) {
        const { end, posts, seen, steps } = await harness.post({ fault })
        const ids = posts.flatMap(({ externalId, knownAs }) => [externalId, ...knownAs])
        const isTold = end.kind === 'done' && seen === 1 && ids.includes(end.externalId)
        expect({ fault, end, steps, posts: posts.length, isTold }).toMatchObject({ posts: 1, isTold: true })
      }
    })

    it('appears once, at whatever step its worker crashes', async () => {
      const { steps } = await harness.post()
      for (const diesAfterStep of steps.keys().map((index) => index + 1)) {
        const { end, posts } = await harness.post({ diesAfterStep })
        expect({ diesAfterStep, kind: end.kind, posts: posts.length }).toEqual({
          diesAfterStep,
          kind: 'done',
          posts: 1,
        })
      }
    })

    it('is not reported as failed when it may exist, nor as published when it does not, after the user has disconnected', async () => {
      for (const fault of await faultsAt(['revoke'])) {
        const { end, posts } = await harness.post({ fault })
        expect({ fault, end, posts: posts.length, isTrue: matchesPosts(end, posts.length) }).toMatchObject({
          isTrue: true,
        })
      }
    })

    it('appears at most once, and is reported correctly, for any order of faults', async () => {
      const { ops, steps } = await harness.post()
      for (let seed = 1; seed <= schedules; seed++) {
        const draw = seededRandom(seed)
        const faults = Array.from({ length: 1 + draw(4) }, () => ({
          op: ops[draw(ops.length)]!,
          kind: [...transientFaults, 'revoke'][draw(transientFaults.length + 1)]!,
          nth: 1 + draw(3),
          times: 1 + draw(3),
        }))
        const diesAfterStep = 1 + draw(2 * steps.length)
        const { end, posts } = await harness.post({ faults, diesAfterStep })
        const summary = { seed, faults, diesAfterStep, end, posts: posts.length }
        expect({ ...summary, isTrue: matchesPosts(end, posts.length) }).toMatchObject({ isTrue: true })
      }
    }, 3_600_000)

    it('fails, and never exists twice, when a fault is permanent', async () => {
      const kinds = ['reset-before', 'reset-after', 'http:404', 'http:503', 'bad-json']
      for (const fault of await faultsAt(kinds, volume(6, 1))) {
        const { end, posts } = await harness.post({ fault: { ...fault, times: 1_000 } })
        expect({ fault, end, posts: posts.length, isTrue: matchesPosts(end, posts.length) }).toMatchObject({
          isTrue: true,
        })
      }
    })
  })
  return harness
}
