/**
 * Pay once: a generation that crashes at any point ends with one result and one charge. Synchronous vendor calls are
 * repeated only for results that were not stored yet; an order in a vendor's queue is never placed twice. `npm run
 * test:full` tries every crash point; otherwise an evenly spread sample.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { createVideo } from '../../lib/domain/videos/create-video.ts'
import { voicePrefixes } from '../../lib/domain/videos/voices.ts'
import type { AnimationInput, Animator } from '../../lib/providers/animator/index.ts'
import type { Clip } from '../../lib/providers/footage/index.ts'
import type { OrderApi } from '../../lib/providers/vendor-orders.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { getVideo } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { creditLedgerOf } from '../support/credit-ledger.ts'
import { startFakeBedrock } from '../support/fake-vendors/bedrock.ts'
import { converse } from '../support/fake-vendors/converse.ts'
import type { FakeVendor } from '../support/fake-vendors/fake-vendor.ts'
import { type FakeFal, falKey, startFakeFal } from '../support/fake-vendors/fal.ts'
import { tinyVideo } from '../support/fake-vendors/media.ts'
import { fakeNova } from '../support/fake-vendors/nova.ts'
import { startFakePolly } from '../support/fake-vendors/polly.ts'
import { stability } from '../support/fake-vendors/stability.ts'
import { volume } from '../support/fuzz/volume.ts'
import { newWorld, videoInputOf } from '../support/world.ts'
import { generateWithCrash, injectCrashes } from './crash-injection.ts'

/** Of more than a hundred; each takes 0.2 s. */
const momentsTried = volume(5, Number.POSITIVE_INFINITY)

/**
 * The queue at which clips are ordered, and how many clips the built-in animator made in place of orders that may have
 * been lost.
 */
const motion = vi.hoisted(() => ({ account: { url: '', key: '' }, byCamera: 0 }))
vi.mock('../../lib/providers/choose/animator.ts', async () => {
  const { falQueue, dataUri } = await import('../../lib/providers/fal-queue.ts')
  const { callWithFallback: orElse } = await import('../../lib/providers/fallback.ts')
  const { runOrder: fulfil } = await import('../../lib/providers/vendor-orders.ts')
  const clip = (bytes: Uint8Array): Clip => ({ bytes, durationMs: 1_000, width: 320, height: 568 })
  // As the animator on fal.ai, but without ffmpeg, which would convert each clip to its shape.
  const ordered: Animator['animate'] = (wish, place) => {
    const queue = falQueue(motion.account)
    const work: OrderApi<AnimationInput, Clip> = {
      ...{ name: 'fal.ai', isIdempotent: false, poll: queue.poll },
      submit: ({ prompt, still }) =>
        queue.submit('bytedance/seedance-2.0/image-to-video', { prompt, image_url: dataUri('image/png', still) }),
      collect: async (address, _, { signal }) => clip(await queue.collect(address, signal)),
    }
    // Later than an order can be placed whose worker has crashed.
    const now = () => place.orderLog.now() + 90_000
    return fulfil(work, wish, { ...place, orderLog: { ...place.orderLog, now } })
  }
  const byCamera = async () => {
    motion.byCamera += 1
    return clip(await tinyVideo())
  }
  return { chooseAnimator: async () => ({ id: 'queue-1', animate: orElse(ordered, byCamera, () => {}) }) }
})

let fal: FakeFal
let bedrock: FakeVendor
let polly: FakeVendor
beforeAll(async () => {
  ;[bedrock, polly, fal] = await Promise.all([
    startFakeBedrock(converse(fakeNova), stability),
    startFakePolly(),
    startFakeFal(),
  ])
  motion.account = { url: fal.url, key: falKey }
  Object.assign(process.env, {
    PROVIDERS: JSON.stringify({ writer: 'bedrock', narrator: 'polly', images: 'stability' }),
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: bedrock.url,
    AWS_ENDPOINT_URL_POLLY: polly.url,
  })
  injectCrashes()
})
afterAll(() => Promise.all([bedrock.stop(), polly.stop(), fal.stop()]))

