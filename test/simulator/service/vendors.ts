/** Providers that take time and fail as vendors do, and make the smallest results of the right shape. */
import { createHash } from 'node:crypto'
import { ProviderBusy, ProviderRejected } from '../../../lib/domain/core/failures.ts'
import type { TimedWord } from '../../../lib/domain/core/timeline-item.ts'
import type { PictureVocabulary } from '../../../lib/domain/generation/picture-selection.ts'
import type { TranscriberId } from '../../../lib/domain/generation/source.ts'
import type { Animator } from '../../../lib/providers/animator/index.ts'
import type { Avatars } from '../../../lib/providers/avatars/index.ts'
import type { Director } from '../../../lib/providers/director/index.ts'
import type { Footage } from '../../../lib/providers/footage/index.ts'
import type { Images } from '../../../lib/providers/images/index.ts'
import type { Narrator } from '../../../lib/providers/narrator/index.ts'
import type { Research } from '../../../lib/providers/research/index.ts'
import type { Recording, Transcriber, TranscriptionContext } from '../../../lib/providers/transcriber/index.ts'
import { type OrderApi, runOrder } from '../../../lib/providers/vendor-orders.ts'
import type { Writer } from '../../../lib/providers/writer/index.ts'
import { encodeWav } from '../../../lib/render/sound/wav.ts'
import type { Work } from '../ports.ts'

async function work(name: string, ms: Work['ms']): Promise<void> {
  try {
    await simulator.work({ name, ms })
  } catch (error) {
    const { name: kind, message } = error as Error
    if (kind === 'ProviderBusy') throw new ProviderBusy(message)
    throw kind === 'ProviderRejected' ? new ProviderRejected(message) : error
  }
}

export const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')
export const bytesOf = (value: unknown): Uint8Array => Buffer.from(digest(value))

/** The same wish gives another result each time, of another size. */
const takeOf = (input: unknown): Uint8Array =>
  Buffer.concat([bytesOf(input), Buffer.alloc(Math.floor(simulator.random() * 40))])

/** One sample per 10 ms: the length of a sound is all that counts. */
export const soundOf = (durationMs: number, level = 0): Uint8Array =>
  encodeWav({ sampleRate: 100, samples: new Int16Array(Math.ceil(durationMs / 10)).fill(level) })

const narrator: Narrator = {
  id: 'stand-in',
  narrate: async (text) => {
    await work('narrate', [500, 4_000])
    const words = text.split(/\s+/).filter(Boolean)
    const msPerWord = 390 + Math.floor(simulator.random() * 20)
    const durationMs = words.length * msPerWord
    const timed = words.map((word, index) => ({
      text: word,
      startMs: index * msPerWord,
      endMs: (index + 1) * msPerWord,
    }))
    return { wav: soundOf(durationMs), durationMs, words: timed }
  },
}
export const chooseNarrator = async () => narrator

const images: Images = {
  id: 'stand-in',
  draw: async (input) => {
    await work('draw', [300, 5_000])
    return { bytes: takeOf(input), contentType: 'image/png' }
  },
}
export const chooseImages = async () => images
export const chooseSceneImages = async () => images

const clipOf = async (input: { durationMs: number; width: number; height: number }) => {
  await work('film', [1_000, 20_000])
  return { ...input, bytes: takeOf(input) }
}
const footage: Footage = {
  id: 'stand-in',
  find: ({ durationMs, width, height }) => clipOf({ durationMs, width, height }),
}
export const chooseFootage = async () => footage
const animator: Animator = {
  id: 'stand-in',
  movesCameraOnly: true,
  animate: ({ durationMs, width, height }) => clipOf({ durationMs, width, height }),
}
export const chooseAnimator = async () => animator
const avatars: Avatars = {
  id: 'stand-in',
  speak: ({ durationMs, width, height }) => clipOf({ durationMs, width, height }),
}
export const chooseAvatars = async () => avatars

const writer: Writer = {
  id: 'stand-in',
  write: async ({ prompt, variation }) => {
    await work('write', [300, 3_000])
    const text = `${prompt} said plainly. It helps to begin small. ${variation ? `Take ${digest(variation).slice(0, 6)}.` : 'That is all.'}`
    return { title: prompt.slice(0, 60), text, writtenBy: 'built-in', grounded: false, sources: [] }
  },
  describe: async (input) => {
    await work('write', [300, 3_000])
    return `About ${input.title}. ${digest([input, simulator.random()]).slice(0, 8)}`
  },
}
export const chooseWriter = async () => writer

const research: Research = { id: 'none', find: async () => null }
export const chooseResearch = async () => research

const director: Director = {
  id: 'stand-in',
  cut: async ({ words, seed }) => {
    const last = words.at(-1)
    if (!last) return []
    const text = words.map((word) => word.text).join(' ')
    const slide = {
      text,
      emphasis: '',
      template: 'quote' as const,
      tone: 'dark' as const,
      caption: 'hide' as const,
      hidden: false,
    }
    const look = {
      visual: { type: 'none', items: 0, anchors: [] },
      content: { quote: text, seed: digest(seed) },
      params: {},
      direction: {},
      composed: {},
    }
    return [{ startMs: 0, endMs: last.endMs, ...slide, ...look }]
  },
}
export const chooseDirector = async () => director

/** Takes up to two minutes, and is polled. The id of a job says when it ends. */
const transcription: OrderApi<Recording, TimedWord[], TranscriptionContext> = {
  name: 'The stand-in',
  isIdempotent: true,
  submit: async ({ soundKey }) => {
    await work('transcribe', [100, 1_000])
    return String(Math.ceil(Date.now()) + (Number.parseInt(digest(soundKey).slice(0, 4), 16) % 120) * 1_000)
  },
  poll: async (endsAt) => {
    await work('transcribe', [20, 500])
    return Date.now() < Number(endsAt) ? undefined : endsAt
  },
  collect: async () => [{ text: 'Hello', startMs: 0, endMs: 400 }],
}
export const chooseTranscriber = async (id: TranscriberId): Promise<Transcriber> => ({
  id,
  transcribe: (recording, context) => runOrder(transcription, recording, context),
})

/** Without names of objects, the keywords of a script choose its pictures. */
export const loadPictureVocabulary = async (language: string): Promise<PictureVocabulary> => ({
  english: { language: 'en', entries: new Map() },
  local: { language, entries: new Map() },
  places: new Map(),
})
