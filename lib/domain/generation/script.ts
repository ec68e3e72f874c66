/** The source of a script: the client's own text, or the request to a writer, with variations against repetition. */
import { createHash } from 'node:crypto'
import { hasAtMost, isWebUrl, nameLengthMax } from '../core/bounded.ts'
import { JobFailure } from '../core/failures.ts'
import { requestedSecondsMax, scriptLengthMax, speaksOwnText } from '../records/brief.ts'
import { type Script, type ScriptSource, scriptSourcesMax } from '../records/script.ts'
import type { Video } from '../records/video.ts'
import { ideaOf } from '../videos/idea.ts'

/** The input of a writer. */
export interface ScriptRequest {
  prompt: string
  scriptPrompt: string | null
  language: string
  durationSecondsMax: number
  mood: string | null
  /** Null for the first script of a brief; any other value gives another script. */
  variation: string | null
}

/** How often a script is rewritten that repeats another clip's. */
const rewritesMax = 5

/** The request, followed by variations of it for the case that another clip already has the resulting script. */
export const scriptRequests = (videoId: string, request: ScriptRequest): ScriptRequest[] => [
  request,
  ...Array.from({ length: rewritesMax }, (_, rewrite) => ({
    ...request,
    variation: `${request.variation ?? videoId}-${rewrite + 1}`,
  })),
]

/** @throws JobFailure `script-failed` for a script of a writer that a brief cannot hold. */
export function refuseUnstorable({ text, sources = [] }: Pick<Script, 'text' | 'sources'>): void {
  if (!hasAtMost(text, scriptLengthMax))
    throw new JobFailure('script-failed', `The script is longer than ${scriptLengthMax} characters.`)
  const isShown = ({ title, url }: ScriptSource) => hasAtMost(title, nameLengthMax) && isWebUrl(url)
  if (sources.length > scriptSourcesMax || !sources.every(isShown))
    throw new JobFailure('script-failed', 'The sources of the script cannot be shown.')
}

/** Equal for scripts with the same words, ignoring case and punctuation. */
export const scriptFingerprint = (text: string): string =>
  createHash('sha256')
    .update((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' '))
    .digest('base64url')
    .slice(0, 22)

/** The client's own text, word for word, or the request for a script. */
export function scriptSource({ brief, mood, variation, process: job }: Video): { text: string } | ScriptRequest {
  const rewrites = job?.work === 'script'
  if (!rewrites && speaksOwnText(brief)) return { text: (brief.text ?? '').trim() }
  return {
    prompt: ideaOf(brief),
    scriptPrompt: brief.scriptPrompt,
    language: brief.language,
    durationSecondsMax: requestedSecondsMax(brief),
    mood,
    // A request for a new script must differ from the current one.
    variation: (rewrites ? job.runId : variation) ?? null,
  }
}
