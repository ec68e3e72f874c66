/** Lines that a briefing dictates: start with "…", end with "…". */
import type { ScriptInput } from './index.ts'

/** The briefing of a script: the client's instructions and the mood. */
export const briefingOf = ({ scriptPrompt, mood }: Pick<ScriptInput, 'scriptPrompt' | 'mood'>): string =>
  `${scriptPrompt ?? ''} ${mood ?? ''}`

export const dictatedOpening = (briefing: string): string | undefined => dictated(briefing, 'start|begin|open')
export const dictatedClose = (briefing: string): string | undefined => dictated(briefing, 'end|close|finish')

const dictated = (briefing: string, verbs: string) =>
  new RegExp(`\\b(?:${verbs})\\w*\\s+(?:with|by saying)\\s+["“]([^"”]{3,200})["”]`, 'i').exec(briefing)?.[1]
