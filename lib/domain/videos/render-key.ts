/** The storage keys of a render: its mp4, and beside it the thumbnail (`jpg`) and the facts (`json`). */
import { type ArtefactOwner, artefactKey } from '../core/artefact.ts'

/**
 * A render is named by its manifest and the version of the renderer that made it. The facts are stored last: where they
 * exist, the render is complete.
 */
export const renderArtefactKey = (
  owner: ArtefactOwner,
  manifestKey: string,
  rendererVersion: number,
  extension: 'mp4' | 'jpg' | 'json',
): string => artefactKey(owner, 'renders', [manifestKey, rendererVersion], extension)
