/** Storage keys of artefacts, named by a keyed hash of their inputs: repeated work finds the stored object. */
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

/** The video that an artefact belongs to, and is removed with. */
export interface ArtefactOwner {
  workspace: { id: string; mediaSecret: string }
  videoId: string
}

/**
 * The storage key of an artefact: 128 bits of HMAC-SHA256 over its inputs, keyed by the workspace's secret, so that knowing
 * the inputs is not enough to guess the URL. Equal inputs in one video give the same key.
 */
export const artefactKey = (owner: ArtefactOwner, kind: ArtefactKind, inputs: unknown, extension: string): string =>
  artefactKeyOfJson(owner, kind, JSON.stringify(inputs), extension)

/** The key for inputs in JSON: a large timeline is serialized once, for its keys and its object. */
export function artefactKeyOfJson(
  { workspace, videoId }: ArtefactOwner,
  kind: ArtefactKind,
  inputsJson: string,
  extension: string,
): string {
  const name = createHmac('sha256', workspace.mediaSecret)
    .update(`[${JSON.stringify(videoId)},${JSON.stringify(kind)},`)
    .update(inputsJson)
    .update(']')
    .digest('hex')
    .slice(0, 32)
  return `${videoKeyPrefix({ workspace, videoId })}${kind}/${name}.${extension}`
}

/** The video that an object belongs to; for a clip this can be its source. */
export const videoIdOfKey = (key: string): string => key.split('/')[1] ?? ''

/** The prefix of all objects of a video. */
export const videoKeyPrefix = ({ workspace, videoId }: { workspace: { id: string }; videoId: string }) =>
  `${workspace.id}/${videoId}/`

/** The name of an object relative to its video. */
export function artefactName(owner: { workspace: { id: string }; videoId: string }, key: string): string {
  const prefix = videoKeyPrefix(owner)
  if (!key.startsWith(prefix)) throw new Error(`The object ${key} does not belong to ${owner.videoId}.`)
  return key.slice(prefix.length)
}

/** The key of the hashes of two lanes that rendered different bytes. A comparison belongs to no video. */
export const laneDifferenceKey = (runId: string) => `-/-/renders/${runId}.json`

/** The key of a workspace's video index, which belongs to no video. */
export const videoIndexKey = ({ id, mediaSecret }: { id: string; mediaSecret: string }) =>
  `${id}/library/${createHmac('sha256', mediaSecret).update('library').digest('hex').slice(0, 32)}.json.gz`
