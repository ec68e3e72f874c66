/**
 * Fetches the pictures that a client names by URL for slides, and stores them with the video. Called by
 * `load-compose-input.ts` when a render starts.
 */
import { createHash } from 'node:crypto'
import { parallelLimit } from '../../async.ts'
import { artefactKey } from '../../domain/core/artefact.ts'
import { ProviderBusy } from '../../domain/core/failures.ts'
import { Refusal } from '../../domain/core/refusal.ts'
import { log } from '../../log.ts'
import { pictureSize } from '../../render/picture-size.ts'
import type { BrandPicture } from '../../render/slides/slide.ts'
import type { ClientPictures } from '../../render/slides/slides-from-scenes.ts'
import type { StorageOwner } from '../../store/storage-usage.ts'
import { storeArtefact } from '../artefacts/store-artefact.ts'
import { fetchPortrait } from './fetch-portrait.ts'

/** Each fetch may take 10 MB of memory. */
const concurrency = 4
/** The first step of a render has a minute; the slowest fetch, with all its redirects, takes 40 s of it. */
const startsWithinMs = 15_000

/** A picture that cannot be fetched is skipped and logged. */
export async function storeClientPictures(owner: StorageOwner, urls: readonly string[]): Promise<ClientPictures> {
  const pictures: Record<string, BrandPicture> = {}
  const startedAt = performance.now()
  const addPicture = async (url: string) => {
    const isLate = performance.now() - startedAt > startsWithinMs
    const picture = isLate ? logSkipped(owner, 'No time was left to fetch it.') : await storePicture(owner, url)
    if (picture) pictures[url] = picture
  }
  await parallelLimit(
    [...new Set(urls)].map((url) => () => addPicture(url)),
    concurrency,
  )
  return pictures
}

async function storePicture(owner: StorageOwner, url: string): Promise<BrandPicture | undefined> {
  const bytes = await fetchPortrait(url).catch((error) => {
    if (!(error instanceof Refusal || error instanceof ProviderBusy)) throw error
    return logSkipped(owner, error.message)
  })
  if (!bytes) return undefined
  const size = pictureSize(bytes)
  if (!size) return logSkipped(owner, 'It is not a PNG, JPEG or WebP.')
  const name = createHash('sha256').update(bytes).digest('hex')
  const key = artefactKey(owner, 'visuals', ['client-picture', name], 'bin')
  await storeArtefact(owner, key, bytes, 'application/octet-stream')
  return { key, ...size }
}

function logSkipped({ videoId }: StorageOwner, reason: string): undefined {
  log.warn('picture.left-out', { videoId, reason })
}
