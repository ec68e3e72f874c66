/** Speaking portraits by the models of vendors, together with the built-in one: one suite for all. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { builtInAvatars } from '../../lib/providers/avatars/built-in.ts'
import { falAvatars } from '../../lib/providers/avatars/fal.ts'
import { heygenAvatars } from '../../lib/providers/avatars/heygen.ts'
import type { AvatarInput, Avatars } from '../../lib/providers/avatars/index.ts'
import type { Clip } from '../../lib/providers/footage/index.ts'
import { decodeStill } from '../../lib/providers/images/still.ts'
import { type FakeFal, falKey, startFakeFal } from '../support/fake-vendors/fal.ts'
import { type FakeHeyGen, heygenKey, startFakeHeyGen } from '../support/fake-vendors/heygen.ts'
import { redPicture } from '../support/fake-vendors/media.ts'
import { inMemoryOrders, orderDepsFor, realAttempts, removeScratch, whilePending } from '../support/provider-orders.ts'
import { avatarInput, avatarsSuite } from './avatars-suite.ts'
import { orderSuite } from './order-suite.ts'

let fal: FakeFal
let heygen: FakeHeyGen
beforeAll(async () => {
  ;[fal, heygen] = await Promise.all([startFakeFal(), startFakeHeyGen()])
})
afterAll(async () => {
  await Promise.all([fal.stop(), heygen.stop()])
})
afterEach(removeScratch)

const byFal = () => falAvatars({ url: fal.url, key: falKey })
const byHeyGen = () => heygenAvatars({ url: heygen.url, key: heygenKey })

avatarsSuite('built in', () => builtInAvatars)
avatarsSuite('of a stand-in for fal.ai', () => byFal())
avatarsSuite('of a stand-in for HeyGen', () => byHeyGen())

const { FAL_KEY, HEYGEN_API_KEY } = process.env
avatarsSuite('of fal.ai itself (FAL_KEY)', () => falAvatars({ url: 'https://queue.fal.run', key: FAL_KEY ?? '' }), {
  skip: !FAL_KEY,
  attempts: realAttempts,
})
avatarsSuite(
  'of HeyGen itself (HEYGEN_API_KEY)',
  () => heygenAvatars({ url: 'https://api.heygen.com', key: HEYGEN_API_KEY ?? '' }),
  { skip: !HEYGEN_API_KEY, attempts: realAttempts },
)

orderSuite('HeyGen', () => {
  const before = heygen.orders()
  Object.assign(heygen, { pendingPolls: 2, fails: false, files: [], faults: [], fault: null })
  return {
    vendor: heygen,
    orders: () => heygen.orders() - before,
    deduplicates: true,
    make: async (place) => byHeyGen().speak(await avatarInput(), place),
    // The portrait and the voice are sent first.
    failOrder: (fault) => heygen.faults.push(null, null, fault),
    setPendingPolls: (looks) => Object.assign(heygen, { pendingPolls: looks }),
    failJobs: (does) => Object.assign(heygen, { fails: does }),
    queueFiles: (...files) =>
      heygen.files.push(...files.map((body) => (body ? { body } : { status: 403, body: 'Request has expired' }))),
  }
})

async function spoken(avatars: Avatars, input?: AvatarInput): Promise<Clip> {
  const [wish, orders] = [input ?? (await avatarInput()), inMemoryOrders()]
  return whilePending(() => avatars.speak(wish, orderDepsFor(orders)), orders)
}

describe('the avatars of HeyGen', () => {
  it('report to the client why a video failed', async () => {
    heygen.fails = true
    await expect(spoken(byHeyGen())).rejects.toThrow(/No face was found/)
    heygen.fails = false
  })

  it('wait for an order that is still being accepted', async () => {
    heygen.faults = [null, null, { status: 409, body: { error: { code: 'request_in_progress', message: 'Wait.' } } }]
    const taken = byHeyGen().speak(await avatarInput(), orderDepsFor())
    await expect(taken).rejects.toMatchObject({ name: 'ProviderBusy' })
  })
})

describe('the avatars of fal.ai', () => {
  it('get the portrait in the aspect ratio of the frame and in its own colours', async () => {
    fal.calls.length = 0
    const wish = { ...(await avatarInput()), portrait: await redPicture() }
    await spoken(byFal(), wish)
    const { image_url } = JSON.parse(fal.calls[0]!.body.toString())
    const place = orderDepsFor()
    const frame = await decodeStill(Buffer.from(image_url.split(',')[1], 'base64'), wish, place)
    const pixels = wish.width * wish.height
    const middle = wish.width * (wish.height / 2) + wish.width / 2
    const middleOfColour = (wish.width / 2) * (wish.height / 4) + wish.width / 4
    // Red in BT.709.
    expect(Math.abs(frame[middle]! - 63)).toBeLessThan(4)
    expect(Math.abs(frame[pixels + middleOfColour]! - 102)).toBeLessThan(4)
    expect(Math.abs(frame[pixels * 1.25 + middleOfColour]! - 240)).toBeLessThan(4)
  })

  it('report a rejected account to the operator', async () => {
    const avatars = falAvatars({ url: fal.url, key: 'another' })
    await expect(avatars.speak(await avatarInput(), orderDepsFor())).rejects.toMatchObject({ name: 'AccountExpired' })
  })
})
