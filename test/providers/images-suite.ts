/** The contract of every maker of stills. */
import { describe, expect, it } from 'vitest'
import type { Images, PictureInput } from '../../lib/providers/images/index.ts'

export const pictureInput: PictureInput = {
  prompt: 'A quiet morning in the mountains',
  keywords: ['mountains'],
  mood: 'calm',
  width: 324,
  height: 576,
  seed: 'vid_1',
}

export function imagesSuite(name: string, make: () => Images, { skip = false } = {}): void {
  describe.skipIf(skip)(`the images ${name}`, () => {
    it('have a stable name', () => {
      expect(make().id).toMatch(/^[a-z-]+-\d+(?:\/.+)?$/)
      expect(make().id).toBe(make().id)
    })

    it.each([
      [1080, 1920],
      [1920, 1080],
      [1080, 1080],
      [1080, 1350],
    ])('draw a PNG for a frame of %i x %i', async (width, height) => {
      const { bytes, contentType } = await make().draw({ ...pictureInput, width, height })
      expect(contentType).toBe('image/png')
      expect(Buffer.from(bytes).toString('hex', 0, 8)).toBe('89504e470d0a1a0a')
    })
  })
}
