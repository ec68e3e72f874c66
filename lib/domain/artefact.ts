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
  | 'plans'

/**
 * The storage key of an artefact: 128 bits of HMAC-SHA256 over its inputs. Keyed by the workspace's own secret, so that
 * nobody who knows the inputs can guess the address; equal inputs in one workspace give one key.
 */
export function artefactKey(
  workspace: { id: string; mediaSecret: string },
  kind: ArtefactKind,
  inputs: unknown,
  extension: string,
): string {
  const name = createHmac('sha256', workspace.mediaSecret)
    .update(JSON.stringify([kind, inputs]))
    .digest('hex')
    .slice(0, 32)
  return `${workspace.id}/${kind}/${name}.${extension}`
}
