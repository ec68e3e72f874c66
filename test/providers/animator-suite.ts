/** The contract of every animator. */
import { describe, expect, it } from 'vitest'
import type { AnimationInput, Animator } from '../../lib/providers/animator/index.ts'
import { expectVideoFile } from '../support/expect-video-file.ts'
import { hostileVideo, tinyPicture } from '../support/fake-vendors/media.ts'
import { type Attempts, inMemoryOrders, orderDepsFor, whilePending } from '../support/provider-orders.ts'

export const animationInput = async (): Promise<AnimationInput> => ({
  still: await tinyPicture(),
  prompt: 'Slow push in',
  durationMs: 100,
  width: 72,
  height: 128,
  seed: 'vid_1',
})

export function animatorSuite(
  name: string,
  make: () => Animator,
  { skip = false, attempts = {} as Attempts } = {},
): void {
  const animated = (input: AnimationInput) => {
    const orders = inMemoryOrders()
    return whilePending(() => make().animate(input, orderDepsFor(orders)), orders, attempts)
  }
  describe.skipIf(skip)(`the animator ${name}`, () => {
    it('has a stable name', () => {
      expect(make().id).toMatch(/^[a-z-]+-\d+(?:\/.+)?$/)
      expect(make().id).toBe(make().id)
    })

    it('gives a clip of the requested size and length, also of another aspect ratio and longer than the vendor makes', async () => {
      for (const shape of [
        { width: 180, height: 320, durationMs: 700 },
        { width: 200, height: 250, durationMs: 2_500 },
      ])
        await expectVideoFile(await animated({ ...(await animationInput()), ...shape }), shape)
    })

    it('refuses a file that is not a picture, before any charge', async () => {
      for (const still of [Buffer.from('no picture'), hostileVideo(), (await tinyPicture()).subarray(0, 60)])
        await expect(animated({ ...(await animationInput()), still })).rejects.toMatchObject({
          name: 'ProviderRejected',
        })
    })
  })
}
