/** GET /: the account. */
import { beforeAll, describe, expect, it } from 'vitest'
import { handler as getAccount } from '../../../functions/api/account/get.ts'
import { plans } from '../../../lib/domain/workspaces/plan.ts'
import { table } from '../../../lib/store/core/client.ts'
import { apiEvent, noContext } from '../../support/api-event.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

let world: World

beforeAll(async () => {
  world = await newWorld()
})

/** What a request reads in this process, without the cloud in between. */
async function commandsOf(run: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = []
  table.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        seen.push(String(commandName))
        return next(args)
      },
    { step: 'initialize', name: 'counted' },
  )
  try {
    await run()
    return seen
  } finally {
    table.middlewareStack.remove('counted')
  }
}

const accountFor = (key: string) => getAccount(apiEvent('GET', '/v1', { authorization: `Bearer ${key}` }), noContext)

describe('GET /', () => {
  rule('account.get.shape', async () => {
    const { workspaceId, apiKey } = await newWorld({ planId: 'starter' })
    await callApi('POST', '/videos', { key: apiKey, body: { prompt: 'x' } })
    const { body } = await callApi('GET', '/', { key: apiKey })
    const time = expect.stringMatching(/^\d{4}-\d\d-01T00:00:00.000Z$/)
    expect(body.data).toEqual({
      workspace: { id: workspaceId, name: 'Test', organizationId: null },
      plan: { id: 'starter', name: 'Starter', renewsAt: time },
      credits: { balance: 1_990, granted: 2_000, used: 0, avatar: { balance: 0 } },
      limits: {
        generations: { used: 1, limit: 100, resetsAt: time },
        storage: { usedBytes: 0, limitBytes: plans.starter.storageBytesMax },
        automations: { used: 0, limit: 3 },
        maxDurationSeconds: 180,
        maxRenderSeconds: 720,
        publishing: true,
        webhooks: { used: 0, limit: 25 },
        apiKeys: { used: 1, limit: 25 },
      },
    })
  })

  rule(['account.get.one-record', 'account.get.verifies-key'], async () => {
    const commands = () => commandsOf(async () => expect((await accountFor(world.apiKey)).statusCode).toBe(200))
    // The first request of an hour also records that the key was used.
    const isRead = (command: string) => command !== 'UpdateItemCommand'
    expect((await commands()).filter(isRead)).toEqual(['GetItemCommand', 'GetItemCommand'])
    expect(await commands()).toEqual(['GetItemCommand', 'GetItemCommand'])
  })

  it('200: with and without a trailing slash', async () => {
    for (const path of ['', '/'])
      expect(await callApi('GET', path, { key: world.apiKey })).toMatchObject({ status: 200 })
  })
})
