/** Capability: writes the script of a video from an idea, the caption of a post, and the prompts of scenes. */
import type { Script } from '../../domain/records/script.ts'
import type { Findings } from '../research/index.ts'

export interface ScriptInput {
  /** The idea in the client's words. */
  prompt: string
  /** A standing briefing for the writer (`brief.scriptPrompt`), or null. */
  scriptPrompt: string | null
  /** Language code of the script, for example `en`. */
  language: string
  /** Limit of the spoken length. */
  durationSecondsMax: number
  mood: string | null
  /** Null for the first script of an idea; each other value gives a different script. */
  variation: string | null
  /** What the script is built from; null or absent where nothing is known about the idea. */
  findings?: Findings | null
}

export interface DescriptionInput {
  title: string
  /** The narration of the video. */
  text: string
  /** Instructions of the client (`brief.descriptionPrompt`), or null. */
  prompt: string | null
  language: string
}

export interface ScenesInput {
  title: string
  /** The narration of each scene, in order: together the whole script. */
  narrations: readonly string[]
  mood: string | null
  /** The person in the scenes (`brief.characterDescription`), or null. */
  character: string | null
  /** The style of the pictures (`brief.customStyleText`), or null. */
  style: string | null
}

/** Prompts of one scene. In English, which image models understand best. */
export interface ScenePrompts {
  imagePrompt: string
  animationPrompt: string
}

export interface Writer {
  /** Maker and version: part of the artefact key of its output. */
  id: string
  write(input: ScriptInput): Promise<Script>
  /** The caption of a post: at most 2,000 characters, hashtags included. */
  describe(input: DescriptionInput): Promise<string>
  /** One per narration, in order. For null, or without this method, the prompts are derived by rules. */
  writeScenePrompts?(input: ScenesInput): Promise<(ScenePrompts | null)[]>
}
