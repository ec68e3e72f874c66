/**
 * The publish engine on the real store, against the sandbox of every platform: for any fault and any crash, a post
 * appears at most once, and its reported outcome is true. `npm run test:publish` tries 2,000 schedules.
 */
import { describe, expect, it } from 'vitest'
import { platforms } from '../../lib/domain/core/platform.ts'
import { transientFaults } from '../platforms/shared/publisher-suite.ts'
import { volume } from '../support/fuzz/volume.ts'
import { seededRandom } from '../support/seeded-random.ts'
import type { FaultSchedule, PublishOutcome } from './publish-fault-schedules.ts'
import { usePublishSimulator } from './publish-fault-schedules.ts'

const everyMoment = process.env.SCHEDULES !== undefined
const schedules = Number(process.env.SCHEDULES ?? volume(18, 60))
const rig = usePublishSimulator()

const kinds = [...transientFaults, 'revoke']

const calm = { faults: [], deaths: [], twice: [], closedAt: null }

/** Every platform with every kind of fault in turn; further faults are random. */
function scheduleOf(seed: number, usual: ReadonlyMap<string, PublishOutcome>): FaultSchedule {
  const draw = seededRandom(seed)
  const platform = platforms[seed % platforms.length]!.id
  const { ops, moments, calls } = usual.get(platform)!
  const first = kinds[Math.floor(seed / platforms.length) % kinds.length]!
  const faultOf = (kind: string) => ({ op: ops[draw(ops.length)]!, kind, nth: 1 + draw(2), times: 1 + draw(3) })
  const several = <Item>(most: number, make: () => Item): Item[] => Array.from({ length: draw(most + 1) }, make)
  return {
    platform,
    faults: [faultOf(first), ...several(2, () => faultOf(kinds[draw(kinds.length)]!))],
    deaths: several(3, () => 1 + draw(2 * moments)),
    twice: several(2, () => 1 + draw(2 * calls)),
    closedAt: draw(8) === 0 ? 1 + draw(moments) : null,
  }
}

/** Whether the reported outcome matches the ledger: one post, none, or unknown. */
function isTrue({ end, posts, ids }: PublishOutcome): boolean {
  if (end.kind === 'done') return posts === 1 && ids.includes(end.externalId)
  return posts <= (end.kind === 'unknown' ? 1 : 0)
}

describe('a post', () => {
  it('appears once, and is reported truthfully, on every platform and for any sequence of faults', async () => {
    const usual = new Map<string, PublishOutcome>()
    for (const { id } of platforms) usual.set(id, await rig.publish({ ...calm, platform: id }))
    for (const outcome of usual.values()) expect(outcome).toMatchObject({ end: { kind: 'done' }, posts: 1 })
    const ends: Record<string, number> = {}
    for (let seed = 0; seed < schedules; seed++) {
      const schedule = scheduleOf(seed, usual)
      const outcome = await rig.publish(schedule)
      expect({ seed, schedule, outcome, isTrue: isTrue(outcome) }).toMatchObject({ isTrue: true })
      ends[outcome.end.kind] = (ends[outcome.end.kind] ?? 0) + 1
    }
    // Most faults are overcome: an engine that gave up at once would be truthful, too.
    expect(ends.done).toBeGreaterThan(schedules / 2)
    if (everyMoment) process.stdout.write(`${JSON.stringify(ends)}\n`)
  }, 3_600_000)

  it.each(platforms.map(({ id }) => id))(
    'appears once on %s, at whatever point the engine crashes',
    async (platform) => {
      const { moments } = await rig.publish({ ...calm, platform })
      for (let death = 1; death <= moments; death += everyMoment ? 1 : volume(9, 3)) {
        const outcome = await rig.publish({ ...calm, platform, deaths: [death] })
        expect({ death, outcome }).toMatchObject({ outcome: { end: { kind: 'done' }, posts: 1 } })
      }
    },
  )

  it.each(platforms.map(({ id }) => id))(
    'appears once on %s if two engines run each of its steps',
    async (platform) => {
      const { calls } = await rig.publish({ ...calm, platform })
      const twice = Array.from({ length: 4 * calls }, (_, index) => index + 1)
      const outcome = await rig.publish({ ...calm, platform, twice })
      expect(outcome).toMatchObject({ end: { kind: 'done' }, posts: 1 })
    },
  )

  it('is not sent after it was closed, and is unknown if it was being sent', async () => {
    for (const { id: platform } of platforms) {
      const { moments } = await rig.publish({ ...calm, platform })
      for (let closedAt = 1; closedAt <= moments; closedAt += everyMoment ? 1 : volume(13, 5)) {
        const outcome = await rig.publish({ ...calm, platform, closedAt })
        expect({ platform, closedAt, outcome, isTrue: isTrue(outcome) }).toMatchObject({ isTrue: true })
      }
    }
  })
})
