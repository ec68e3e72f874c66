/**
 * The idea of a brief, from which scripts are written: its prompt, or else the beginning of its text. Read by script
 * requests, the writers and the preconditions of clips and generations.
 */
import { Refusal } from '../core/refusal.ts'
import { endsSentence } from '../core/text.ts'
import type { Brief } from '../records/brief.ts'
import type { Video } from '../records/video.ts'

/** Refuses a brief without an idea: an edit may have removed it. */
export function refuseWithoutIdea({ brief }: Video): void {
  if (!hasIdea(brief)) throw new Refusal('warning-invalid-input', 'The brief has neither a prompt nor a text.')
}

/** Sentences from the start of a text that serve as its idea. */
export const ideaSentencesMax = 2

export const ideaLengthMax = 400

/** What a script is about; empty if the brief has neither prompt nor text. */
export function ideaOf({ prompt, text }: Pick<Brief, 'prompt' | 'text'>): string {
  if (prompt?.trim()) return prompt
  const words = (text ?? '').split(/\s+/).filter(Boolean)
  let sentences = 0
  const end = words.findIndex((word) => endsSentence(word) && ++sentences === ideaSentencesMax)
  const beginning = words.slice(0, end < 0 ? undefined : end + 1).join(' ')
  return Array.from(beginning).slice(0, ideaLengthMax).join('')
}

export const hasIdea = (brief: Brief): boolean => ideaOf(brief) !== ''
