/** What every source of footage promises, whoever it is. */
import { describe, expect, it } from 'vitest'
import type { Footage, FootageInput } from '../../lib/providers/footage/index.ts'
import { expectVideoFile } from '../support/expect-video-file.ts'
import { orderDepsFor } from '../support/provider-orders.ts'

export const footageInput: FootageInput = {
  prompt: 'Waves roll onto the beach',
  keywords: ['waves', 'beach'],
  mood: null,
  width: 180,
  height: 320,
  durationMs: 800,
  seed: 'vid_1',
}

export const footageDeps = (reserve: (id: string) => boolean = () => true) => ({ ...orderDepsFor(), reserve })

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
        const wish = { ...footageInput, ...shape }
        await expectVideoFile(await make().find(wish, footageDeps()), wish)
      }
    })
  })
}
