// Threads' publishing. https://developers.facebook.com/docs/threads/posts and /docs/threads/troubleshooting, read in 2026-11.

import * as v from 'valibot'
import type { StoredFile } from '../../server/media-store.ts'
import type { PlatformFactory } from '../platform.ts'
import { containerPlatform } from './container-publishing.ts'

const linksMax = 5
const textMax = 500

export const makeThreads: PlatformFactory = (ground) =>
  containerPlatform(
    {
      id: 'threads',
      prefix: '/threads/graph/v1.0',
      tokenSeconds: 60 * 86_400,
      paths: { create: 'threads', publish: 'threads_publish' },
      entries: {
        media_type: v.literal('VIDEO'),
        video_url: v.pipe(v.string(), v.url()),
        text: v.pipe(
          v.string(),
          v.check((text) => lengthOf(text) <= textMax, 'The text is too long.'),
          v.check((text) => (text.match(/https?:\/\//g)?.length ?? 0) <= linksMax, 'The text has too many links.'),
        ),
        alt_text: v.optional(v.string()),
        reply_control: v.optional(v.string()),
      },
      caption: 'text',
      status: { state: 'status', reason: 'error_message' },
      unfit: rejectionOf,
      unfetched: 'FAILED_DOWNLOADING_VIDEO',
      perDay: { containers: 1000, posts: 250 },
      urlOf: (id, username) => `https://www.threads.com/@${username}/post/${id}`,
    },
    ground,
  )

/** Emojis count as their number of bytes. */
const lengthOf = (text: string) =>
  [...new Intl.Segmenter('en').segment(text)].reduce(
    (sum, { segment }) => sum + (/^\p{RGI_Emoji}$/v.test(segment) ? Buffer.byteLength(segment) : [...segment].length),
    0,
  )

function rejectionOf({ facts }: StoredFile): string {
  const { durationMs = 0, video } = facts ?? {}
  if (!video) return 'FAILED_PROCESSING_VIDEO'
  if (durationMs > 300_500) return 'INVALID_DURATION'
  const { fps = 30, width } = video
  if (fps < 23 || fps > 60) return 'INVALID_FRAME_RATE'
  return width > 1920 ? 'INVALID_ASPEC_RATIO' : ''
}
