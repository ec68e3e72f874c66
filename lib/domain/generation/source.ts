/** Facts of an uploaded source file, and the storage keys of what is extracted from it. */
import type { ArtefactOwner } from '../core/artefact.ts'
import { artefactKey } from '../core/artefact.ts'
import { JobFailure } from '../core/failures.ts'
import type { TimedWord } from '../core/timeline-item.ts'

export interface SourceFacts {
  /** The file that is shown: the upload itself, or a copy that can be cut at every frame. */
  sourceKey: string
  audioKey: string
  thumbnailKey: string
  durationMs: number
  /** Empty if none were recognised. */
  words: TimedWord[]
}

/** Part of the storage keys: increment it if the same file gives other results. */
const readerVersion = 1

/** The storage key of something extracted from a source, which a second attempt finds. */
export const sourceArtefactKey = (
  owner: ArtefactOwner,
  kind: 'plans' | 'sources' | 'narrations' | 'visuals',
  sourceKey: string,
  extension: string,
): string => artefactKey(owner, kind, [readerVersion, sourceKey], extension)

/** Version of each transcriber; part of the storage keys. */
export const transcriberIds = {
  'built-in': 'built-in',
  transcribe: 'amazon-transcribe-1',
  openai: 'openai-transcription-1',
} as const
export type TranscriberId = (typeof transcriberIds)[keyof typeof transcriberIds]

/** The storage key of the `SourceFacts`, one per transcriber. Written last, so their presence means that the rest is complete. */
export const sourceFactsKey = (owner: ArtefactOwner, sourceKey: string, transcriber: TranscriberId): string =>
  transcriber === transcriberIds['built-in']
    ? sourceArtefactKey(owner, 'plans', sourceKey, 'json')
    : artefactKey(owner, 'plans', [readerVersion, sourceKey, transcriber], 'json')

/** The longest file that one task can read before its deadline, on any plan. */
export const sourceSecondsMax = 1_800

export function refuseLongSource(seconds: number): void {
  if (seconds > sourceSecondsMax)
    throw new JobFailure(
      'transcription-failed',
      `The source is ${Math.ceil(seconds)} seconds long; the maximum is ${sourceSecondsMax}. Upload a shorter file.`,
    )
}
