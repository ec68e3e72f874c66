/** Permits of open runs: as many as the plan allows, and none for a run that has left the outbox. */
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { table, tableName } from '../../lib/store/core/client.ts'
import { findOutboxRow, pipelineStartRow } from '../../lib/store/core/outbox.ts'
import { acquireRunPermit, releaseRunPermit } from '../../lib/store/run-permits.ts'

async function givenWaitingRuns(count: number) {
  const workspaceId = mintId('wsp', now())
  const runIds = Array.from({ length: count }, () => mintId('run', now()))
  const rows = runIds.map((runId) =>
    pipelineStartRow(workspaceId, { pipeline: 'render', videoId: 'vid_one', runId }, now()),
  )
  await Promise.all(rows.map((Item) => table.send(new PutCommand({ TableName: tableName(), Item }))))
  return { workspaceId, runIds, keys: rows.map(({ pk, sk }) => ({ pk, sk })) }
}

describe('the permits of runs', () => {
  it('never have more holders than permits, however many runs ask at once', async () => {
    const { workspaceId, runIds } = await givenWaitingRuns(8)
    const permits = await Promise.all(runIds.map((runId) => acquireRunPermit(workspaceId, runId, 3)))
    expect(permits.filter((permit) => permit === 'acquired')).toHaveLength(3)
    expect(permits.filter((permit) => permit === 'none left')).toHaveLength(5)
  })

  it('are one for a run, and a released one goes to the next', async () => {
    const { workspaceId, runIds } = await givenWaitingRuns(2)
    const [a = '', b = ''] = runIds
    expect(await acquireRunPermit(workspaceId, a, 1)).toBe('acquired')
    expect(await acquireRunPermit(workspaceId, a, 1)).toBe('acquired')
    expect(await acquireRunPermit(workspaceId, b, 1)).toBe('none left')
    await releaseRunPermit(workspaceId, a)
    expect(await acquireRunPermit(workspaceId, b, 1)).toBe('acquired')
  })

  it('are not given to a run that was released, however late a request for one arrives', async () => {
    const { workspaceId, runIds, keys } = await givenWaitingRuns(2)
    const [a = '', b = ''] = runIds
    await acquireRunPermit(workspaceId, a, 1)
    await releaseRunPermit(workspaceId, a)
    expect(await findOutboxRow(keys[0]!)).toBeUndefined()
    expect(await acquireRunPermit(workspaceId, a, 1)).toBe('started')
    expect(await acquireRunPermit(workspaceId, b, 1)).toBe('acquired')
  })

  it('can be released again', async () => {
    const { workspaceId, runIds } = await givenWaitingRuns(1)
    await releaseRunPermit(workspaceId, runIds[0]!)
    await expect(releaseRunPermit(workspaceId, runIds[0]!)).resolves.toBeUndefined()
  })
})
