/** Documented limits of a platform as data, and what a post says to them. */

import type { PostRefusalCode } from '../domain/core/failures.ts'
import type { Post, PostedVideo } from '../domain/publishing/posting.ts'

export interface PostLimits {
  /** How the platform is called in messages. */
  name: string
  caption: { max: number; lengthOf?: (caption: string) => number }
  /** In UTF-16 units; absent where a post has no title. */
  titleMax?: number
  film: {
    bytesMax: number
    secondsMin?: number
    secondsMax?: number
    /** Width by height, at either end. */
    ratios?: readonly [narrowest: number, widest: number]
  }
}

export interface PostRefusal {
  code: PostRefusalCode
  message: string
}

/** The first limit that the post does not keep, or null. */
export function checkPostLimits({ caption, title, film }: Post, limits: PostLimits): PostRefusal | null {
  const length = limits.caption.lengthOf?.(caption) ?? caption.length
  if (length > limits.caption.max) {
    return refusal('caption-too-long', `The caption counts ${length} on ${limits.name}, of ${limits.caption.max}.`)
  }
  if (limits.titleMax !== undefined && title.length > limits.titleMax) {
    return refusal(
      'title-too-long',
      `The title has ${title.length} characters, ${limits.name} takes ${limits.titleMax}.`,
    )
  }
  return checkRender(film, limits)
}

function checkRender(film: PostedVideo, { name, film: limits }: PostLimits): PostRefusal | null {
  const seconds = film.durationMs / 1000
  const ratio = film.width / film.height
  const [narrowest, widest] = limits.ratios ?? [0, Number.POSITIVE_INFINITY]
  if (film.bytes > limits.bytesMax) {
    return refusal('film-too-large', `The film has ${film.bytes} bytes, ${name} takes ${limits.bytesMax}.`)
  }
  if (seconds < (limits.secondsMin ?? 0)) {
    return refusal('film-too-short', `The film has ${seconds} seconds, ${name} takes ${limits.secondsMin} and more.`)
  }
  if (seconds > (limits.secondsMax ?? Number.POSITIVE_INFINITY)) {
    return refusal('film-too-long', `The film has ${seconds} seconds, ${name} takes ${limits.secondsMax}.`)
  }
  if (ratio < narrowest || ratio > widest) {
    return refusal('film-wrong-format', `${name} takes no film of ${film.width} by ${film.height}.`)
  }
  return null
}

const refusal = (code: PostRefusalCode, message: string): PostRefusal => ({ code, message })
