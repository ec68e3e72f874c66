/** The last part of the demo: publishes the video to every platform of the sandbox and reports each post as it appears. */
import { setTimeout as delay } from 'node:timers/promises'
import { platforms } from '../../lib/domain/core/platform.ts'
import type { Client, Publication, Video } from '../../packages/client/index.js'

const pollMs = 150
/** Later than the deadline of a publication (`lib/domain/publishing/publish.ts`). */
const endMsMax = 16 * 60_000

export interface SandboxPublishOptions {
  /** The URL of the sandbox. */
  sandbox: string
  signal: AbortSignal
  /** Called once for each platform, with the URL of the post or the reason for its failure. */
  show(platform: string, post: { url: string } | { reason: string }): void
}

type Publish = Publication['publish']

/** Publishes to every platform and returns the ended publication. */
export async function publishToSandbox(client: Client, video: Video, options: SandboxPublishOptions): Promise<Publish> {
  const { sandbox, signal, show } = options
  const known = new Set((await postsOn(sandbox)).map(idOf))
  const showNew = async () => {
    for (const post of await postsOn(sandbox)) {
      if (known.has(idOf(post))) continue
      known.add(idOf(post))
      show(nameOf(post.platform), { url: `${sandbox}/#${post.platform}` })
    }
  }
  const body = { platforms: platforms.map(({ id }) => id), caption: captionOf(video, new Date()) }
  // Returns at once, so that posts are reported as they appear.
  let { publish } = await client.videos.publish(video.id, body, { waitSeconds: 0, signal })
  for (const until = Date.now() + endMsMax; isOpen(publish) && Date.now() < until; ) {
    await delay(pollMs, undefined, { signal })
    await showNew()
    publish = (await client.videos.get(video.id, {}, { signal })).publish ?? publish
  }
  await showNew()
  for (const { platform, error } of publish.results)
    if (error) show(nameOf(platform), { reason: `${error.code}: ${error.message}` })
  return publish
}

const isOpen = ({ status }: Publish) => status === 'QUEUED' || status === 'PROCESSING'
const nameOf = (platform: string) => platforms.find(({ id }) => id === platform)?.name ?? platform

const titleLengthMax = 150
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })

/** Short enough for every platform, and different in each run: X rejects duplicate texts. */
export const captionOf = ({ title }: Pick<Video, 'title'>, at: Date) =>
  `${title.slice(0, titleLengthMax)}, made on ${day.format(at)} at ${time.format(at)} #reelsmith`

interface Post {
  platform: string
  externalId: string
}
const idOf = ({ platform, externalId }: Post) => `${platform} ${externalId}`

async function postsOn(sandbox: string): Promise<Post[]> {
  const response = await fetch(`${sandbox}/__sandbox/posts`)
  return ((await response.json()) as { posts: Post[] }).posts
}
