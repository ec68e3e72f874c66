/** Capability: finds facts about an idea, which the writer builds its script from. */
import type { ScriptSource } from '../../domain/records/script.ts'

export interface ResearchInput {
  /** The idea in the client's words. */
  idea: string
  /** Language code of the script (ISO 639-1); facts are in this language. */
  language: string
}

export interface Fact {
  /** One or two spoken sentences that stand alone. */
  text: string
  /** Concrete things to show, as English nouns, the most important one first; empty if unknown. */
  show: readonly string[]
  /** Index into the sources of the findings. */
  source: number
}

export interface Findings {
  /** The subject that the facts are about. */
  title: string
  /** `advice`: each fact is a step to take. */
  kind: 'explanation' | 'advice'
  /** Opening lines; empty where the writer has to find one. */
  hooks: readonly string[]
  /** The most relevant facts, in the order in which a script tells them. */
  facts: readonly Fact[]
  /** Index of the most surprising fact; null if unknown. */
  turn: number | null
  /** Closing lines; may be empty. */
  closes: readonly string[]
  sources: readonly ScriptSource[]
}

export interface Research {
  /** Maker and version: part of the artefact key of a script. */
  id: string
  /** Null where nothing is known about the idea. Throws `ProviderBusy` where the source does not respond. */
  find(input: ResearchInput, signal?: AbortSignal): Promise<Findings | null>
}
