/** What is known of a source file once it was read: where its parts lie, how long it is, what is said in it. */
import type { ArtefactOwner } from '../core/artefact.ts'
import { artefactKey } from '../core/artefact.ts'
import { JobFailure } from '../core/failures.ts'
import type { TimedWord } from '../core/timeline-item.ts'

export interface SourceFacts {
  /** The file that is shown: the one that came, or a copy that can be cut at every frame. */
  sourceKey: string
  audioKey: string
  thumbnailKey: string
  durationMs: number
  /** Empty where nobody could tell any. */
  words: TimedWord[]
}

/** Part of the names of what is made of a source: counts up when the same file gives something else. */
const readerVersion = 1

/** What is made of a source has its name from it, so that a second attempt finds it. */
export const sourceArtefactKey = (
  owner: ArtefactOwner,
  kind: 'plans' | 'sources' | 'narrations' | 'visuals',
  sourceKey: string,
  extension: string,
): string => artefactKey(owner, kind, [readerVersion, sourceKey], extension)

/** Who tells what is said in a source, by maker and version. */
export const transcriberIds = { 'built-in': 'built-in', transcribe: 'amazon-transcribe-1' } as const
export type TranscriberId = (typeof transcriberIds)[keyof typeof transcriberIds]

/** Where the `SourceFacts` stand; written last of all. What another transcriber told is something else. */
export const sourceFactsKey = (owner: ArtefactOwner, sourceKey: string, transcriber: TranscriberId): string =>
  transcriber === transcriberIds['built-in']
    ? sourceArtefactKey(owner, 'plans', sourceKey, 'json')
    : artefactKey(owner, 'plans', [readerVersion, sourceKey, transcriber], 'json')

/** The longest file that one task can read in its time, whatever the plan allows. */
export const sourceSecondsMax = 1_800

export function refuseLongSource(seconds: number): void {
  if (seconds > sourceSecondsMax)
    throw new JobFailure(
      'transcription-failed',
      `The source takes ${Math.ceil(seconds)} seconds; at most ${sourceSecondsMax} can be read.`,
    )
}
