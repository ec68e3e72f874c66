/** The contract of every maker of speaking portraits. */
import { describe, expect, it } from 'vitest'
import { type AvatarInput, type Avatars, PortraitRefused } from '../../lib/providers/avatars/index.ts'
import { parseWav } from '../../lib/render/sound/wav.ts'
import { expectVideoFile } from '../support/expect-video-file.ts'
import { hostileVideo, tinyPicture } from '../support/fake-vendors/media.ts'
import { speechWav } from '../support/picture-server.ts'
import { type Attempts, inMemoryOrders, orderDepsFor, whilePending } from '../support/provider-orders.ts'

export const avatarInput = async (): Promise<AvatarInput> => ({
  portrait: await tinyPicture(),
  voice: parseWav(speechWav(1)),
  durationMs: 100,
  width: 72,
  height: 128,
})

export function avatarsSuite(
  name: string,
  make: () => Avatars,
  { skip = false, attempts = {} as Attempts } = {},
): void {
  const spoken = (input: AvatarInput) => {
    const orders = inMemoryOrders()
    return whilePending(() => make().speak(input, orderDepsFor(orders)), orders, attempts)
  }
  describe.skipIf(skip)(`the avatars ${name}`, () => {
    it('have a stable name', () => {
      expect(make().id).toMatch(/^[a-z-]+-\d+(?:\/.+)?$/)
      expect(make().id).toBe(make().id)
    })

    it('give a clip of the requested size and length, in every aspect ratio', async () => {
      for (const shape of [
        { width: 180, height: 320, durationMs: 1_000 },
        { width: 200, height: 250, durationMs: 1_400 },
      ])
        await expectVideoFile(await spoken({ ...(await avatarInput()), ...shape }), shape)
    })

    it('refuse a file that is not a portrait, before any charge', async () => {
      for (const portrait of [Buffer.from('no picture'), hostileVideo(), (await tinyPicture()).subarray(0, 60)])
        await expect(spoken({ ...(await avatarInput()), portrait })).rejects.toBeInstanceOf(PortraitRefused)
    })
  })
}
