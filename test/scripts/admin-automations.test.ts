/** `automation pause --all` before a restore, and `automation resume --all` after it, through the store. */
import { expect, it } from 'vitest'
import { now } from '../../lib/clock.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { decideAutomationEdit } from '../../lib/use-cases/automations/edit-automation.ts'
import { getBlueprint } from '../../lib/use-cases/automations/load-automation.ts'
import { armedAutomation, readyAutomation } from '../support/given/automations.ts'
import { newWorld } from '../support/world.ts'
import { runAdminHere as run } from './run-admin.ts'

it('all active automations are paused, and the same ones are resumed', async () => {
  const world = await newWorld()
  const { workspaceId } = world
  const { id } = await armedAutomation(world)
  const paused = await readyAutomation(world)
  await commit((await decideAutomationEdit(workspaceId, paused.id, { status: 'paused' }, now())).decision)
  const statusOf = async (automationId: string) => (await getBlueprint(workspaceId, automationId)).automation.status

  await expect(run('automation', 'pause', '--workspace', workspaceId)).rejects.toThrow('--all is required')
  expect(await run('automation', 'pause', '--all', '--workspace', workspaceId)).toEqual([{ workspaceId, paused: 1 }])
  expect(await run('automation', 'pause', '--all', '--workspace', workspaceId)).toEqual([])
  expect([await statusOf(id), await statusOf(paused.id)]).toEqual(['paused', 'paused'])
  expect(await run('automation', 'resume', '--all', '--workspace', workspaceId)).toEqual([{ workspaceId, resumed: 1 }])
  expect([await statusOf(id), await statusOf(paused.id)]).toEqual(['active', 'paused'])
})