type Type = 'faceless' | 'ai'

async function accepted(type: Type) {
  const { workspaceId } = await newWorld({ planId: 'free' })
  const [videoId, runId] = [mintId('vid', now()), mintId('run', now())]
  const wish = videoInputOf({ type, prompt: 'Sleep', targetDuration: 10, imageStyle: 'ai_image' })
  const brief = { ...wish.brief, voiceId: `${voicePrefixes.polly}Joanna` }
  await commit(createVideo(await getWorkspace(workspaceId), { ...wish, brief }, { videoId, runId }, now()))
  return { workspaceId, videoId, runId }
}

/** The vendor calls since the last check. */
function ordersSent() {
  const paths = [...bedrock.calls.splice(0), ...polly.calls.splice(0)].map(({ path }) => path)
  const count = (end: string) => paths.filter((path) => path.endsWith(end)).length
  const clips = fal.calls.splice(0).filter(({ method }) => method === 'POST').length
  return { texts: count('/converse'), sounds: count('/v1/speech'), pictures: count('/invoke'), clips }
}
type Orders = ReturnType<typeof ordersSent>

/**
 * How to recognise that the result of a synchronous call is stored, and how many calls it takes: Polly returns sound
 * and times separately.
 */
const results: Record<Exclude<keyof Orders, 'clips'>, { stored: RegExp; orders: number }> = {
  texts: { stored: /\/scripts\/.*\.json$/, orders: 1 },
  sounds: { stored: /\/narrations\/.*\.json$/, orders: 2 },
  pictures: { stored: /\/visuals\/.*\.png$/, orders: 1 },
}

/** The calls that remain, given the calls up to the crash and what was stored by then. */
function allowed(whole: Orders, before: Orders, stored: readonly string[]): Omit<Orders, 'clips'> {
  const of = (kind: keyof typeof results) => {
    const result = results[kind]
    const there = stored.filter((key) => result.stored.test(key)).length * result.orders
    return before[kind] + Math.max(0, whole[kind] - there)
  }
  return { texts: of('texts'), sounds: of('sounds'), pictures: of('pictures') }
}

const sum = (one: Orders, other: Orders): Orders => ({
  texts: one.texts + other.texts,
  sounds: one.sounds + other.sounds,
  pictures: one.pictures + other.pictures,
  clips: one.clips + other.clips,
})

describe.each(['faceless', 'ai'] as const)('a generation of type %s', (type) => {
  it('that crashes at any point has one result and one charge, and orders nothing that was stored', async () => {
    ordersSent()
    const { moments } = await generateWithCrash(type, await accepted(type), 0)
    const whole = ordersSent()
    const { clips: clipsWanted, ...answered } = whole
    const tried = Math.min(momentsTried, moments)
    for (let index = 0; index < tried; index++) {
      const diesAt = 1 + Math.floor((index * moments) / tried)
      const run = await accepted(type)
      let before = ordersSent()
      let most = answered
      motion.byCamera = 0
      await generateWithCrash(type, run, diesAt, (stored) => {
        before = ordersSent()
        most = allowed(whole, before, stored)
      })
      const { clips, ...orders } = sum(before, ordersSent())
      expect({ diesAt, ...orders }).toEqual({ diesAt, ...most })
      // An order with a queue is placed once; if its response was lost in the crash it is spent, and the built-in
      // animator makes the clip.
      expect(clips).toBeLessThanOrEqual(clipsWanted)
      expect(clips + motion.byCamera).toBeGreaterThanOrEqual(clipsWanted)
      const { process } = await getVideo(run.workspaceId, run.videoId)
      expect(process).toMatchObject({ status: 'COMPLETED', quality: { passed: true } })
      const ledger = await creditLedgerOf(run.workspaceId)
      expect(ledger.map(({ kind }) => kind).toSorted()).toEqual(['capture', 'reserve'])
    }
  }, 600_000)
})
