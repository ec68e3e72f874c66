/**
 * Stock footage by Pexels, `GET /videos/search`: https://www.pexels.com/api/documentation/#videos-search (read November
 * 2026). Free, with attribution of the authors. Limit: 200 requests an hour.
 */
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { ProviderRejected } from '../../domain/core/failures.ts'
import { type SearchCache, searchOnce } from '../search-cache.ts'
import { downloadFromVendor, type Vendor } from '../vendor.ts'
import type { Footage, FootageContext, FootageInput } from './index.ts'
import { normaliseClip } from './normalise-clip.ts'

const perPage = 40
/** The seed picks one of this many best clips, so that two videos about one subject differ. */
const bestCount = 5
/** Longer queries find nothing. */
const wordsMax = 4
const clipBytesMax = 120 * 1024 * 1024
const downloadDeadlineMs = 60_000
/** The smallest acceptable size of a file relative to the frame. */
const sizeShareMin = 2 / 3

const locales = [
  ...[
    'en-US',
    'pt-BR',
    'es-ES',
    'ca-ES',
    'de-DE',
    'it-IT',
    'fr-FR',
    'sv-SE',
    'id-ID',
    'pl-PL',
    'ja-JP',
    'zh-CN',
    'ko-KR',
  ],
  ...[
    'th-TH',
    'nl-NL',
    'hu-HU',
    'vi-VN',
    'cs-CZ',
    'da-DK',
    'fi-FI',
    'uk-UA',
    'el-GR',
    'ro-RO',
    'nb-NO',
    'sk-SK',
    'tr-TR',
  ],
  'ru-RU',
]

const responseSchema = v.object({
  videos: v.array(
    v.object({
      id: v.number(),
      /** Whole seconds. */
      duration: v.number(),
      url: v.string(),
      user: v.object({ name: v.string() }),
      video_files: v.array(
        v.object({
          link: v.string(),
          file_type: v.nullish(v.string()),
          width: v.nullish(v.number()),
          height: v.nullish(v.number()),
        }),
      ),
    }),
  ),
})
type Video = v.InferOutput<typeof responseSchema>['videos'][number]
const idOf = ({ id }: Video) => `pexels-${id}`

export function pexelsFootage({ url, key }: { url: string; key: string }, searches?: SearchCache): Footage {
  const vendor: Vendor = { name: 'Pexels', url, headers: { authorization: key } }
  const search = (path: string, signal: AbortSignal) => searchOnce(vendor, path, responseSchema, { searches, signal })
  const fetch = async ({ video, link }: Candidate, input: FootageInput, { directory, signal }: FootageContext) => {
    const bytes = await downloadFromVendor(vendor, link, {
      deadlineMs: downloadDeadlineMs,
      bytesMax: clipBytesMax,
      signal,
    })
    const clip = await normaliseClip(bytes, input, { directory, signal, from: 'Pexels', maySlowDown: true })
    return { ...clip, attribution: { id: idOf(video), author: video.user.name, url: video.url } }
  }
  return {
    id: 'pexels-1',
    async find(input, context) {
      for (const words of queriesFor(input)) {
        context.signal.throwIfAborted()
        const { videos } = await search(searchPath(input, words), context.signal)
        const chosen = rotateBySeed(candidatesFor(videos, input), input.seed + words).find(({ video }) =>
          context.reserve(idOf(video)),
        )
        if (!chosen) continue
        return await fetch(chosen, input, context).catch((error) => {
          context.release?.(idOf(chosen.video))
          throw error
        })
      }
      throw new ProviderRejected('Pexels has no footage for these keywords.')
    },
  }
}

/** All keywords (or the words of the prompt), then two of them, then the first one. */
function queriesFor({ keywords, prompt }: FootageInput): string[] {
  const words = (keywords.length > 0 ? keywords : prompt.split(/\s+/)).slice(0, wordsMax)
  return [...new Set([words, words.slice(0, 2), words.slice(0, 1)].map((some) => some.join(' ').trim()))].filter(
    Boolean,
  )
}

function searchPath({ width, height, language = 'en' }: FootageInput, words: string): string {
  const orientation = width === height ? 'square' : width < height ? 'portrait' : 'landscape'
  const locale = locales.find((name) => name.startsWith(`${language}-`))
  const query = { query: words, orientation, per_page: String(perPage), ...(locale && { locale }) }
  return `/videos/search?${new URLSearchParams(query)}`
}

interface Candidate {
  video: Video
  link: string
}

/** Videos that are long enough, in search order, each with the smallest of its files that covers the frame. */
const candidatesFor = (videos: readonly Video[], input: FootageInput): Candidate[] =>
  videos.flatMap((video) => {
    const link = video.duration * 1000 >= input.durationMs ? fileFor(video, input) : undefined
    return link ? [{ video, link }] : []
  })

function fileFor({ video_files }: Video, { width, height }: FootageInput): string | undefined {
  const files = video_files.flatMap((file) =>
    file.file_type === 'video/mp4' && file.width && file.height
      ? // Below 1 the file has to be enlarged to cover the frame.
        [{ link: file.link, share: Math.min(file.width / width, file.height / height) }]
      : [],
  )
  const bySize = files.toSorted((a, b) => a.share - b.share)
  const best = bySize.find(({ share }) => share >= 1) ?? bySize.at(-1)
  return best && best.share >= sizeShareMin ? best.link : undefined
}

/** Rotates the best ones by the seed; the others follow in their order. */
function rotateBySeed(candidates: readonly Candidate[], seed: string): Candidate[] {
  const best = candidates.slice(0, bestCount)
  const first = createHash('sha256').update(seed).digest()[0]! % Math.max(best.length, 1)
  return [...best.slice(first), ...best.slice(0, first), ...candidates.slice(bestCount)]
}
