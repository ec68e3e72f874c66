/** What is kept of a narration beside its sound, and how long one may be. */
import type { ArtefactOwner } from '../core/artefact.ts'
import { artefactKey } from '../core/artefact.ts'
import { JobFailure } from '../core/failures.ts'
import type { TimedWord } from '../core/timeline-item.ts'
import type { Brief } from '../records/brief.ts'
import type { QualityCheck } from '../records/quality.ts'
import type { Voice, VoiceVendorName } from '../videos/voices.ts'
import { findVoice, voicePrefixes } from '../videos/voices.ts'
import { paidSecondsMax } from '../workspaces/plan.ts'
import { refuseLongVideo } from '../workspaces/price.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { estimateSpeechSeconds } from './speech-duration.ts'

export interface NarrationFacts {
  audioKey: string
  durationMs: number
  words: TimedWord[]
  /** What was measured of them when they were spoken. */
  checks?: QualityCheck[]
}

/** The film goes on for a moment after the last word. */
export const narrationTailMs = 600

/** Who speaks, by maker and version: part of the name under which a narration is kept, so it counts up when the voices change. */
export const narratorIds: Record<VoiceVendorName | 'builtIn', string> = {
  builtIn: 'built-in-2',
  polly: 'polly-neural-1',
  elevenlabs: 'elevenlabs-1/eleven_multilingual_v2',
}

/** Who speaks a voice: its id tells, also when the voice itself is no longer offered. */
export function narratorIdOf(voiceId: string): string {
  const vendors = Object.keys(voicePrefixes) as VoiceVendorName[]
  return narratorIds[vendors.find((vendor) => voiceId.startsWith(voicePrefixes[vendor])) ?? 'builtIn']
}

/** Where the sound of a text lies. */
export const narrationKey = (owner: ArtefactOwner, text: string, voiceId: string): string =>
  artefactKey(owner, 'narrations', [narratorIdOf(voiceId), voiceId, text], 'wav')

/** Where a part of a long narration lies: named by all that it is spoken from. */
export const narrationPartKey = (owner: ArtefactOwner, part: readonly string[], voiceId: string): string =>
  artefactKey(owner, 'narrations', [narratorIdOf(voiceId), voiceId, 'part', ...part], 'wav')

/** Where the facts of a sound lie: beside it, and written after it. */
export const narrationFactsKey = (audioKey: string): string => audioKey.replace(/\.wav$/, '.json')

/** The voice of a brief, of those that are offered; a vendor may have taken it away since it was chosen. */
export function requireVoice({ voiceId }: Pick<Brief, 'voiceId'>, voices: readonly Voice[]): Voice {
  const voice = findVoice(voices, voiceId)
  if (!voice) throw new JobFailure('voice-failed', `There is no voice ${voiceId}.`)
  return voice
}

/** Whoever speaks slowly or quickly is no further than this from the estimate. */
const surelyTooLong = 1.5

/** Nobody speaks faster, whatever the words are: without blanks a text is one word, and vendors are paid by the character. */
const charactersPerSecondMax = 25

/** Refuses a text that will clearly be too long, before anybody is paid for speaking it. */
export function refuseLongScript(brief: Brief, text: string): void {
  const paid = paidSecondsMax(brief)
  const seconds = Math.max(estimateSpeechSeconds(text), text.replace(/\s+/g, '').length / charactersPerSecondMax)
  if (seconds > surelyTooLong * paid)
    throw new JobFailure(
      'voice-failed',
      `The text takes about ${Math.ceil(seconds)} seconds to speak, the brief asks for ${paid}.`,
    )
}

/** Refuses a narration that is longer than the plan allows, or than what the brief was paid for. */
export function refuseLongNarration(workspace: Workspace, brief: Brief, seconds: number): void {
  refuseLongVideo(workspace, seconds)
  const paid = paidSecondsMax(brief)
  if (seconds > paid)
    throw new JobFailure(
      'voice-failed',
      `The text takes ${Math.ceil(seconds)} seconds to speak, the brief asks for ${paid}.`,
    )
}
