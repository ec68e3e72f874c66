// Every post on a platform of the sandbox: tests compare publishers with it, and the feed page shows it.

import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import type { SandboxClock } from './clock.ts'
import type { SandboxStore } from './store.ts'

export interface PublishedPost {
  readonly platform: PlatformId
  /** The account's id on the platform. */
  readonly account: string
  readonly externalId: string
  /** Other ids of the same post, for example that of its container. */
  readonly knownAs: readonly string[]
  readonly url: string | null
  readonly caption: string
  readonly title: string | null
  /** SHA-256 of the video in hexadecimal: its name in the media store. */
  readonly sha256: string
  /** When it appears, in milliseconds since 1970 by the sandbox's clock; in the future while the platform processes it. */
  readonly at: number
  /** Other fields of the post, as the platform names them: privacy, board, subreddit. */
  readonly fields: Readonly<Record<string, string | number | boolean>>
}

export interface PublishedPosts {
  /** Adds a post, visible from its time on. Throws for an id that the platform has already used. */
  add(post: PublishedPost): void
  /** The visible posts, in the order in which they were added. */
  list(of?: { platform?: string; account?: string }): PublishedPost[]
  /** The visible post with this id, or with it as another of its ids. */
  find(platform: string, id: string): PublishedPost | undefined
}

export function openPublishedPosts(records: SandboxStore, clock: SandboxClock): PublishedPosts {
  const posts = records.collection<PublishedPost>('post')
  const list: PublishedPosts['list'] = ({ platform, account } = {}) =>
    posts
      .list()
      .filter(({ at }) => at <= clock.now())
      .filter((post) => (!platform || post.platform === platform) && (!account || post.account === account))
  return {
    list,
    find: (platform, id) =>
      list({ platform }).find(({ externalId, knownAs }) => externalId === id || knownAs.includes(id)),
    add(post) {
      const id = `${post.platform}/${post.externalId}`
      if (posts.get(id)) throw new Error(`There is a post ${id} already.`)
      posts.put(id, post)
    },
  }
}
