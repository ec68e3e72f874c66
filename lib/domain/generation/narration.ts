/** Facts and storage keys of a narration, and the limits of its length. */
import { createHash } from 'node:crypto'
import type { ArtefactOwner } from '../core/artefact.ts'
import { artefactKey } from '../core/artefact.ts'
import { JobFailure } from '../core/failures.ts'
import { estimateSpeechSeconds } from '../core/speech-duration.ts'
import type { TimedWord } from '../core/timeline-item.ts'
import type { Brief } from '../records/brief.ts'
import type { QualityCheck } from '../records/quality.ts'
import type { Voice, VoiceVendorName } from '../videos/voices.ts'
import { findVoice, voicePrefixes } from '../videos/voices.ts'
import { paidSecondsMax } from '../workspaces/plan.ts'
import { refuseLongVideo } from '../workspaces/price.ts'
import type { Workspace } from '../workspaces/workspace.ts'

export interface NarrationFacts {
  audioKey: string
  durationMs: number
  words: TimedWord[]
  /** Quality checks of the narration. */
  checks?: QualityCheck[]
}

/** The video continues for a moment after the last word. */
export const narrationTailMs = 600

/** Version of each vendor's voices. Part of the storage key of a narration: change it when the voices change. */
export const narratorIds: Record<VoiceVendorName | 'builtIn', string> = {
  builtIn: 'built-in-3',
  polly: 'polly-neural-1',
  elevenlabs: 'elevenlabs-1/eleven_multilingual_v2',
  // The server and its model are configuration: a change of either keeps the narrations that exist.
  openai: 'openai-speech-1',
}

/** The narrator of a voice, by the prefix of its id: works for voices that are no longer offered. */
export function narratorIdOf(voiceId: string): string {
  const vendors = Object.keys(voicePrefixes) as VoiceVendorName[]
  return narratorIds[vendors.find((vendor) => voiceId.startsWith(voicePrefixes[vendor])) ?? 'builtIn']
}

/** The storage key of the facts of a narrated text. They are written after the sound that they name. */
export const narrationKey = (owner: ArtefactOwner, text: string, voiceId: string): string =>
  artefactKey(owner, 'narrations', [narratorIdOf(voiceId), voiceId, text], 'json')

/** As `narrationKey`, of a part of a long narration: `part` is everything that it is made from. */
export const narrationPartKey = (owner: ArtefactOwner, part: readonly string[], voiceId: string): string =>
  artefactKey(owner, 'narrations', [narratorIdOf(voiceId), voiceId, 'part', ...part], 'json')

/** The storage key of a sound, beside its facts. */
export const narrationSoundKey = (factsKey: string): string => factsKey.replace(/\.json$/, '.wav')

/**
 * The storage key of another sound for the same facts, with the hash of its bytes: a vendor speaks a text differently each
 * time, and the facts of one take must not describe another.
 */
export const otherSoundKey = (factsKey: string, wav: Uint8Array): string =>
  factsKey.replace(/\.json$/, `-${createHash('sha256').update(wav).digest('hex').slice(0, 16)}.wav`)

/** The storage key of the facts of a sound. */
export const narrationFactsKey = (audioKey: string): string => audioKey.replace(/(-[0-9a-f]{16})?\.wav$/, '.json')

/** The voice of a brief. Fails if its vendor no longer offers it. */
export function requireVoice({ voiceId }: Pick<Brief, 'voiceId'>, voices: readonly Voice[]): Voice {
  const voice = findVoice(voices, voiceId)
  if (!voice) throw new JobFailure('voice-failed', `The voice ${voiceId} does not exist. Choose another one.`)
  return voice
}

/** No voice deviates from the estimate by a larger factor. */
const estimateToleranceMax = 1.5

/** Upper bound for any voice. Vendors charge by the character, and a text without blanks would be estimated as one word. */
const charactersPerSecondMax = 25

/** Fails for a text that is certain to be too long, before a vendor is paid to narrate it. */
export function refuseLongScript(brief: Brief, text: string): void {
  const paid = paidSecondsMax(brief)
  const seconds = Math.max(estimateSpeechSeconds(text), text.replace(/\s+/g, '').length / charactersPerSecondMax)
  if (seconds > estimateToleranceMax * paid)
    throw new JobFailure(
      'voice-failed',
      `The text takes about ${Math.ceil(seconds)} seconds to speak, the brief asks for ${paid}. Shorten the text or choose a longer \`videoDuration\`.`,
    )
}

/** Fails for a narration that is longer than the plan allows, or than the brief was charged for. */
export function refuseLongNarration(workspace: Workspace, brief: Brief, seconds: number): void {
  refuseLongVideo(workspace, seconds)
  const paid = paidSecondsMax(brief)
  if (seconds > paid)
    throw new JobFailure(
      'voice-failed',
      `The text takes ${Math.ceil(seconds)} seconds to speak, the brief asks for ${paid}. Shorten the text or choose a longer \`videoDuration\`.`,
    )
}
