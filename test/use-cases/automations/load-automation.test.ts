/** Loading the input of an automation's decisions is complete, even while the list index still shows deleted videos. */
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { expect, it } from 'vitest'
import { now } from '../../../lib/clock.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { table, tableName } from '../../../lib/store/core/client.ts'
import { keys, listPartitions } from '../../../lib/store/core/keys.ts'
import {
  getBlueprint,
  iterateAutomations,
  loadAutomationContext,
} from '../../../lib/use-cases/automations/load-automation.ts'
import { cloneVideoRows } from '../../support/finish-jobs.ts'
import { givenAutomation, readyAutomation } from '../../support/given/automations.ts'
import { given } from '../../support/given/videos.ts'
import { newWorld } from '../../support/world.ts'

/** What the index shows of a video whose record was just deleted: the newest of its list. */
async function removedIn(listPk: string, { workspaceId }: Video): Promise<void> {
  const [id, at] = [mintId('vid', now()), secondsAfter(now(), 60)]
  const { pk } = keys.video(workspaceId, id)
  const Item = { pk, sk: 'REMOVED', listPk, listSk: `${at}#${id}`, id }
  await table.send(new PutCommand({ TableName: tableName(), Item }))
}

it('every automation of a workspace is visited, even when earlier ones are deleted meanwhile', async () => {
  const { workspaceId } = await newWorld()
  const first = await givenAutomation({ workspaceId })
  const ids = [first.id, ...(await cloneVideoRows(first, 249))]
  await removedIn(listPartitions.automations(workspaceId), first)
  const found: string[] = []
  for await (const { id } of iterateAutomations(workspaceId)) {
    found.push(id)
    const Key = keys.video(workspaceId, id)
    if (found.length <= 110) await table.send(new DeleteCommand({ TableName: tableName(), Key }))
  }
  expect(found.toSorted()).toEqual(ids.toSorted())
})

it('a clip that the client rendered is found after many newer ones', async () => {
  const world = await newWorld()
  const { id, workspaceId } = await readyAutomation(world, { autoRefill: false })
  const spare = await given.renderedVideo(world, { fields: { parentVideoId: id } })
  await cloneVideoRows({ ...spare, media: { ...spare.media, renderKey: null } }, 100)
  await removedIn(listPartitions.clips(workspaceId, id), spare)
  expect((await loadAutomationContext(await getBlueprint(workspaceId, id))).spare?.id).toBe(spare.id)
})
