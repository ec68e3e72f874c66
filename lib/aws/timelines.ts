/** The timelines of a video: large arrays, stored as immutable JSON objects that the video's row references. */
import type { StoredBRoll } from '../domain/generation/b-rolls.ts'
import type { CaptionPage, CaptionWord } from '../domain/generation/captions/captions.ts'
import type { PresentationScene } from '../domain/generation/scenes/presentation-scenes.ts'
import type { StoredScene } from '../domain/generation/scenes/scenes.ts'
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
