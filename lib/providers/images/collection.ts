/**
 * Photographs of a collection of free pictures: finds one for a shot, downloads it, crops it to the frame, and names its
 * author. What may be used is decided here: licences that allow commercial use and changes.
 */
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ProviderRejected } from '../../domain/core/failures.ts'
import { downloadFromVendor, type Vendor } from '../vendor.ts'
import type { Images, PictureInput, Reservations } from './index.ts'
import { stillAsJpeg } from './still.ts'

export interface FoundPicture {
  /** Unique across collections. */
  id: string
  /** The address of the file. */
  file: string
  width: number
  height: number
  title: string
  author: string
  page: string
  licence: string
}

interface Collection {
  id: string
  vendor: Vendor
  /** The pictures for these words, the best one first. */
  search(words: string, input: PictureInput, signal?: AbortSignal): Promise<FoundPicture[]>
}

/** The seed picks one of this many best pictures, so that two videos about one subject differ. */
const bestCount = 4
/** Pixels of the shorter side. */
const sideAim = 1_000
const sideMin = 640
/** The largest still that is decoded has 33 megapixels. */
const pixelsMax = 33_000_000
const downloadDeadlineMs = 30_000
const pictureBytesMax = 24 * 1024 * 1024

export const collectionImages = ({ id, vendor, search }: Collection): Images => ({
  id,
  isCollection: true,
  async draw(input, signal, reservations) {
    for (const words of queriesFor(input)) {
      signal?.throwIfAborted()
      const pictures = await search(words, input, signal)
      for (const picture of rotated(usable(pictures, words, input), input, words)) {
        if (reservations && !reservations.reserve(picture.id)) continue
        const drawn = await take(vendor, picture, input, { signal, reservations })
        if (drawn) return drawn
      }
    }
    throw new ProviderRejected(`${vendor.name} has no picture for these words.`)
  },
})

/** What is to be shown, in English, then the words of the shot. Few: the collections limit the searches. */
export function queriesFor({ scene, keywords, prompt }: Pick<PictureInput, 'scene' | 'keywords' | 'prompt'>): string[] {
  const objects = (scene?.objects ?? []).map((name) => name.replaceAll('-', ' '))
  const words = (keywords.length > 0 ? keywords : prompt.split(/\s+/)).slice(0, 3)
  const place = scene?.layout === 'map' ? [scene.text ?? ''] : []
  const queries = [...place, ...objects.slice(0, 1), words.join(' '), words.slice(0, 1).join(' ')]
  return [...new Set(queries.map((query) => query.trim()))].filter((query) => query.length > 2)
}

/** Large ones first, of these the ones that are named as searched, of these the ones in the shape of the frame. */
function usable(pictures: readonly FoundPicture[], words: string, { width, height }: PictureInput): FoundPicture[] {
  const [first = ''] = words.toLowerCase().split(' ')
  const rank = (picture: FoundPicture) => {
    const isUpright = picture.height > picture.width
    return (
      (Math.min(picture.width, picture.height) >= sideAim ? 4 : 0) +
      (picture.title.toLowerCase().includes(first) ? 2 : 0) +
      (isUpright === height > width ? 1 : 0)
    )
  }
  return pictures
    .filter(
      (picture) => Math.min(picture.width, picture.height) >= sideMin && picture.width * picture.height <= pixelsMax,
    )
    .toSorted((a, b) => rank(b) - rank(a))
}

function rotated(pictures: readonly FoundPicture[], { seed, take = '' }: PictureInput, words: string): FoundPicture[] {
  const best = pictures.slice(0, bestCount)
  const first = createHash('sha256').update(`${seed}/${take}/${words}`).digest()[0]! % Math.max(best.length, 1)
  return [...best.slice(first), ...best.slice(0, first), ...pictures.slice(bestCount)]
}

/** Undefined where the file cannot be used: then another one is tried. */
async function take(
  vendor: Vendor,
  picture: FoundPicture,
  size: PictureInput,
  { signal, reservations }: { signal: AbortSignal | undefined; reservations: Reservations | undefined },
) {
  const directory = await mkdtemp(join(tmpdir(), 'picture-'))
  const abort = signal && { signal }
  try {
    const limits = { deadlineMs: downloadDeadlineMs, bytesMax: pictureBytesMax }
    const file = await downloadFromVendor(vendor, picture.file, { ...limits, ...abort })
    const bytes = await stillAsJpeg(file, size, { directory, ...abort })
    const { id, author, page: url, title, licence } = picture
    return { bytes, contentType: 'image/jpeg' as const, attribution: { id, author, url, title, licence } }
  } catch (error) {
    if (error instanceof ProviderRejected) return undefined
    reservations?.release(picture.id)
    throw error
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
