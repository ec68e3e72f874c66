/** List prices of vendors in US dollars, from docs/guides/providers.md, which has their sources. */
import { requestedSecondsMax } from '../records/brief.ts'
import type { Video } from '../records/video.ts'
import { isPresentation } from '../videos/kind.ts'
import type { ChosenCapability, ProviderChoice } from './provider-choice.ts'

export interface VendorPrice {
  usd: number
  /** As written in docs/guides/providers.md. */
  text: string
}

/** What one unit of work of a capability is. */
export const unitOfWork = {
  writer: 'script',
  director: 'minute',
  narrator: 'minute',
  expressive: 'thousand characters',
  transcriber: 'minute',
  images: 'pictures',
  footage: 'minute',
  animator: 'seconds',
  avatars: 'seconds',
} as const satisfies Partial<Record<ChosenCapability, string>>

type PricedCapability = keyof typeof unitOfWork

/** Units of work by capability. */
export type VendorWork = Partial<Record<PricedCapability, number>>

/** Vendors that charge by the model that the operator chose have no price. */
export const vendorPrices: Record<PricedCapability, Readonly<Record<string, VendorPrice>>> = {
  writer: { bedrock: { usd: 0.003, text: '$0.003 a script' }, openai: { usd: 0.004, text: '$0.004 a script' } },
  director: {
    bedrock: { usd: 0.005, text: '$0.005 a minute of speech' },
    openai: { usd: 0.004, text: '$0.004 a script' },
  },
  narrator: {
    polly: { usd: 0.03, text: '$0.03 a minute of speech' },
    openai: { usd: 0.015, text: '$0.015 a minute of speech' },
  },
  expressive: {
    elevenlabs: { usd: 0.1, text: '$0.10 per 1,000 characters' },
    openai: { usd: 0.015, text: '$0.015 a minute of speech' },
  },
  transcriber: { transcribe: { usd: 0.024, text: '$0.024 a minute' } },
  images: { stability: { usd: 0.04, text: '$0.04 a picture' } },
  footage: { pexels: { usd: 0, text: 'nothing; 200 requests an hour' } },
  animator: { luma: { usd: 1.5, text: '$1.50 a second at 720p' } },
  avatars: { heygen: { usd: 0.05, text: '$0.05 a second' } },
}

const free = new Set(['built-in', 'none', 'wikimedia', 'openverse'])

/** About what the chosen vendors charge for the work; null where one of them has no known price. */
export function vendorUsd(choice: ProviderChoice, work: VendorWork): number | null {
  let usd = 0
  for (const [capability, units] of Object.entries(work) as [PricedCapability, number][]) {
    const vendor = choice[capability]
    if (free.has(vendor) || units === 0) continue
    const price = vendorPrices[capability][vendor]
    if (!price) return null
    usd += price.usd * units
  }
  return Number(usd.toFixed(4))
}

/** A minute of speech, also of `bench:usage`. */
const thousandCharactersOfMinute = 1
const picturesOfMinute = 13

/** The work of a generation of the requested duration: every second of an ai video is animated. */
export function workOfGeneration({ type, subType, brief }: Pick<Video, 'type' | 'subType' | 'brief'>): VendorWork {
  const seconds = requestedSecondsMax(brief)
  const minutes = seconds / 60
  return {
    writer: 1,
    director: isPresentation({ subType }) ? minutes : 0,
    ...(brief.voiceProvider === 'expressive'
      ? { expressive: minutes * thousandCharactersOfMinute }
      : { narrator: minutes }),
    images: Math.ceil(minutes * picturesOfMinute),
    footage: minutes,
    animator: type === 'ai' ? seconds : 0,
  }
}
