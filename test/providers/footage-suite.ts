/** What every source of footage promises, whoever it is. */
import { describe, expect, it } from 'vitest'
import type { Footage, FootageWish } from '../../lib/providers/footage/index.ts'
import { expectClip } from '../support/expect-video-file.ts'
import { placeFor } from '../support/provider-orders.ts'

export const footageWish: FootageWish = {
  prompt: 'Waves roll onto the beach',
  keywords: ['waves', 'beach'],
  mood: null,
  width: 180,
  height: 320,
  durationMs: 800,
  seed: 'vid_1',
}

export const footagePlace = (take: (id: string) => boolean = () => true) => ({ ...placeFor(), take })

export function footageSuite(name: string, make: () => Footage, { skip = false } = {}): void {
  describe.skipIf(skip)(`the footage ${name}`, () => {
    it('tells who it is, the same every time', () => {
      expect(make().id).toMatch(/^[a-z-]+-\d+(?:\/.+)?$/)
      expect(make().id).toBe(make().id)
    })

    it('is a clip that fills the frame and lasts as long as was wished', async () => {
      for (const shape of [
        { width: 180, height: 320 },
        { width: 320, height: 180 },
      ]) {
        const wish = { ...footageWish, ...shape }
        await expectClip(await make().find(wish, footagePlace()), wish)
      }
    })
  })
}
