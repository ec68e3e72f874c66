/**
 * Footage of Wikimedia Commons: its WebM files, to which it transcodes every video. Free, with credit to the authors
 * where their licence requires it.
 */
import { createHash } from 'node:crypto'
import { ProviderRejected } from '../../domain/core/failures.ts'
import { queriesFor } from '../images/collection.ts'
import type { SearchCache } from '../search-cache.ts'
import { downloadFromVendor, type KeylessSource } from '../vendor.ts'
import { type CommonsFile, commonsVendor, searchCommons } from '../wikimedia-commons.ts'
import type { Footage, FootageInput } from './index.ts'
import { normaliseClip } from './normalise-clip.ts'

/** The seed picks one of this many best clips, so that two videos about one subject differ. */
const bestCount = 3
const clipBytesMax = 60 * 1024 * 1024
const downloadDeadlineMs = 60_000
/** Longer videos are lectures and recordings of events, and begin with titles. */
const secondsMax = 180
/** The smallest acceptable size of a file relative to the frame. */
const sizeShareMin = 1 / 2

export function wikimediaFootage(source: KeylessSource, searches?: SearchCache): Footage {
  const vendor = commonsVendor(source)
  return {
    id: 'wikimedia-footage-1',
    async find(input, { directory, signal, reserve, release }) {
      for (const words of queriesFor(input)) {
        signal.throwIfAborted()
        const found = await searchCommons(vendor, { words, kind: 'video' }, { searches, signal })
        for (const { file, src } of rotated(candidatesFor(found, input), input.seed + words)) {
          if (!reserve(file.id)) continue
          try {
            const limits = { deadlineMs: downloadDeadlineMs, bytesMax: clipBytesMax, signal }
            const bytes = await downloadFromVendor(vendor, src, limits)
            const clip = await normaliseClip(bytes, input, { directory, signal, from: vendor.name, maySlowDown: true })
            const { id, author, page: url, title, licence } = file
            return { ...clip, attribution: { id, author, url, title, licence } }
          } catch (error) {
            // A file that cannot be used: another one is tried.
            if (error instanceof ProviderRejected) continue
            release?.(file.id)
            throw error
          }
        }
      }
      throw new ProviderRejected(`${vendor.name} has no footage for these words.`)
    },
  }
}

interface Candidate {
  file: CommonsFile
  src: string
}

/** Videos that are long enough, in search order, each with the smallest of its files that covers the frame. */
function candidatesFor(files: readonly CommonsFile[], input: FootageInput): Candidate[] {
  return files.flatMap((file) => {
    const { duration = 0 } = file.info
    if (duration * 1000 < input.durationMs || duration > secondsMax) return []
    const src = fileFor(file, input)
    return src ? [{ file, src }] : []
  })
}

function fileFor({ info: { derivatives, duration = 0 } }: CommonsFile, { width, height }: FootageInput) {
  const files = derivatives
    .filter(
      ({ type, bandwidth }) => /^video\/webm\b(?!.*av01)/.test(type) && (bandwidth * duration) / 8 <= clipBytesMax,
    )
    .map((file) => ({ src: file.src, share: Math.min(file.width / width, file.height / height) }))
    .toSorted((a, b) => a.share - b.share)
  const best = files.find(({ share }) => share >= 1) ?? files.at(-1)
  return best && best.share >= sizeShareMin ? best.src : undefined
}

/** Rotates the best ones by the seed; the others follow in their order. */
function rotated(candidates: readonly Candidate[], seed: string): Candidate[] {
  const best = candidates.slice(0, bestCount)
  const first = createHash('sha256').update(seed).digest()[0]! % Math.max(best.length, 1)
  return [...best.slice(first), ...best.slice(0, first), ...candidates.slice(bestCount)]
}
