/** Footage of Pexels: https://www.pexels.com/api/documentation/#videos-search. Free; its authors are to be named. */
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { ProviderRejected } from '../../domain/core/failures.ts'
import { callVendor, downloadFromVendor, type Vendor } from '../vendor.ts'
import type { Footage, FootageContext, FootageInput, SearchCache } from './index.ts'
import { normaliseClip } from './normalise-clip.ts'

const perPage = 40
/** Of the clips that fit, one of so many best ones is taken, so that two videos about one thing differ. */
const bestCount = 5
/** More words find nothing. */
const wordsMax = 4
const clipBytesMax = 120 * 1024 * 1024
const downloadDeadlineMs = 60_000
/** A file this much smaller than the frame still looks well. */
const leastShare = 2 / 3

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

const found = v.object({
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
type Video = v.InferOutput<typeof found>['videos'][number]
const remembered = v.pipe(v.string(), v.parseJson(), found)
const idOf = ({ id }: Video) => `pexels-${id}`

export function pexelsFootage({ url, key }: { url: string; key: string }, searches?: SearchCache): Footage {
  const vendor: Vendor = { name: 'Pexels', url, headers: { authorization: key } }
  const search = async (path: string, signal: AbortSignal) => {
    const known = v.safeParse(remembered, await searches?.find(url + path))
    if (known.success) return known.output
    const answer = await callVendor(vendor, { path, signal }, found)
    await searches?.put(url + path, JSON.stringify(answer))
    return answer
  }
  const fetch = async ({ video, link }: Candidate, wish: FootageInput, { directory, signal }: FootageContext) => {
    const bytes = await downloadFromVendor(vendor, link, {
      deadlineMs: downloadDeadlineMs,
      bytesMax: clipBytesMax,
      signal,
    })
    const clip = await normaliseClip(bytes, wish, { directory, signal, from: 'Pexels', maySlowDown: true })
    return { ...clip, attribution: { id: idOf(video), author: video.user.name, url: video.url } }
  }
  return {
    id: 'pexels-1',
    async find(wish, place) {
      for (const words of queriesFor(wish)) {
        place.signal.throwIfAborted()
        const { videos } = await search(searchPath(wish, words), place.signal)
        const chosen = rotateBySeed(candidatesFor(videos, wish), wish.seed + words).find(({ video }) =>
          place.reserve(idOf(video)),
        )
        if (!chosen) continue
        return await fetch(chosen, wish, place).catch((error) => {
          place.release?.(idOf(chosen.video))
          throw error
        })
      }
      throw new ProviderRejected('Nobody on Pexels filmed anything of the kind.')
    },
  }
}

/** The keywords together, then fewer of them, then the first one alone. */
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

/** Those that last long enough, in the order of the search, each with the smallest of its files that fills the frame. */
const candidatesFor = (videos: readonly Video[], wish: FootageInput): Candidate[] =>
  videos.flatMap((video) => {
    const link = video.duration * 1000 >= wish.durationMs ? fileFor(video, wish) : undefined
    return link ? [{ video, link }] : []
  })

function fileFor({ video_files }: Video, { width, height }: FootageInput): string | undefined {
  const files = video_files.flatMap((file) =>
    file.file_type === 'video/mp4' && file.width && file.height
      ? // How far it has to be enlarged to fill the frame.
        [{ link: file.link, share: Math.min(file.width / width, file.height / height) }]
      : [],
  )
  const bySize = files.toSorted((a, b) => a.share - b.share)
  const best = bySize.find(({ share }) => share >= 1) ?? bySize.at(-1)
  return best && best.share >= leastShare ? best.link : undefined
}

/** The best ones, beginning with one that the seed picks, then the rest. */
function rotateBySeed(candidates: readonly Candidate[], seed: string): Candidate[] {
  const best = candidates.slice(0, bestCount)
  const first = createHash('sha256').update(seed).digest()[0]! % Math.max(best.length, 1)
  return [...best.slice(first), ...best.slice(0, first), ...candidates.slice(bestCount)]
}
