/** What is kept of a narration beside its sound, and how long one may be. */
import type { ArtefactOwner } from './artefact.ts'
import { artefactKey } from './artefact.ts'
import type { Brief } from './brief.ts'
import { JobFailure } from './job.ts'
import { paidSecondsMax } from './plan.ts'
import type { HeardWord } from './timelines/captions.ts'
import type { Voice } from './voice.ts'
import { findVoice } from './voice.ts'
import type { Workspace } from './workspace.ts'
import { refuseOverlong } from './workspace.ts'

export interface NarrationFacts {
  audioKey: string
  durationMs: number
  words: HeardWord[]
}

/** The film goes on for a moment after the last word. */
export const tailMs = 600

/** Part of the name under which a narration is kept: counts up when the voices change. */
export const narratorVersion = 'built-in-1'

/** Where the sound of a text lies. */
export const narrationKey = (owner: ArtefactOwner, text: string, voice: Voice): string =>
  artefactKey(owner, 'narrations', [narratorVersion, voice.id, text], 'wav')

/** Where the facts of a sound lie: beside it, and written after it. */
export const narrationFactsKey = (audioKey: string): string => audioKey.replace(/\.wav$/, '.json')

/** The voice of a brief. */
export function narratorOf({ voiceId }: Pick<Brief, 'voiceId'>): Voice {
  const voice = findVoice(voiceId)
  if (!voice) throw new JobFailure('voice-failed', `There is no voice ${voiceId}.`)
  return voice
}

/** Refuses a narration that is longer than the plan allows, or than what the brief was paid for. */
export function refuseLongNarration(workspace: Workspace, brief: Brief, seconds: number): void {
  refuseOverlong(workspace, seconds)
  const paid = paidSecondsMax(brief)
  if (seconds > paid)
    throw new JobFailure(
      'voice-failed',
      `The text takes ${Math.ceil(seconds)} seconds to speak, the brief asks for ${paid}.`,
    )
}
