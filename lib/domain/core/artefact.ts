/** Places of stored artefacts: named by what they were made from, so that a repeat finds them instead of making them again. */
import { createHmac } from 'node:crypto'

export type ArtefactKind =
  | 'scripts'
  | 'narrations'
  | 'visuals'
  | 'timelines'
  | 'subtitles'
  | 'manifests'
  | 'renders'
  | 'segments'
  | 'plans'
  | 'sources'
  | 'orders'
  | 'library'

/** A video and the workspace's secret: an artefact belongs to the video that made it, and is removed with it. */
export interface ArtefactOwner {
  workspace: { id: string; mediaSecret: string }
  videoId: string
}

/**
 * The storage key of an artefact: 128 bits of HMAC-SHA256 over its inputs. Keyed by the workspace's own secret, so that
 * nobody who knows the inputs can guess the address; equal inputs in one video give one key.
 */
export function artefactKey(
  { workspace, videoId }: ArtefactOwner,
  kind: ArtefactKind,
  inputs: unknown,
  extension: string,
): string {
  const name = createHmac('sha256', workspace.mediaSecret)
    .update(JSON.stringify([videoId, kind, inputs]))
    .digest('hex')
    .slice(0, 32)
  return `${videoKeyPrefix({ workspace, videoId })}${kind}/${name}.${extension}`
}

/** The video that an object belongs to: a clip shows objects of its source. */
export const videoIdOfKey = (key: string): string => key.split('/')[1] ?? ''

/** Everything that belongs to a video lies under this. */
export const videoKeyPrefix = ({ workspace, videoId }: { workspace: { id: string }; videoId: string }) =>
  `${workspace.id}/${videoId}/`

/** Where a workspace's remembered list of videos lies: it belongs to no video. */
export const videoIndexKey = ({ id, mediaSecret }: { id: string; mediaSecret: string }) =>
  `${id}/library/${createHmac('sha256', mediaSecret).update('library').digest('hex').slice(0, 32)}.json.gz`
