/** A video with a render that platforms accept, and accounts on the sandbox network. */

import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import type { PlanId } from '../../../lib/domain/workspaces/plan.ts'
import { getProfile } from '../../../lib/store/profiles.ts'
import { addProfile } from '../../../lib/use-cases/accounts/add-profile.ts'
import { connectSandboxAccount } from '../../../local/connect-sandbox-account.ts'
import { useTestVideos, verticalVideo } from '../../platforms/shared/test-videos.ts'
import { type ApiResponse, callApi, newWorld, type World } from '../world.ts'
import { type GivenVideo, given } from './videos.ts'

export interface PublishFixture {
  world: World
  video: Video
  profileId: string
  sha256: string
  /** Publishes, and waits for the end by default. */
  publish: (body?: object, headers?: Record<string, string>) => Promise<ApiResponse>
  /** What an account of the profile shows on its platform. */
  postsOn: (platform: PlatformId) => Promise<{ externalId: string; sha256: string; url: string; caption: string }[]>
}

export interface PublishFixtureOptions extends GivenVideo {
  connected?: readonly PlatformId[]
  planId?: PlanId
}

/** Call it once in a test file, outside its tests. */
export function usePublishFixture() {
  const films = useTestVideos()
  return async ({ connected = [], planId, ...video }: PublishFixtureOptions = {}): Promise<PublishFixture> => {
    const world = await newWorld(planId ? { planId } : {})
    const { film, read, sha256 } = await films.make(verticalVideo)
    const mp4 = Buffer.concat(await Array.fromAsync(read(0, film.bytes)))
    const cover = await (await fetch(film.coverUrl)).bytes()
    const rendered = await given.renderedVideo(world, { ...video, film: { mp4, cover } })
    const { id: profileId } = await addProfile(world.workspaceId, { name: 'Studio' })
    for (const platform of connected) await connectSandboxAccount(world.workspaceId, profileId, platform)
    return {
      world,
      video: rendered,
      profileId,
      sha256,
      publish: (body = {}, headers = {}) =>
        callApi('POST', `/videos/${rendered.id}/publish`, {
          key: world.apiKey,
          headers: { Prefer: 'wait=25', ...headers },
          body,
        }),
      postsOn: (platform) => postsOn(world, profileId, platform),
    }
  }
}

async function postsOn({ workspaceId }: World, profileId: string, platform: PlatformId) {
  const { accounts } = await getProfile(workspaceId, profileId)
  const account = accounts.find((one) => one.platform === platform)?.externalId ?? ''
  const [url] = Object.values(JSON.parse(process.env.PLATFORM_URLS!)[platform] as Record<string, string>)
  const query = new URLSearchParams({ platform, account })
  const response = await fetch(`${new URL(url!).origin}/__sandbox/posts?${query}`)
  return ((await response.json()) as { posts: { externalId: string; sha256: string; url: string; caption: string }[] })
    .posts
}
