/** The record of a Bluesky post in the account's repository, and its references. */
import type { PublishContext } from '../publisher.ts'
import { facetsOf } from './facets.ts'

/** A reference to a file in the repository (https://atproto.com/specs/data-model#blob-type). */
export interface BlobRef {
  $type: 'blob'
  ref: { $link: string }
  mimeType: string
  size: number
}

export const postCollection = 'app.bsky.feed.post'

/** Deterministic: independent of the current time, so that a rewrite produces the same record. */
export function postRecord({ post }: PublishContext, video: BlobRef) {
  const { width, height } = post.film
  const facets = facetsOf(post.caption)
  return {
    $type: postCollection,
    text: post.caption,
    ...(facets.length > 0 && { facets }),
    langs: [post.language],
    createdAt: post.acceptedAt,
    embed: { $type: 'app.bsky.embed.video', video, alt: post.title, aspectRatio: { width, height } },
  }
}

export const postReference = (did: string, key: string) => ({
  externalId: `at://${did}/${postCollection}/${key}`,
  url: `https://bsky.app/profile/${did}/post/${key}`,
})
