/**
 * A publication through Zernio, from the request to the sandbox's feeds, next to an account that is connected directly.
 */
import { expect, it } from 'vitest'
import { getProfile } from '../../lib/store/profiles.ts'
import { getVideo } from '../../lib/store/videos.ts'
import { addProfile } from '../../lib/use-cases/accounts/add-profile.ts'
import { connectViaZernio } from '../../lib/use-cases/accounts/connect-zernio.ts'
import { usePublishFixture } from '../support/given/publishing.ts'
import { newWorld } from '../support/world.ts'

const stages = usePublishFixture()

/** The sandbox's response to a request. */
async function told(platform: string, path: string, wish: object): Promise<{ access: string }> {
  const [url] = Object.values(JSON.parse(process.env.PLATFORM_URLS!)[platform] as Record<string, string>)
  const body = JSON.stringify({ platform, ...wish })
  const answer = await fetch(new URL(`/__sandbox/${path}`, url), { method: 'POST', body })
  return (await answer.json()) as { access: string }
}

it('posts the render to the feed once, and the direct account as usual', async () => {
  const stage = await stages({ connected: ['bluesky'] })
  const { workspaceId } = stage.world
  const zernioAccountId = '64e1f0000000000000000002'
  const { access: key } = await told('tiktok', 'accounts', { externalId: zernioAccountId, username: 'ada' })
  await connectViaZernio(workspaceId, stage.profileId, 'tiktok', { key, zernioAccountId })
  await stage.publish({ platforms: ['bluesky', 'tiktok'], caption: 'A calm morning' })
  await expect
    .poll(async () => (await getVideo(workspaceId, stage.video.id)).publish?.status, { timeout: 60_000 })
    .toBe('COMPLETED')
  const { sha256, video, postsOn: wallOf } = stage
  const [through] = await wallOf('tiktok')
  expect(through).toMatchObject({ sha256, caption: 'A calm morning', fields: { via: 'zernio' } })
  for (const platform of ['bluesky', 'tiktok'] as const) expect(await wallOf(platform)).toMatchObject([{ sha256 }])
  const results = (await getVideo(workspaceId, video.id)).publish?.results
  expect(results?.find(({ platform }) => platform === 'tiktok')).toMatchObject({
    status: 'COMPLETED',
    url: expect.stringMatching(new RegExp(`^http://127.0.0.1:\\d+/posts/tiktok/${through?.externalId}$`)),
  })
})

it('503 if Zernio does not respond: nothing is connected', async () => {
  const { workspaceId } = await newWorld()
  const { id } = await addProfile(workspaceId, { name: 'Studio' })
  await told('pinterest', 'faults', { op: 'zernio-accounts', kind: 'http:503' })
  const connecting = connectViaZernio(workspaceId, id, 'pinterest', { key: 'sk_any', zernioAccountId: '1' })
  const message = 'Zernio does not respond at the moment. Try again later.'
  await expect(connecting).rejects.toMatchObject({ code: 'unavailable', message })
  expect((await getProfile(workspaceId, id)).accounts).toEqual([])
})
