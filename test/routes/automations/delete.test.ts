/** DELETE /automations/{id}. */
import { describe, expect } from 'vitest'
import { apiClientOf } from '../../support/api-client.ts'
import { armedAutomation } from '../../support/given/automations.ts'
import { expectedError } from '../../support/refusals.ts'
import { newWorld } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

describe('DELETE /automations/{id}', () => {
  rule(['automations.delete', 'limits.deleted-automation-bytes'], async () => {
    const own = await newWorld()
    const { remove, get, account } = apiClientOf(own)
    const empty = (await account()).limits
    const { id, clipId } = await armedAutomation(own)
    const { limits } = await account()
    expect(limits.automations.used).toBe(1)
    const { status, body } = await remove(`/automations/${id}`)
    expect([status, body.data]).toEqual([200, { ok: true, deletedClips: 1, deletedBytes: limits.storage.usedBytes }])
    expect(body.data.deletedBytes).toBeGreaterThan(0)
    const after = (await account()).limits
    expect([after.automations, after.storage]).toEqual([empty.automations, empty.storage])
    for (const path of [`/automations/${id}`, `/videos/${id}`, `/videos/${clipId}`])
      expect(await get(path)).toMatchObject(expectedError(404, 'not-found'))
    expect(await remove(`/automations/${id}`)).toMatchObject(expectedError(404, 'not-found'))
  })
})
