/** Facts of an uploaded source file, and the storage keys of what is extracted from it. */
import type { ArtefactOwner } from '../core/artefact.ts'
import { artefactKey } from '../core/artefact.ts'
import { JobFailure } from '../core/failures.ts'
import { type TimedWord, timelineSecondsMax } from '../core/timeline-item.ts'

export interface SourceFacts {
  /** The file that is shown: the upload itself, or a copy that can be cut at every frame. */
  sourceKey: string
  audioKey: string
  thumbnailKey: string
  durationMs: number
  /** Empty if none were recognised. */
  words: TimedWord[]
}

/** A span with audible sound. */
export interface Passage {
  startMs: number
  endMs: number
}

/** What the file itself tells: its words are those of its subtitles. */
export interface SourceReading extends SourceFacts {
  passages: Passage[]
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

/** The storage key of the `SourceReading`. Written last, so its presence means that the files that it names are complete. */
export const sourceReadingKey = (owner: ArtefactOwner, sourceKey: string): string =>
  artefactKey(owner, 'plans', [readerVersion, sourceKey, 'reading'], 'json')

/** Version of each transcriber; part of the storage keys. */
export const transcriberIds = {
  'built-in': 'built-in',
  transcribe: 'amazon-transcribe-1',
  openai: 'openai-transcription-1',
} as const
export type TranscriberId = (typeof transcriberIds)[keyof typeof transcriberIds]

/** The storage key of the `SourceFacts`, one per transcriber. */
export const sourceFactsKey = (owner: ArtefactOwner, sourceKey: string, transcriber: TranscriberId): string =>
  transcriber === transcriberIds['built-in']
    ? sourceArtefactKey(owner, 'plans', sourceKey, 'json')
    : artefactKey(owner, 'plans', [readerVersion, sourceKey, transcriber], 'json')

/** The storage key of a part of a transcript. */
export const transcriptPartKey = (owner: ArtefactOwner, factsKey: string, part: Passage): string =>
  artefactKey(owner, 'plans', [factsKey, part.startMs, part.endMs], 'json')

/** Whether a transcriber has to hear the source: subtitles are exact, and silence has no words. */
export const needsTranscript = ({ words, passages }: SourceReading, transcriber: TranscriberId): boolean =>
  transcriber !== transcriberIds['built-in'] && words.length === 0 && passages.length > 0

/** The facts with the words of a transcript, or those of the file itself. They may continue after the video stream. */
export function sourceFacts({ passages: _, ...reading }: SourceReading, words = reading.words): SourceFacts {
  const { durationMs } = reading
  const shown = words.filter(({ startMs }) => startMs < durationMs)
  return { ...reading, words: shown.map((word) => ({ ...word, endMs: Math.min(word.endMs, durationMs) })) }
}

/** The longest file that one task can read before its deadline, on any plan. */
export const sourceSecondsMax = timelineSecondsMax

export function refuseLongSource(seconds: number): void {
  if (seconds > sourceSecondsMax)
    throw new JobFailure(
      'transcription-failed',
      `The source is ${Math.ceil(seconds)} seconds long; the maximum is ${sourceSecondsMax}. Upload a shorter file.`,
    )
}
