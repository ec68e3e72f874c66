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
}

export interface Script {
  title: string
  /** What the narrator speaks: plain sentences, no markup. */
  text: string
}

export interface Writer {
  write(wish: ScriptWish): Promise<Script>
}
