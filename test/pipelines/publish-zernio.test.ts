/** A publication by way of Zernio, from the request to the sandbox's walls, beside an account that is connected directly. */
import { expect, it } from 'vitest'
import { connectByZernio } from '../../lib/actions/connect-zernio.ts'
import { getVideo } from '../../lib/store/videos.ts'
import { publishStages } from '../support/publishing.ts'

const stages = publishStages()

/** A key to an account of the sandbox. */
async function keyTo(platform: string, externalId: string): Promise<string> {
  const [url] = Object.values(JSON.parse(process.env.PLATFORM_URLS!)[platform] as Record<string, string>)
  const body = JSON.stringify({ platform, externalId, username: 'ada' })
  const made = await fetch(new URL('/__sandbox/accounts', url), { method: 'POST', body })
  return ((await made.json()) as { access: string }).access
}

it('puts the film on the wall once, the direct account beside it as ever', async () => {
  const stage = await stages({ connected: ['bluesky'] })
  const { workspaceId } = stage.world
  const zernioAccountId = '64e1f0000000000000000002'
  const key = await keyTo('tiktok', zernioAccountId)
  await connectByZernio(workspaceId, stage.profileId, 'tiktok', { key, zernioAccountId })
  await stage.publish({ platforms: ['bluesky', 'tiktok'], caption: 'A calm morning' })
  await expect
    .poll(async () => (await getVideo(workspaceId, stage.video.id)).publish?.status, { timeout: 60_000 })
    .toBe('COMPLETED')
  const { sha256, video, wallOf } = stage
  const [through] = await wallOf('tiktok')
  expect(through).toMatchObject({ sha256, caption: 'A calm morning', fields: { via: 'zernio' } })
  for (const platform of ['bluesky', 'tiktok'] as const) expect(await wallOf(platform)).toMatchObject([{ sha256 }])
  const results = (await getVideo(workspaceId, video.id)).publish?.results
  expect(results?.find(({ platform }) => platform === 'tiktok')).toMatchObject({
    status: 'COMPLETED',
    url: through?.url,
  })
})
