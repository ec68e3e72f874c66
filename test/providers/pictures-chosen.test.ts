/**
 * Which maker the deployment chose for pictures and clips: its name contains that, because results are stored under
 * that name.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtInAnimator } from '../../lib/providers/animator/built-in.ts'
import { builtInAvatars } from '../../lib/providers/avatars/built-in.ts'
import { chooseAnimator } from '../../lib/providers/choose/animator.ts'
import { chooseAvatars } from '../../lib/providers/choose/avatars.ts'
import { chooseFootage } from '../../lib/providers/choose/footage.ts'
import { chooseImages } from '../../lib/providers/choose/images.ts'
import { builtInFootage } from '../../lib/providers/footage/built-in.ts'
import { builtInImages } from '../../lib/providers/images/built-in.ts'
import { startSecretsManager } from '../../local/emulators/secrets-manager.ts'

const [drawn, generated, camera] = [builtInImages.id, builtInFootage.id, builtInAnimator.id]

let secrets: Awaited<ReturnType<typeof startSecretsManager>>
beforeAll(async () => {
  const keys = JSON.stringify({ pexels: 'a', fal: 'b', heygen: 'c' })
  secrets = await startSecretsManager({ port: 0, secrets: { 'keys-of-vendors': () => keys } })
  Object.assign(process.env, { AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url, PROVIDER_KEYS_ID: 'keys-of-vendors' })
})
afterAll(() => secrets.stop())

const chosenAs = async (choice: object) => {
  process.env.PROVIDERS = JSON.stringify(choice)
  const makers = await Promise.all([chooseImages(), chooseFootage(), chooseAnimator(), chooseAvatars()])
  return makers.map(({ id }) => id)
}

describe('pictures and clips', () => {
  it('are built-in if no vendor was chosen', async () => {
    expect(await chosenAs({})).toEqual([drawn, generated, camera, builtInAvatars.id])
  })

  it('are made by the chosen vendors, with the built-in makers as a fallback, except for speaking portraits', async () => {
    expect(await chosenAs({ images: 'stability', footage: 'pexels', animator: 'fal', avatars: 'fal' })).toEqual([
      `stability-1/stability.stable-image-core-v1:1|${drawn}`,
      `pexels-1|${generated}`,
      `fal-1/bytedance/seedance-2.0/image-to-video|${camera}`,
      'fal-1/veed/fabric-1.0',
    ])
    expect((await chosenAs({ animator: 'luma', avatars: 'heygen' })).slice(2)).toEqual([
      `luma-1/luma.ray-v2:0|${camera}`,
      'heygen-1',
    ])
  })
})
