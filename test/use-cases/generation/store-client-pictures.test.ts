/** Pictures for slides from client URLs: those that cannot be fetched are left out, whatever the reason. */
import { expect, it, onTestFinished } from 'vitest'
import { getObject } from '../../../lib/aws/media-bucket.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeClientPictures } from '../../../lib/use-cases/generation/store-client-pictures.ts'
import { given } from '../../support/given/videos.ts'
import { portraitPng, startPictureServer } from '../../support/picture-server.ts'
import { newWorld } from '../../support/world.ts'

it('stores the available pictures, and leaves out those that are missing or temporarily unavailable', async () => {
  const png = await portraitPng(32, 48)
  const server = await startPictureServer({
    '/logo.png': (response) => response.end(png),
    '/text': (response) => response.end('no picture'),
    '/down': (response) => response.writeHead(503).end(),
    '/broken': (response) => response.socket?.destroy(),
  })
  onTestFinished(() => server.close())
  const world = await newWorld()
  const { id: videoId } = await given.generatedVideo(world)
  const owner = { workspace: await getWorkspace(world.workspaceId), videoId }
  const urls = ['/logo.png', '/nothing', '/text', '/down', '/broken'].map(server.url)
  const pictures = await storeClientPictures(owner, urls)
  expect(pictures).toEqual({ [urls[0]!]: { key: expect.any(String), width: 32, height: 48 } })
  expect(Buffer.from(await getObject(pictures[urls[0]!]!.key)).equals(png)).toBe(true)
})
