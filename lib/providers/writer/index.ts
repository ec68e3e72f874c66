/** Writes the script of a video from an idea. */
export interface ScriptInput {
  /** The idea, as the client wrote it. */
  prompt: string
  /** A standing briefing for the writer (`brief.scriptPrompt`), or null. */
  scriptPrompt: string | null
  /** Language code of the script, for example `en`. */
  language: string
  /** How long the spoken script should last at most. */
  durationSecondsMax: number
  mood: string | null
  /** Null for the first script of an idea; any other value gives another script. */
  variation: string | null
}

export interface Script {
  title: string
  /** What the narrator speaks: plain sentences, no markup. */
  text: string
}

export interface DescriptionInput {
  title: string
  /** What is spoken in the video. */
  text: string
  /** How the client wants it (`brief.descriptionPrompt`), or null. */
  prompt: string | null
  language: string
}

export interface ScenesInput {
  title: string
  /** What is spoken in each scene, in order: together the whole script. */
  narrations: readonly string[]
  mood: string | null
  /** Who is seen in the scenes (`brief.characterDescription`), or null. */
  character: string | null
  /** How the pictures should look (`brief.customStyleText`), or null. */
  style: string | null
}

/** What is seen while a scene is spoken. Prompts are English, which the makers of pictures know best. */
export interface ScenePrompts {
  imagePrompt: string
  animationPrompt: string
}

export interface Writer {
  /** Names the maker and its version: part of the name under which what it wrote is kept. */
  id: string
  write(wish: ScriptInput): Promise<Script>
  /** The caption that is posted with a video: at most 2,000 characters, hashtags included. */
  describe(wish: DescriptionInput): Promise<string>
  /** One for each narration, in order. Where there is null, or no such method, rules say what is seen. */
  writeScenePrompts?(wish: ScenesInput): Promise<(ScenePrompts | null)[]>
}
