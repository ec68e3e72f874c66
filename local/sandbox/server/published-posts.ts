// Every post that appeared on a platform of the sandbox: the truth that tests measure publishers by, and what the walls show.

import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import type { SandboxClock } from './clock.ts'
import type { SandboxStore } from './store.ts'

export interface PublishedPost {
  readonly platform: PlatformId
  /** The account's id on the platform. */
  readonly account: string
  readonly externalId: string
  /** Other ids under which the platform finds the same post, for example that of its container. */
  readonly knownAs: readonly string[]
  readonly url: string | null
  readonly caption: string
  readonly title: string | null
  /** Of the film, in hexadecimal: `media` has it under this name. */
  readonly sha256: string
  /** When it appears, in milliseconds since 1970 by the sandbox's clock. It may lie ahead, while the platform is at work on it. */
  readonly at: number
  /** What else the post says of itself, in the platform's words: privacy, board, subreddit. */
  readonly fields: Readonly<Record<string, string | number | boolean>>
}

export interface PublishedPosts {
  /** Appears at its time, whoever looks; refuses an id that the platform has used. */
  add(post: PublishedPost): void
  /** What has appeared by now, in the order in which it was added. */
  list(of?: { platform?: string; account?: string }): PublishedPost[]
}

export function openPublishedPosts(records: SandboxStore, clock: SandboxClock): PublishedPosts {
  const posts = records.collection<PublishedPost>('post')
  return {
    add(post) {
      const id = `${post.platform}/${post.externalId}`
      if (posts.get(id)) throw new Error(`There is a post ${id} already.`)
      posts.put(id, post)
    },
    list: ({ platform, account } = {}) =>
      posts
        .list()
        .filter(({ at }) => at <= clock.now())
        .filter((post) => (!platform || post.platform === platform) && (!account || post.account === account)),
  }
}
