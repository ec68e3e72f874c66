import { Refusal } from '../core/refusal.ts'
import { endsSentence } from '../core/text.ts'
import type { Brief } from '../records/brief.ts'
import type { Video } from '../records/video.ts'

/** An edit may have taken the only idea away. */
export function refuseWithoutIdea({ brief }: Video): void {
  if (!hasIdea(brief)) throw new Refusal('warning-invalid-input', 'The brief holds neither a prompt nor a text.')
}

/** A text without a prompt tells by its beginning what it is about. */
export const ideaSentencesMax = 2

export const ideaLengthMax = 400

/** What a writer is to write about; empty where the brief says nothing. */
export function ideaOf({ prompt, text }: Pick<Brief, 'prompt' | 'text'>): string {
  if (prompt?.trim()) return prompt
  const words = (text ?? '').split(/\s+/).filter(Boolean)
  let sentences = 0
  const end = words.findIndex((word) => endsSentence(word) && ++sentences === ideaSentencesMax)
  const beginning = words.slice(0, end < 0 ? undefined : end + 1).join(' ')
  return Array.from(beginning).slice(0, ideaLengthMax).join('')
}

export const hasIdea = (brief: Brief): boolean => ideaOf(brief) !== ''
