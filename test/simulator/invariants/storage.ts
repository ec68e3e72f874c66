/** Objects, their counted bytes, and what names them. */
import { isOpen } from '../../../lib/domain/core/states.ts'
import type { NarrationFacts } from '../../../lib/domain/generation/narration.ts'
import { parseWav } from '../../../lib/render/sound/wav.ts'
import { differs, type Facts, sum } from './facts.ts'

export function bytesCounted({
  workspaces,
  records,
  videos,
  uploads,
  items,
  counted,
  isOver,
  world: { storage, monitor, faults },
}: Facts): string[] {
  const existing = new Set(videos.map(({ id }) => id))
  const usage = items.filter(({ sk }) => sk === 'HOLDINGS') as unknown as {
    pk: string
    storedBytes: number
    clips: number
  }[]
  const perVideo = usage.flatMap(({ pk, storedBytes, clips }) => {
    const [, workspaceId, , videoId] = pk.split('#') as [string, string, string, string]
    const own = [...counted].filter(([key]) => key.startsWith(`${workspaceId}/${videoId}/`))
    const children = videos.filter(({ parentVideoId }) => parentVideoId === videoId).length
    return [
      ...differs(`The bytes of ${videoId}`, storedBytes, sum(own.map(([, bytes]) => bytes))),
      ...differs(`The number of clips of ${videoId}`, clips, children),
    ]
  })
  const perWorkspace = workspaces.flatMap(({ id }) => {
    // The bytes of a deleted video are returned before its rows are deleted.
    const own = [...counted].filter(([key]) => key.startsWith(`${id}/`) && existing.has(key.split('/')[1] ?? ''))
    const objects = sum(own.map(([, bytes]) => bytes))
    const reserved = sum(
      uploads.filter((one) => one.workspaceId === id && one.status === 'waiting').map((one) => one.reservedBytes ?? 0),
    )
    return differs(`The used bytes of ${id}`, records.get(id)!.storageUsedBytes, objects + reserved)
  })
  const uncounted = [...storage.objects].flatMap(([key, { body }]) => {
    const bytes = counted.get(key)
    // One that was released is deleted with its video.
    const isUnknown = !monitor.everCounted.has(key) && existing.has(key.split('/')[1] ?? '')
    if (isUnknown) return [`The object ${key} was never counted.`]
    // Where workers make different takes, the count follows what is stored.
    return isOver && bytes !== undefined && bytes !== body.byteLength
      ? [`The object ${key} has ${body.byteLength} bytes, and is counted as ${bytes}.`]
      : []
  })
  // Bytes are counted before they are stored: a fault between the two leaves them counted until the video is deleted.
  const absent =
    isOver && faults.injected.size === 0
      ? [...counted.keys()]
          .filter((key) => !storage.objects.has(key) && existing.has(key.split('/')[1] ?? ''))
          .map((key) => `The object ${key} is counted, and does not exist.`)
      : []
  return [...perVideo, ...perWorkspace, ...uncounted, ...absent]
}

/** Objects that the deletion of artefacts released before it ended are deleted with their video. */
export function noOrphans({ videos, items, world: { storage } }: Facts): string[] {
  const existing = new Set(videos.map(({ id }) => id))
  const orphans = [...storage.objects.keys()].filter(
    (key) => key.split('/')[1] !== 'library' && !existing.has(key.split('/')[1] ?? ''),
  )
  const rows = items.flatMap(({ pk, sk }) => {
    const [, id] = /#VID#([^#]+)$/.exec(String(pk)) ?? []
    return id && !existing.has(id) ? [`The row ${sk} of the deleted video ${id} is left.`] : []
  })
  const clips = videos
    .filter(({ parentVideoId }) => parentVideoId && !existing.has(parentVideoId))
    .map(({ id, parentVideoId }) => `The clip ${id} of the deleted video ${parentVideoId} is left.`)
  return [...orphans.map((key) => `The object ${key} has no video.`), ...rows, ...clips]
}

/** The simulated narrator speaks each text at another speed, and records a sample per 10 ms. */
export function narrationsDescribed({ world: { storage } }: Facts): string[] {
  return [...storage.objects].flatMap(([key, { body }]) => {
    if (!/\/narrations\/\w+\.json$/.test(key)) return []
    const { audioKey, durationMs } = JSON.parse(Buffer.from(body).toString('utf8')) as Partial<NarrationFacts>
    const sound = audioKey && storage.objects.get(audioKey)
    if (!sound || durationMs === undefined) return []
    return differs(`The samples of ${audioKey}`, parseWav(sound.body).samples.length, Math.ceil(durationMs / 10))
  })
}

/** What has been shown under a URL stays: caches keep it for a year. */
export const objectsStay = ({ world: { storage } }: Facts): string[] =>
  [...storage.replaced].map((key) => `The object ${key} was replaced.`)

export function referencesExist({ videos, world: { storage, monitor } }: Facts): string[] {
  return videos.flatMap(({ id, media, timelines, scriptKey, render, clearedVersion, publish }) => {
    const keys = [
      media.sourceKey,
      media.audioKey,
      media.captionsKey,
      media.thumbnailKey,
      media.renderKey,
      scriptKey,
      ...Object.values(timelines),
      render?.manifestKey,
      isOpen(publish) ? publish?.film?.key : null,
    ]
    const missing = keys.filter(
      (key) => key && !storage.objects.has(key) && !monitor.removed.has(key.split('/')[1] ?? ''),
    )
    const isShown = media.renderKey !== null && render?.status === 'COMPLETED'
    return [
      ...missing.map((key) => `The video ${id} names ${key}, which does not exist.`),
      ...(isShown && render.inputVersion! < clearedVersion
        ? [`${id} shows a render of scenes that have changed.`]
        : []),
    ]
  })
}
