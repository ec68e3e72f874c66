/** Scripts: what one is written from, and when it is the client's own text. */
import { createHash } from 'node:crypto'
import { requestedSecondsMax, speaksOwnText } from '../records/brief.ts'
import type { Video } from '../records/video.ts'
import { ideaOf } from '../videos/idea.ts'

/** What the writer is asked for. */
export interface ScriptRequest {
  prompt: string
  scriptPrompt: string | null
  language: string
  durationSecondsMax: number
  mood: string | null
  /** Null for the first script of a brief; any other value gives another script. */
  variation: string | null
}

/** So often a script is written anew that tells what another clip tells already. */
const rewritesMax = 5

/** The order and, for as often as another clip was first with what came of it, orders for other scripts. */
export const scriptRequests = (videoId: string, order: ScriptRequest): ScriptRequest[] => [
  order,
  ...Array.from({ length: rewritesMax }, (_, rewrite) => ({
    ...order,
    variation: `${order.variation ?? videoId}-${rewrite + 1}`,
  })),
]

/** What tells a script from another: its words, whatever stands between them. */
export const scriptFingerprint = (text: string): string =>
  createHash('sha256')
    .update((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' '))
    .digest('base64url')
    .slice(0, 22)

/** The client's own text, word for word, or what a script has to be written from. */
export function scriptSource({ brief, mood, variation, process: job }: Video): { text: string } | ScriptRequest {
  const rewrites = job?.work === 'script'
  if (!rewrites && speaksOwnText(brief)) return { text: (brief.text ?? '').trim() }
  return {
    prompt: ideaOf(brief),
    scriptPrompt: brief.scriptPrompt,
    language: brief.language,
    durationSecondsMax: requestedSecondsMax(brief),
    mood,
    // Who asks for a new script does not want the one that is there.
    variation: (rewrites ? job.runId : variation) ?? null,
  }
}
