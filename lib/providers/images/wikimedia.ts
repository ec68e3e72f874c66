/** Photographs of Wikimedia Commons. Free, with credit to the authors where their licence requires it. */
import type { SearchCache } from '../search-cache.ts'
import type { KeylessSource } from '../vendor.ts'
import { type CommonsFile, commonsVendor, searchCommons } from '../wikimedia-commons.ts'
import { collectionImages, type FoundPicture } from './collection.ts'
import type { Images, PictureInput } from './index.ts'

/** The thumbnail is used if it has at least this share of the frame's size: it is a tenth of the bytes. */
const thumbnailShareMin = 2 / 3
/** Larger originals are not downloaded. */
const originalBytesMax = 15_000_000

export function wikimediaImages(source: KeylessSource, searches?: SearchCache): Images {
  const vendor = commonsVendor(source)
  return collectionImages({
    id: 'wikimedia-1',
    vendor,
    search: async (words, input, signal) =>
      (await searchCommons(vendor, { words, kind: 'picture' }, { searches, signal })).map((file) =>
        asFound(file, input),
      ),
  })
}

function asFound({ info, ...file }: CommonsFile, { width, height }: PictureInput): FoundPicture {
  const { thumburl, thumbwidth = 0, thumbheight = 0, url, size } = info
  const isLargeEnough = Math.min(thumbwidth / width, thumbheight / height) >= thumbnailShareMin
  const usesThumbnail = thumburl !== undefined && (isLargeEnough || size > originalBytesMax)
  return { ...file, file: usesThumbnail ? thumburl : url, width: info.width, height: info.height }
}
