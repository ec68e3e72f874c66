/** Publishes reels on Instagram. https://developers.facebook.com/docs/instagram-platform/content-publishing */

import type { PostRefusalCode } from '../../domain/core/failures.ts'
import type { Post } from '../../domain/publishing/posting.ts'
import { containerPublisher } from '../meta/container-publisher.ts'
import { checkPostLimits, type PostLimits, type PostRefusal } from '../post-limits.ts'
import type { Publisher } from '../publisher.ts'
import { instagramUrls } from './urls.ts'

/** https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media */
const limits: PostLimits = {
  name: 'Instagram',
  caption: { max: 2200 },
  video: { bytesMax: 300_000_000, secondsMin: 3, secondsMax: 900 },
}
const hashtagsMax = 30
const mentionsMax = 20
const widthMax = 1920

/**
 * https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/error-codes: the code in the
 * text of the status.
 */
const refusals: Record<string, PostRefusalCode> = {
  2207009: 'film-wrong-format',
  2207010: 'caption-too-long',
  2207026: 'film-wrong-format',
}
/** The video could not be fetched, or Instagram failed internally. */
const transientErrors = ['2207001', '2207003', '2207020', '2207032', '2207052', '2207053']

export const instagramPublisher = (urls: Pick<typeof instagramUrls, 'graph'> = instagramUrls): Publisher =>
  containerPublisher({
    platform: 'instagram',
    graph: urls.graph,
    validate: validatePost,
    paths: { create: 'media', publish: 'media_publish' },
    fieldsOf: ({ caption, film }, settings) => ({
      media_type: 'REELS',
      video_url: film.url,
      cover_url: film.coverUrl,
      caption,
      share_to_feed: String(settings.shareToFeed !== 'false'),
      is_ai_generated: 'true',
    }),
    status: { state: 'status_code', reason: 'status' },
    refusalBy(reason) {
      const code = /\b2207\d{3}\b/.exec(reason)?.[0] ?? ''
      if (transientErrors.includes(code)) return null
      return { code: refusals[code] ?? (code || 'failed'), message: reason || 'Instagram rejected the video.' }
    },
  })

function validatePost(post: Post): PostRefusal | null {
  const count = (what: RegExp) => post.caption.match(what)?.length ?? 0
  if (count(/#[\p{L}\p{N}_]+/gu) > hashtagsMax || count(/(?<![\w@])@[\w.]+/g) > mentionsMax) {
    const message = `Instagram allows ${hashtagsMax} hashtags and ${mentionsMax} mentions in a caption.`
    return { code: 'caption-not-allowed', message }
  }
  if (post.film.width > widthMax) {
    return { code: 'film-wrong-format', message: `Instagram allows videos of up to ${widthMax} pixels in width.` }
  }
  return checkPostLimits(post, limits)
}
