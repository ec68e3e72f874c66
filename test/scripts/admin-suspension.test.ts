/** `workspace suspend`, `resume` and `limit`, on the service that all tests share. */
import { describe, expect, it } from 'vitest'
import { pipelineState } from '../../lib/aws/pipelines.ts'
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { createVideo } from '../../lib/domain/videos/create-video.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { getVideo } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { getBlueprint } from '../../lib/use-cases/automations/load-automation.ts'
import { reconcileAutomation } from '../../lib/use-cases/automations/reconcile-automation.ts'
import { armedAutomation } from '../support/given/automations.ts'
import { callApi, newKey, newWorld, videoInputOf, type World } from '../support/world.ts'
import {
  commitVideoEvent,
  deliveryLogOf,
  dispatchAll,
  dispatchOnly,
  givenEndpoint,
} from '../workers/support/run-workers.ts'
import { runAdminHere as run } from './run-admin.ts'

const of = ({ workspaceId }: Pick<World, 'workspaceId'>) => ['--workspace', workspaceId]
const statusWith = async (key: string, headers = {}) => (await callApi('GET', '/', { key, headers })).status

describe('a suspended workspace', () => {
  it('has its keys refused with the reason, also for an organization that acts on it, until it is resumed', async () => {
    const organization = await newWorld({ planId: 'scale' })
    const child = await newWorld({ planId: 'scale', organizationId: organization.workspaceId })
    const asChild = { 'X-Service-Workspace': child.workspaceId }
    expect(await run('workspace', 'suspend', ...of(child))).toMatchObject({ state: 'suspended', changed: { keys: 1 } })
    expect(await callApi('GET', '/', { key: child.apiKey })).toMatchObject({
      status: 401,
      body: { error: { code: 'unauthorized', message: expect.stringContaining('is suspended') } },
    })
    expect([await statusWith(organization.apiKey, asChild), await statusWith(organization.apiKey)]).toEqual([401, 200])
    await expect(newKey(child.workspaceId)).rejects.toMatchObject({ code: 'conflict' })
    expect(await run('workspace', 'suspend', ...of(child))).toMatchObject({ changed: { keys: 0, jobs: 0 } })
    expect(await run('workspace', 'resume', ...of(child))).toMatchObject({ state: 'active', changed: { keys: 1 } })
    expect([await statusWith(child.apiKey), await statusWith(organization.apiKey, asChild)]).toEqual([200, 200])
  })

  it('ends its jobs with the credits released, and starts none', async () => {
    const world = await newWorld({ planId: 'scale' })
    const { body } = await callApi('POST', '/videos', { key: world.apiKey, body: { prompt: 'Calm mornings' } })
    const { id } = body.data
    const { creditsBalance } = await getWorkspace(world.workspaceId)
    expect(await run('workspace', 'suspend', ...of(world))).toMatchObject({ changed: { jobs: 1 }, creditsReserved: 0 })
    expect(await getVideo(world.workspaceId, id)).toMatchObject({
      process: {
        status: 'FAILED',
        error: { code: 'script-failed', message: 'The workspace is suspended.', blocked: true },
      },
    })
    const after = await getWorkspace(world.workspaceId)
    expect(after.creditsBalance).toBeGreaterThan(creditsBalance)

    // A request that was in progress queues a run: it waits, and a repeat of the command ends it.
    const ids = { videoId: mintId('vid', now()), runId: mintId('run', now()) }
    await commit(createVideo(after, videoInputOf({ prompt: 'Late' }), ids, now()))
    await dispatchOnly(world.workspaceId, ids.runId)
    expect(await pipelineState('generate', ids.runId)).toBe('missing')
    expect(await run('workspace', 'suspend', ...of(world))).toMatchObject({ changed: { keys: 0, jobs: 1 } })
  })

  it('runs no slot of its automations and sends no webhook; both go on when it is resumed', async () => {
    const world = await newWorld()
    const { workspaceId } = world
    const { id } = await armedAutomation(world)
    const endpoint = await givenEndpoint(workspaceId, 'http://127.0.0.1:9/')
    await commitVideoEvent(workspaceId)
    await dispatchAll(workspaceId)
    expect(await run('workspace', 'suspend', ...of(world))).toMatchObject({ changed: { webhooks: 1, automations: 1 } })
    const during = await commitVideoEvent(workspaceId)
    await dispatchAll(workspaceId)
    const log = await deliveryLogOf(workspaceId)
    expect(new Set(log.map(({ lastError }) => lastError))).toEqual(new Set(['Dropped: the endpoint was disabled.']))
    expect(JSON.stringify(log)).not.toContain(during.facts.video.id)
    await reconcileAutomation(workspaceId, id, null)
    expect((await getBlueprint(workspaceId, id)).automation).toMatchObject({ status: 'paused', nextSlot: null })
    expect(await run('workspace', 'resume', ...of(world))).toMatchObject({ changed: { webhooks: 1, automations: 1 } })
    expect((await getBlueprint(workspaceId, id)).automation).toMatchObject({ status: 'active' })
    const later = await commitVideoEvent(workspaceId)
    await dispatchOnly(workspaceId, later.id)
    const pending = await deliveryLogOf(workspaceId, { webhookId: endpoint.id, status: 'pending' })
    expect(pending).toHaveLength(1)
    expect(pending[0]!.payload).toContain(later.facts.video.id)
  })
})

it('the request limits of a workspace replace those of its plan, until they are reset', async () => {
  const world = await newWorld({ planId: 'free' })
  const limits = ['--reads', '7', '--writes', '3', '--paid', '1']
  expect(await run('workspace', 'limit', ...of(world), ...limits)).toMatchObject({
    requestsPerMinute: { reads: 7, writes: 3, paid: 1 },
  })
  expect(await run('workspace', 'limit', ...of(world), '--default')).not.toHaveProperty('requestsPerMinute.reads')
  await expect(run('workspace', 'limit', ...of(world), '--reads', '0')).rejects.toThrow('--reads must be')
})
