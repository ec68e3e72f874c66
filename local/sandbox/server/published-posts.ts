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
  /**
   * The posts that a list of the platform shows, which lags by so many milliseconds. Those of an earlier process are listed at
   * once: after a restart, lists show all that was sent before (`PLATFORMS_STARTED_AT`).
   */
  listed(of: { platform: string; account: string }, lagMs: number): PublishedPost[]
  /** The visible post with this id, or with it as another of its ids. */
  find(platform: string, id: string): PublishedPost | undefined
}

export function openPublishedPosts(records: SandboxStore, clock: SandboxClock): PublishedPosts {
  const posts = records.collection<PublishedPost>('post')
  const postsOf = ({ platform, account }: { platform?: string; account?: string }) =>
    posts.list().filter((post) => (!platform || post.platform === platform) && (!account || post.account === account))
  const list: PublishedPosts['list'] = (of = {}) => postsOf(of).filter(({ at }) => at <= clock.now())
  const idOf = ({ platform, externalId }: PublishedPost) => `${platform}/${externalId}`
  return {
    list,
    listed: (of, lagMs) => postsOf(of).filter((post) => posts.isEarlier(idOf(post)) || post.at + lagMs <= clock.now()),
    find: (platform, id) =>
      list({ platform }).find(({ externalId, knownAs }) => externalId === id || knownAs.includes(id)),
    add(post) {
      const id = idOf(post)
      if (posts.get(id)) throw new Error(`There is a post ${id} already.`)
      posts.put(id, post)
    },
  }
}
