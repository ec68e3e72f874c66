/**
 * Stores the portrait of a presenter as its URL served it at the first request of a run. A URL may serve different
 * bytes each time, and clips and vendor orders are keyed by these bytes: without the copy, each task of a run would buy
 * another clip.
 */
import { createHash } from 'node:crypto'
import { getJson } from '../../../lib/aws/media-bucket.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { invalidPortrait } from '../../../lib/domain/generation/presenter/presenter.ts'
import { detectDemuxer } from '../../../lib/ffmpeg/limits.ts'
import type { StorageOwner } from '../../../lib/store/storage-usage.ts'
import { isStored, storeArtefact, storeFirstJson } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { fetchPortrait } from '../../../lib/use-cases/generation/fetch-portrait.ts'
import { retryWhileBusy } from '../retry-while-busy.ts'

const pictureKinds = {
  png_pipe: { extension: 'png', contentType: 'image/png' },
  jpeg_pipe: { extension: 'jpg', contentType: 'image/jpeg' },
  webp_pipe: { extension: 'webp', contentType: 'image/webp' },
}
const isPicture = (demuxer: string | undefined): demuxer is keyof typeof pictureKinds =>
  demuxer !== undefined && demuxer in pictureKinds

/**
 * Returns the key, which contains the hash of the bytes. Throws what `fetchPortrait` throws, after retries while it is
 * busy.
 */
export async function storePortrait(
  owner: StorageOwner,
  runId: string,
  url: string,
  signal: AbortSignal,
): Promise<string> {
  const note = artefactKey(owner, 'visuals', ['portrait', runId, url], 'json')
  if (await isStored(owner, note)) return getJson<string>(note)
  const key = await storePicture(owner, await retryWhileBusy(() => fetchPortrait(url), signal))
  await storeFirstJson(owner, note, key)
  return getJson<string>(note)
}

async function storePicture(owner: StorageOwner, bytes: Uint8Array): Promise<string> {
  const demuxer = detectDemuxer(bytes)
  if (!isPicture(demuxer)) throw invalidPortrait('is not a PNG, JPEG or WebP file')
  const { extension, contentType } = pictureKinds[demuxer]
  const name = createHash('sha256').update(bytes).digest('hex')
  const key = artefactKey(owner, 'visuals', ['portrait', name], extension)
  await storeArtefact(owner, key, bytes, contentType)
  return key
}
