/** A workspace's list of videos as one document, brought up to date by what happened since it was written. */
import type { ListPosition } from '../core/outbox.ts'
import type { VideoStatus } from '../core/states.ts'
import { secondsAfter } from '../core/time.ts'
import type { Video } from '../records/video.ts'

/** What a list row says of a video: enough for every filter, for the search and for the order. */
export interface ListedVideo extends ListPosition {
  type: Video['type']
  subType: string | null
  status: VideoStatus
  searchTitle: string
}

export interface VideoIndex {
  /** Whatever happened before this time (ISO) is in it. */
  until: string
  videos: ListedVideo[]
}

export interface VideoTombstone {
  videoId: string
  at: string
}

/** The index lags behind the table by moments, and clocks differ: what happened this long ago is looked at again. */
const overlapSeconds = 300
/** Departures are remembered for thirty days; a document that is older than this is of no use. */
const daysMax = 25

/** Whether a document can be brought up to date, rather than made anew. */
export const isIndexFresh = (library: VideoIndex | undefined, now: string): library is VideoIndex =>
  library !== undefined && library.until > secondsAfter(now, -daysMax * 24 * 60 * 60)

/** The document after what happened since: videos that something happened to, and videos that left the list. */
export function updateVideoIndex(
  library: VideoIndex | undefined,
  active: readonly ListedVideo[],
  departures: readonly VideoTombstone[],
  now: string,
): VideoIndex {
  const videos = new Map((library?.videos ?? []).map((video) => [video.id, video]))
  for (const video of active) {
    // The index may show a video twice while it moves from one of its lists to another.
    const known = videos.get(video.id)
    if (!known || known.listSk <= video.listSk) videos.set(video.id, video)
  }
  for (const { videoId, at } of departures) {
    const video = videos.get(videoId)
    // One that came back later stands in the list again.
    if (video && activityOf(video) <= at) videos.delete(videoId)
  }
  return { until: secondsAfter(now, -overlapSeconds), videos: [...videos.values()] }
}

const activityOf = ({ listSk }: ListedVideo) => listSk.slice(0, listSk.indexOf('#'))

/** How many changes need not be read again once this document is stored; those of the newest moments will be in any case. */
export const settledChangeCount = (
  library: VideoIndex,
  active: readonly ListedVideo[],
  departures: readonly VideoTombstone[],
): number => [...active.map(activityOf), ...departures.map(({ at }) => at)].filter((at) => at < library.until).length

/** Whether what was read from storage is such a document. */
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
  /** Part of the title, in any case. */
  search?: string | undefined
}

/** A text as searches compare it: letters are the same in any case, and in either way that Unicode writes those with marks. */
export const foldCase = (text: string): string =>
  Array.from(text.normalize('NFC'), (letter) => letter.toUpperCase().toLowerCase()).join('')

/** The ids of what the filters select, newest activity first. */
export function queryVideoIndex({ videos }: VideoIndex, { type, subType, status, search }: VideoFilters): string[] {
  // Rows that earlier versions wrote hold their title in lower case alone.
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
