// Instagram's content publishing for accounts that are connected through Facebook.
// https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media, read in 2026-11.

import * as v from 'valibot'
import type { StoredFile } from '../../server/media-store.ts'
import type { PlatformFactory } from '../platform.ts'
import { containerPlatform } from './container-publishing.ts'

const hashtagsMax = 30

export const makeInstagram: PlatformFactory = (ground) =>
  containerPlatform(
    {
      id: 'instagram',
      prefix: '/instagram/graph/v26.0',
      // A Page token does not expire.
      tokenSeconds: null,
      paths: { create: 'media', publish: 'media_publish' },
      entries: {
        media_type: v.literal('REELS'),
        video_url: v.pipe(v.string(), v.url()),
        cover_url: v.optional(v.pipe(v.string(), v.url())),
        thumb_offset: v.optional(v.string()),
        caption: v.pipe(
          v.string(),
          v.maxLength(2200),
          v.check((text) => (text.match(/#[\p{L}\p{N}_]+/gu)?.length ?? 0) <= hashtagsMax),
        ),
        share_to_feed: v.optional(v.picklist(['true', 'false'])),
        is_ai_generated: v.optional(v.picklist(['true', 'false'])),
      },
      caption: 'caption',
      status: { state: 'status_code', reason: 'status' },
      unfit: rejectionOf,
      unfetched: failedWith(2207052),
      perDay: { containers: 400, posts: 100 },
      urlOf: (id) => `https://www.instagram.com/reel/${id}/`,
    },
    ground,
  )

const failedWith = (code: number) => `Error: Media upload has failed with error code ${code}`

function rejectionOf({ bytes, facts }: StoredFile): string {
  const { durationMs = 0, video } = facts ?? {}
  if (!video || !['h264', 'hevc'].includes(video.codec)) return failedWith(2207026)
  const { width, fps = 30 } = video
  const isGood = durationMs >= 2_990 && durationMs <= 900_000 && bytes <= 300_000_000 && width <= 1920
  return isGood && fps >= 23 && fps <= 60 ? '' : failedWith(2207026)
}
