/** The heavy arrays of a video: immutable documents in storage, to which the record points. */
import { artefactKey } from '../domain/artefact.ts'
import type { StoredBRoll } from '../domain/timelines/brolls.ts'
import type { CaptionPage, CaptionWord } from '../domain/timelines/captions.ts'
import type { TimelineName, Video } from '../domain/video.ts'
import { getJson, putJson } from './media.ts'

export interface Timelines {
  captions: CaptionWord[]
  captionsPages: CaptionPage[]
  bRolls: StoredBRoll[]
  presentationScenes: Record<string, unknown>[]
  scenes: Record<string, unknown>[]
}

/** The named timelines of a video; one that was never made is an empty array. */
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

/** Stores a timeline under the hash of what it says, and tells where. */
export async function putTimeline<Name extends TimelineName>(
  workspace: { id: string; mediaSecret: string },
  name: Name,
  items: Timelines[Name],
): Promise<string> {
  const key = artefactKey(workspace, 'timelines', [name, items], 'json')
  await putJson(key, items)
  return key
}
