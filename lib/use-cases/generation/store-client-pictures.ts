/** Pictures that a client names by address for slides: fetched when a render begins, and kept with the video. */
import { createHash } from 'node:crypto'
import { artefactKey } from '../../domain/core/artefact.ts'
import { ProviderBusy } from '../../domain/core/failures.ts'
import { Refusal } from '../../domain/core/refusal.ts'
import { log } from '../../log.ts'
import { pictureSize } from '../../render/picture-size.ts'
import type { BrandPicture } from '../../render/slides/slide.ts'
import type { ClientPictures } from '../../render/slides/slides-from-scenes.ts'
import { type StorageOwner, storeArtefact } from '../artefacts/store-artefact.ts'
import { fetchPortrait } from './fetch-portrait.ts'

/** Each may take 10 MB of memory. */
const fetchesAtOnce = 4
/** A render that begins has a minute; the slowest fetch, with all its redirects, takes 40 s of it. */
const startsWithinMs = 15_000

/** A film is made also without the pictures that cannot be fetched; why, the log says. */
export async function storeClientPictures(owner: StorageOwner, urls: readonly string[]): Promise<ClientPictures> {
  const waiting = [...new Set(urls)]
  const pictures: Record<string, BrandPicture> = {}
  const beganAt = performance.now()
  const work = async () => {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
      const isLate = performance.now() - beganAt > startsWithinMs
      const picture = isLate ? logSkipped(owner, 'There was no time left for it.') : await keepPicture(owner, url)
      if (picture) pictures[url] = picture
    }
  }
  await Promise.all(Array.from({ length: fetchesAtOnce }, work))
  return pictures
}

async function keepPicture(owner: StorageOwner, url: string): Promise<BrandPicture | undefined> {
  const bytes = await fetchPortrait(url).catch((error) => {
    if (!(error instanceof Refusal || error instanceof ProviderBusy)) throw error
    return logSkipped(owner, error.message)
  })
  if (!bytes) return undefined
  const size = pictureSize(bytes)
  if (!size) return logSkipped(owner, 'It is no PNG, JPEG or WebP.')
  const name = createHash('sha256').update(bytes).digest('hex')
  const key = artefactKey(owner, 'visuals', ['client-picture', name], 'bin')
  await storeArtefact(owner, key, bytes, 'application/octet-stream')
  return { key, ...size }
}

function logSkipped({ videoId }: StorageOwner, reason: string): undefined {
  log.warn('picture.left-out', { videoId, reason })
}
