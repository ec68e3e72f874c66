/** The contract of every source of footage. */
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
    it('has a stable name', () => {
      expect(make().id).toMatch(/^[a-z-]+-\d+(?:\/.+)?$/)
      expect(make().id).toBe(make().id)
    })

    it('is a clip that fills the frame and is as long as requested', async () => {
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
