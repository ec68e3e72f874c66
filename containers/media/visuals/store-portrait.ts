/**
 * The picture of a person as its address served it when a run first asked. An address may serve other bytes each time, and clips and
 * their orders are named by these: without this, each task of a run would buy another clip.
 */
import { createHash } from 'node:crypto'
import { getJson, hasObject } from '../../../lib/aws/media-bucket.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { invalidPortrait } from '../../../lib/domain/generation/presenter/presenter.ts'
import { detectDemuxer } from '../../../lib/ffmpeg/limits.ts'
import { type StorageOwner, storeArtefact, storeJson } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { fetchPortrait } from '../../../lib/use-cases/generation/fetch-portrait.ts'
import { retryWhileBusy } from '../retry-while-busy.ts'

const pictureKinds = {
  png_pipe: { extension: 'png', contentType: 'image/png' },
  jpeg_pipe: { extension: 'jpg', contentType: 'image/jpeg' },
  webp_pipe: { extension: 'webp', contentType: 'image/webp' },
}
const isPicture = (demuxer: string | undefined): demuxer is keyof typeof pictureKinds =>
  demuxer !== undefined && demuxer in pictureKinds

/** Answers its key, which is named by its bytes. Throws what `fetchPortrait` throws; what may pass is waited for first. */
export async function storePortrait(
  owner: StorageOwner,
  runId: string,
  url: string,
  signal: AbortSignal,
): Promise<string> {
  const note = artefactKey(owner, 'visuals', ['portrait', runId, url], 'json')
  if (await hasObject(note)) return getJson<string>(note)
  const key = await storePicture(owner, await retryWhileBusy(() => fetchPortrait(url), signal))
  await storeJson(owner, note, key)
  return key
}

async function storePicture(owner: StorageOwner, bytes: Uint8Array): Promise<string> {
  const demuxer = detectDemuxer(bytes)
  if (!isPicture(demuxer)) throw invalidPortrait('is no PNG, JPEG or WebP')
  const { extension, contentType } = pictureKinds[demuxer]
  const name = createHash('sha256').update(bytes).digest('hex')
  const key = artefactKey(owner, 'visuals', ['portrait', name], extension)
  await storeArtefact(owner, key, bytes, contentType)
  return key
}
