/** A workspace's own records for each place of a path. A new kind of record needs one maker here, and no more. */
import { addProfile } from '../../../lib/use-cases/accounts/add-profile.ts'
import { readyAutomation } from '../given/automations.ts'
import { given } from '../given/videos.ts'
import { givenDelivery, givenWebhook } from '../given/webhooks.ts'
import { callApi, newKey, type World } from '../world.ts'

type Maker = (world: World, how: { path: string; ids: Record<string, string> }) => Promise<string>

/** By the segment before the braces, since every `{id}` is of another kind. */
const makers: Record<string, Maker> = {
  'videos/{id}': (world, { path }) =>
    path.includes('/scenes') ? aiVideo(world) : made(world, 'POST', '/videos', briefFor(path)),
  'scenes/{sceneId}': (world, { ids }) => made(world, 'POST', `/videos/${ids.id}/scenes`, {}),
  'brolls/{brollId}': (world, { ids }) => made(world, 'PUT', `/videos/${ids.id}/brolls`, [bRollOf(world)]),
  'uploads/{id}': (world) =>
    made(world, 'POST', '/uploads', { fileName: 'a.mp4', contentType: 'video/mp4', bytes: 1_000 }),
  'profiles/{id}': async ({ workspaceId }) => (await addProfile(workspaceId, { name: 'Test' })).id,
  'automations/{id}': async (world) => (await readyAutomation(world)).id,
  'webhooks/{id}': async (world) => (await givenWebhook(world)).id,
  // Another one than the key of the request, which cannot revoke itself.
  'keys/{id}': async ({ workspaceId }) => (await newKey(workspaceId)).keyId,
  'deliveries/{id}': async (world) => (await givenDelivery(world, (await givenWebhook(world)).id)).id,
}

/** Clients name segments themselves, so that the ids of two workspaces must be made distinct on purpose. */
export const bRollOf = ({ workspaceId }: World) => ({
  id: workspaceId.replace('wsp', 'brl'),
  startMs: 0,
  endMs: 1_000,
  text: 'x',
})

/** The kind of video that the routes behind a path are about. */
const briefFor = (path: string) => ({
  prompt: 'An idea',
  ...(path.includes('/presentation') ? { subType: 'presentation' } : {}),
})

/** Scenes can be edited once they were generated. */
const aiVideo = async (world: World) => (await given.generatedVideo(world, { type: 'ai', scenes: [] })).id

async function made({ apiKey }: World, method: string, path: string, body: unknown): Promise<string> {
  const { status, body: answer } = await callApi(method, path, { key: apiKey, body })
  if (status >= 300)
    throw new Error(`test/support/fuzz/path-ids.ts: ${method} ${path} answered ${JSON.stringify(answer)}`)
  return (Array.isArray(answer.data) ? answer.data[0] : answer.data).id
}

/** Makes a record for each pair of braces in a path, from the left to the right. */
export async function createPathIds(world: World, path: string): Promise<Record<string, string>> {
  const ids: Record<string, string> = {}
  for (const [place, name] of path.matchAll(/\w+\/\{(\w+)\}/g)) {
    const maker = makers[place]
    if (!maker) throw new Error(`test/support/fuzz/path-ids.ts has no maker for ${place}.`)
    ids[name!] = await maker(world, { path, ids })
  }
  return ids
}

export const fillPath = (path: string, ids: Record<string, string>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!)
