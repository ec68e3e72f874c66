/** Stills that move: the built-in camera, and models of vendors with their queues. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ProviderRejected } from '../../lib/domain/core/failures.ts'
import { leftFrame, rightFrame } from '../../lib/domain/generation/scenes/camera.ts'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { builtInAnimator } from '../../lib/providers/animator/built-in.ts'
import { falAnimator } from '../../lib/providers/animator/fal.ts'
import type { Animator } from '../../lib/providers/animator/index.ts'
import { lumaAnimator } from '../../lib/providers/animator/luma.ts'
import { bedrockClient } from '../../lib/providers/bedrock.ts'
import type { Clip } from '../../lib/providers/footage/index.ts'
import { framingAt } from '../../lib/render/framing.ts'
import { startFakeBedrock } from '../support/fake-vendors/bedrock.ts'
import type { FakeVendor } from '../support/fake-vendors/fake-vendor.ts'
import { type FakeFal, falKey, startFakeFal } from '../support/fake-vendors/fal.ts'
import { type FakeLuma, fakeLuma } from '../support/fake-vendors/luma.ts'
import { inMemoryOrders, orderDepsFor, realAttempts, removeScratch, whilePending } from '../support/provider-orders.ts'
import { animationInput, animatorSuite } from './animator-suite.ts'
import { orderSuite, type QueuedVendor } from './order-suite.ts'

let fal: FakeFal
let bedrock: FakeVendor
let ray: FakeLuma
beforeAll(async () => {
  fal = await startFakeFal()
  bedrock = await startFakeBedrock(
    { method: 'POST', path: /^\/async-invoke$/, answer: (...asked) => ray.operations[0]!.answer(...asked) },
    {
      method: 'GET',
      path: /^\/async-invoke\/(?<arn>[^/]+)$/,
      answer: (...asked) => ray.operations[1]!.answer(...asked),
    },
  )
  ray = fakeLuma()
})
afterAll(async () => {
  await Promise.all([fal.stop(), bedrock.stop()])
})
afterEach(removeScratch)

const byFal = () => falAnimator({ url: fal.url, key: falKey })
const byLuma = () =>
  lumaAnimator(bedrockClient({ region: 'us-west-2', endpoint: bedrock.url }), {
    folderFor: (key) => `s3://reelsmith-media/${key.replace('.mp4', '')}`,
    read: async (uri) => {
      const film = ray.bucket.get(uri)
      if (!film) throw new ProviderRejected(`There is nothing at ${uri}.`)
      return film
    },
  })

animatorSuite('built in', () => builtInAnimator)
animatorSuite('of a stand-in for fal.ai', () => byFal())
animatorSuite('of a stand-in for Luma', () => byLuma())

const key = process.env.FAL_KEY
animatorSuite('of fal.ai itself (FAL_KEY)', () => falAnimator({ url: 'https://queue.fal.run', key: key ?? '' }), {
  skip: !key,
  attempts: realAttempts,
})

describe('the built-in animator', () => {
  it('moves by fractions of a pixel, and is at rest at both ends', async () => {
    const place = orderDepsFor()
    const ffmpeg = async (...parts: string[]) =>
      (await runFfmpeg({ ...place, arguments: ['-v', 'error', ...parts, 'pipe:1'], timeoutMs: 30_000 })).output
    const halves = 'color=black:s=320x568,drawbox=x=160:w=160:h=568:color=white:t=fill'
    const still = await ffmpeg('-f', 'lavfi', '-i', halves, '-frames:v', '1', '-f', 'image2pipe', '-c:v', 'png')
    const wish = {
      ...(await animationInput()),
      ...{ still, prompt: 'Slow pan to the right', durationMs: 1_000, width: 180, height: 320 },
    }
    const { bytes } = await builtInAnimator.animate(wish, place)
    writeFileSync(join(place.directory, 'clip.mp4'), bytes)
    const output = await ffmpeg('-i', 'clip.mp4', '-f', 'rawvideo', '-pix_fmt', 'gray')
    const pixels = wish.width * wish.height
    for (let index = 0; index < 30; index++) {
      const light = output.subarray(index * pixels, (index + 1) * pixels).reduce((sum, value) => sum + value, 0)
      const { scale, x } = framingAt({ from: leftFrame, to: rightFrame }, index / 29, 'gentle')
      const edge = wish.width * scale * (0.5 - x * (1 - 1 / scale))
      expect(Math.abs(wish.width * (1 - light / pixels / 255) - edge)).toBeLessThan(0.06)
    }
  })
})

const flagged = { status: 422, body: { detail: [{ msg: 'The content was flagged.' }] } }

orderSuite('fal.ai', (): QueuedVendor => {
  const before = fal.orders()
  Object.assign(fal, { pendingPolls: 2, result: null, files: [], faults: [], fault: null })
  return {
    vendor: fal,
    orders: () => fal.orders() - before,
    deduplicates: false,
    make: async (place) => byFal().animate(await animationInput(), place),
    failOrder: (fault) => fal.faults.push(fault),
    setPendingPolls: (looks) => Object.assign(fal, { pendingPolls: looks }),
    failJobs: (does) => Object.assign(fal, { result: does ? flagged : null }),
    queueFiles: (...files) =>
      fal.files.push(...files.map((body) => (body ? { body } : { status: 403, body: 'Request has expired' }))),
  }
})

orderSuite('Luma', (): QueuedVendor => {
  ray = fakeLuma()
  Object.assign(bedrock, { faults: [], fault: null })
  return {
    vendor: bedrock,
    orders: () => ray.orders(),
    deduplicates: true,
    make: async (place) => byLuma().animate(await animationInput(), place),
    failOrder: (fault) => bedrock.faults.push(fault),
    setPendingPolls: (looks) => Object.assign(ray, { pendingPolls: looks }),
    failJobs: (does) => Object.assign(ray, { fails: does }),
    queueFiles: (...files) => {
      const folder = `s3://reelsmith-media/${orderDepsFor().key.replace('.mp4', '')}/inv1/output.mp4`
      const queue = [...files]
      // The bucket's responses for the address, one per request.
      const given = ray.bucket.get.bind(ray.bucket)
      ray.bucket.get = (uri) => (uri === folder && queue.length > 0 ? (queue.shift() ?? undefined) : given(uri))
    },
  }
})

async function animated(animator: Animator): Promise<Clip> {
  const [input, orders] = [await animationInput(), inMemoryOrders()]
  return whilePending(() => animator.animate(input, orderDepsFor(orders)), orders)
}

describe('the animator of fal.ai', () => {
  it('reports to the client why the model refused', async () => {
    fal.result = flagged
    await expect(animated(byFal())).rejects.toThrow(/^fal\.ai rejected this: The content was flagged\.$/)
    fal.result = null
  })

  it('truncates a long reason', async () => {
    const failed = { body: { status: 'COMPLETED', error: 'x'.repeat(100_000) } }
    fal.faults = [null, failed]
    const { message } = (await animated(byFal()).catch((error) => error)) as Error
    expect(message).toMatch(/^fal\.ai could not generate this: x+…$/)
    expect(message.length).toBeLessThan(600)
  })

  it('reports a rejected account to the operator', async () => {
    await expect(animated(falAnimator({ url: fal.url, key: 'another' }))).rejects.toMatchObject({
      name: 'AccountExpired',
    })
  })
})

describe('the animator of Luma', () => {
  it('reveals nothing about the account if a clip fails', async () => {
    ray = fakeLuma()
    ray.fails = true
    await expect(animated(byLuma())).rejects.toThrow(/^Luma could not generate this\.$/)
  })
})
