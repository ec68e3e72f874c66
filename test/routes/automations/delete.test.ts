/** DELETE /automations/{id}. */
import { setImmediate as immediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { keys } from '../../../lib/store/core/keys.ts'
import { findOutboxRow } from '../../../lib/store/core/outbox.ts'
import { dispatchOutboxRow } from '../../../lib/use-cases/outbox/dispatch-outbox.ts'
import { apiClientOf } from '../../support/api-client.ts'
import { armedAutomation } from '../../support/given/automations.ts'
import { given } from '../../support/given/videos.ts'
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

  it('200: counts the clips and the bytes that were deleted, while the dispatcher purges it', async () => {
    const own = await newWorld()
    const { remove, post } = apiClientOf(own)
    const { id } = await given.generatedVideo(own)
    const clips = 24
    for (let made = 0; made < clips; made++) expect((await post(`/videos/${id}/clips`, {})).status).toBe(201)
    expect((await post(`/videos/${id}/promote`, { enabled: true })).status).toBe(200)
    const row = keys.outbox(own.workspaceId, id)
    const purge = async () => {
      while (!(await findOutboxRow(row))) await immediate()
      await dispatchOutboxRow(row)
    }
    const { storage } = (await apiClientOf(own).account()).limits
    const [{ body }] = await Promise.all([remove(`/automations/${id}`), purge()])
    expect(body.data).toEqual({ ok: true, deletedClips: clips, deletedBytes: storage.usedBytes })
  })
})
