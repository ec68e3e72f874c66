/** Documented limits of a platform as data, and their check. */

import type { PostRefusalCode } from '../domain/core/failures.ts'
import type { Post, PostedVideo } from '../domain/publishing/posting.ts'

export interface PostLimits {
  /** The name of the platform in messages. */
  name: string
  caption: { max: number; lengthOf?: (caption: string) => number }
  /** In UTF-16 units; absent if posts have no title. */
  titleMax?: number
  video: {
    bytesMax: number
    secondsMin?: number
    secondsMax?: number
    /** Width divided by height. */
    ratios?: readonly [narrowest: number, widest: number]
  }
}

export interface PostRefusal {
  code: PostRefusalCode
  message: string
}

/** The first limit that the post exceeds, or null. */
export function checkPostLimits({ caption, title, film }: Post, limits: PostLimits): PostRefusal | null {
  const length = limits.caption.lengthOf?.(caption) ?? caption.length
  if (length > limits.caption.max) {
    return refusal(
      'caption-too-long',
      `The caption has a length of ${length}; ${limits.name} allows ${limits.caption.max}.`,
    )
  }
  if (limits.titleMax !== undefined && title.length > limits.titleMax) {
    return refusal(
      'title-too-long',
      `The title has ${title.length} characters; ${limits.name} allows ${limits.titleMax}.`,
    )
  }
  return checkRender(film, limits)
}

function checkRender(film: PostedVideo, { name, video: limits }: PostLimits): PostRefusal | null {
  const seconds = film.durationMs / 1000
  const ratio = film.width / film.height
  const [narrowest, widest] = limits.ratios ?? [0, Number.POSITIVE_INFINITY]
  if (film.bytes > limits.bytesMax) {
    return refusal('film-too-large', tooLargeMessage(film.bytes, limits.bytesMax, name))
  }
  if (seconds < (limits.secondsMin ?? 0)) {
    return refusal(
      'film-too-short',
      `The video has ${seconds} seconds; ${name} requires at least ${limits.secondsMin}.`,
    )
  }
  if (seconds > (limits.secondsMax ?? Number.POSITIVE_INFINITY)) {
    return refusal('film-too-long', `The video has ${seconds} seconds; ${name} allows ${limits.secondsMax}.`)
  }
  if (ratio < narrowest || ratio > widest) {
    return refusal(
      'film-wrong-format',
      `${name} does not accept the aspect ratio of ${film.width} by ${film.height} pixels.`,
    )
  }
  return null
}

const refusal = (code: PostRefusalCode, message: string): PostRefusal => ({ code, message })

/**
 * Platforms document limits in decimal or binary megabytes; rounded up, so that a video just above the limit does not
 * read like it.
 */
function tooLargeMessage(bytes: number, bytesMax: number, name: string): string {
  const megabyte = bytesMax % 1_000_000 === 0 ? 1_000_000 : 1024 ** 2
  const size = Math.ceil((100 * bytes) / megabyte) / 100
  return `The video has ${size} MB; ${name} allows ${bytesMax / megabyte} MB.`
}
