/** The timelines of a video, which are large arrays, and its script: immutable JSON objects that the row references. */
import type { StoredBRoll } from '../domain/generation/b-rolls.ts'
import type { CaptionPage, CaptionWord } from '../domain/generation/captions/captions.ts'
import type { PresentationScene } from '../domain/generation/scenes/presentation-scenes.ts'
import type { StoredScene } from '../domain/generation/scenes/scenes.ts'
import { speaksOwnText } from '../domain/records/brief.ts'
import type { Script } from '../domain/records/script.ts'
import type { TimelineName, Video } from '../domain/records/video.ts'
import { getJson } from './media-bucket.ts'

export interface Timelines {
  captions: CaptionWord[]
  captionsPages: CaptionPage[]
  bRolls: StoredBRoll[]
  presentationScenes: PresentationScene[]
  scenes: StoredScene[]
}

/** The named timelines of a video; one that does not exist yet is an empty array. */
export async function getTimelines<Name extends TimelineName>(
  video: Video,
  names: readonly Name[],
): Promise<Pick<Timelines, Name>> {
  const entries = await Promise.all(
    names.map(async (name) => {
      const key = video.timelines[name]
      return [name, key === undefined ? [] : await getJson<unknown[]>(key)] as const
    }),
  )
  return Object.fromEntries(entries) as unknown as Pick<Timelines, Name>
}

/** The newest script of a video. Before the first generation the client's own text; null without one, and for uploads. */
export async function getScript({ type, brief, scriptKey }: Video): Promise<Script | null> {
  if (scriptKey) return getJson<Script>(scriptKey)
  const text = brief.text?.trim()
  if (type === 'video' || !text || !speaksOwnText(brief)) return null
  return { title: '', text, writtenBy: 'client', grounded: false, sources: [] }
}
