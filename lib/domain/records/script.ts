/** The stored script of a video: what is spoken, what is to be seen, who wrote it, and from which sources. */

/** Of a script. */
export const scriptSourcesMax = 20

/** A page that a script takes facts from. */
export interface ScriptSource {
  title: string
  url: string
  /** SPDX identifier of the licence, where it requires attribution; null otherwise. */
  licence: string | null
}

/** A passage of the text, in order: together the beats hold the whole text. */
export interface ScriptBeat {
  text: string
  /** Concrete things to show, as English nouns, the most important one first. */
  show: string[]
  /** Words of the passage to stress. */
  emphasis: string[]
}

export interface Script {
  title: string
  /** The narration: plain sentences, no markup. */
  text: string
  /** Absent for the client's own text, and in older scripts. */
  beats?: ScriptBeat[]
  /** `client`, `template`, `knowledge`, or the provider's name; absent in older scripts. */
  writtenBy?: string
  /** Whether the writer had facts of the sources below; absent in older scripts. */
  grounded?: boolean
  sources?: ScriptSource[]
}
