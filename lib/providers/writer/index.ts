/** Writes the script of a video from an idea. */
export interface ScriptWish {
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

export interface DescriptionWish {
  title: string
  /** What is spoken in the video. */
  text: string
  /** How the client wants it (`brief.descriptionPrompt`), or null. */
  prompt: string | null
  language: string
}

export interface Writer {
  write(wish: ScriptWish): Promise<Script>
  /** The caption that is posted with a video: at most 2,000 characters, hashtags included. */
  describe(wish: DescriptionWish): Promise<string>
}
