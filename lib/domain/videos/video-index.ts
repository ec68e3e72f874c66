/**
 * The video index: a workspace's list of videos as one document, updated incrementally with newer rows and tombstones.
 * Called by `search-videos.ts`; stored by `lib/aws/video-index.ts`.
 */
import type { ListPosition } from '../core/outbox.ts'
import type { VideoStatus } from '../core/states.ts'
import { secondsAfter } from '../core/time.ts'
import type { Video } from '../records/video.ts'

/** The entry of a video: the fields for all filters, the search and the order. */
export interface ListedVideo extends ListPosition {
  type: Video['type']
  subType: string | null
  status: VideoStatus
  searchTitle: string
}

export interface VideoIndex {
  /** Contains all changes before this time (ISO). */
  until: string
  videos: ListedVideo[]
}

export interface VideoTombstone {
  videoId: string
  at: string
}

/** Changes of this period are read again: the table's secondary index lags, and clocks differ. */
const overlapSeconds = 300
/** Tombstones expire after thirty days; an older document cannot be updated. */
const daysMax = 25

/** Whether the document can be updated instead of rebuilt. */
export const isIndexFresh = (library: VideoIndex | undefined, now: string): library is VideoIndex =>
  library !== undefined && library.until > secondsAfter(now, -daysMax * 24 * 60 * 60)

/** The document updated with active videos and with tombstones of removed ones. */
export function updateVideoIndex(
  library: VideoIndex | undefined,
  active: readonly ListedVideo[],
  departures: readonly VideoTombstone[],
  now: string,
): VideoIndex {
  const videos = new Map((library?.videos ?? []).map((video) => [video.id, video]))
  for (const video of active) {
    // The secondary index may return a video twice while it moves between two lists.
    const known = videos.get(video.id)
    if (!known || known.listSk <= video.listSk) videos.set(video.id, video)
  }
  for (const { videoId, at } of departures) {
    const video = videos.get(videoId)
    // A video with activity after its tombstone is listed again.
    if (video && activityOf(video) <= at) videos.delete(videoId)
  }
  return { until: secondsAfter(now, -overlapSeconds), videos: [...videos.values()] }
}

const activityOf = ({ listSk }: ListedVideo) => listSk.slice(0, listSk.indexOf('#'))

/** The number of changes that need not be read again once this document is stored. Those of the overlap are always read. */
export const settledChangeCount = (
  library: VideoIndex,
  active: readonly ListedVideo[],
  departures: readonly VideoTombstone[],
): number => [...active.map(activityOf), ...departures.map(({ at }) => at)].filter((at) => at < library.until).length

/** Type guard for a document from storage. */
export const isVideoIndex = (value: unknown): value is VideoIndex =>
  typeof value === 'object' &&
  value !== null &&
  'until' in value &&
  typeof value.until === 'string' &&
  'videos' in value &&
  Array.isArray(value.videos)

export interface VideoFilters {
  type?: Video['type'] | undefined
  subType?: string | undefined
  status?: VideoStatus | undefined
  /** Part of the title, case-insensitive. */
  search?: string | undefined
}

/** Normalises a text for search: case-folded, and NFC for letters with marks. */
export const foldCase = (text: string): string =>
  Array.from(text.normalize('NFC'), (letter) => letter.toUpperCase().toLowerCase()).join('')

/** The ids of the matching videos, newest activity first. */
export function queryVideoIndex({ videos }: VideoIndex, { type, subType, status, search }: VideoFilters): string[] {
  // Older rows have their title in lower case only.
  const parts = search === undefined ? undefined : [...new Set([foldCase(search), search.toLowerCase()])]
  return videos
    .filter(
      (video) =>
        (type === undefined || video.type === type) &&
        (subType === undefined || video.subType === subType) &&
        (status === undefined || video.status === status) &&
        (parts === undefined || parts.some((part) => video.searchTitle.includes(part))),
    )
    .toSorted((a, b) => (a.listSk < b.listSk ? 1 : -1))
    .map(({ id }) => id)
}
