/** Publishes videos on Threads. https://developers.facebook.com/docs/threads/posts */

import type { PostRefusalCode } from '../../domain/core/failures.ts'
import type { Post } from '../../domain/publishing/posting.ts'
import { containerPublisher } from '../meta/container-publisher.ts'
import { checkPostLimits, type PostLimits, type PostRefusal } from '../post-limits.ts'
import type { Publisher } from '../publisher.ts'
import { threadsUrls } from './urls.ts'

/** https://developers.facebook.com/docs/threads/overview */
const limits: PostLimits = {
  name: 'Threads',
  caption: { max: 500, lengthOf: threadsLength },
  video: { bytesMax: 1_000_000_000, secondsMax: 300 },
}
const linksMax = 5
const widthMax = 1920

/** https://developers.facebook.com/docs/threads/troubleshooting: with Meta's spelling. */
const refusals: Record<string, PostRefusalCode> = {
  FAILED_PROCESSING_AUDIO: 'film-wrong-format',
  FAILED_PROCESSING_VIDEO: 'film-wrong-format',
  INVALID_ASPEC_RATIO: 'film-wrong-format',
  INVALID_BIT_RATE: 'film-wrong-format',
  INVALID_DURATION: 'film-too-long',
  INVALID_FRAME_RATE: 'film-wrong-format',
  INVALID_AUDIO_CHANNELS: 'film-wrong-format',
  INVALID_AUDIO_CHANNEL_LAYOUT: 'film-wrong-format',
}
const transientErrors = ['FAILED_DOWNLOADING_VIDEO', 'UNKNOWN']

export const threadsPublisher = (urls: Pick<typeof threadsUrls, 'graph'> = threadsUrls): Publisher =>
  containerPublisher({
    platform: 'threads',
    graph: urls.graph,
    validate: validatePost,
    paths: { create: 'threads', publish: 'threads_publish' },
    fieldsOf: ({ caption, film }) => ({ media_type: 'VIDEO', video_url: film.url, text: caption }),
    status: { state: 'status', reason: 'error_message' },
    refusalBy(reason) {
      if (transientErrors.includes(reason)) return null
      return { code: refusals[reason] ?? (reason || 'failed'), message: `Threads rejected the video: ${reason}.` }
    },
  })

function validatePost(post: Post): PostRefusal | null {
  if ((post.caption.match(/https?:\/\/\S+/g)?.length ?? 0) > linksMax) {
    return { code: 'caption-not-allowed', message: `Threads allows ${linksMax} links in a text.` }
  }
  if (post.film.width > widthMax) {
    return { code: 'film-wrong-format', message: `Threads allows videos of up to ${widthMax} pixels in width.` }
  }
  return checkPostLimits(post, limits)
}

/**
 * Characters, but an emoji counts as its bytes of UTF-8
 * (https://developers.facebook.com/docs/threads/reference/publishing).
 */
function threadsLength(text: string): number {
  const emojis = text.match(/\p{RGI_Emoji}/gv) ?? []
  const others = [...text.replace(/\p{RGI_Emoji}/gv, '')].length
  return emojis.reduce((sum, emoji) => sum + Buffer.byteLength(emoji), others)
}
