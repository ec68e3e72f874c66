/** Faults behind the API are counted by the worker that finds them, in the metrics that alarms use. */
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import type { DynamoDBStreamEvent, SQSEvent } from 'aws-lambda'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { handler as deliverWebhook } from '../../functions/workers/deliver-webhook.ts'
import { handler as dispatchOutbox } from '../../functions/workers/dispatch-outbox.ts'
import { handler as sweep } from '../../functions/workers/sweep.ts'
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { secondsAfter } from '../../lib/domain/core/time.ts'
import type { Measurement, MetricName } from '../../lib/domain/records/metrics.ts'
import { beginProcess } from '../../lib/domain/videos/job-transitions.ts'
import { table, tableName } from '../../lib/store/core/client.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { deleteOutboxRow, pipelineStartRow } from '../../lib/store/core/outbox.ts'
import { getVideo } from '../../lib/store/videos.ts'
import { givenUndispatchedVideo } from '../support/given/undispatched-video.ts'
import { newWorld } from '../support/world.ts'
import { useService } from './support/isolated-emulators.ts'

const { measured } = vi.hoisted(() => ({ measured: [] as Measurement[] }))
vi.mock('../../lib/metrics.ts', () => ({ emitMetric: (one: Measurement) => void measured.push(one) }))

useService()
beforeEach(() => {
  measured.length = 0
})

const all = (name: MetricName) => measured.filter((one) => one.name === name)

/** A row that cannot be processed. */
async function poison() {
  const { workspaceId } = await newWorld()
  const { start: _, ...row } = pipelineStartRow(
    workspaceId,
    { pipeline: 'generate', videoId: 'vid_1', runId: mintId('run', now()) },
    secondsAfter(now(), -120),
  )
  await table.send(new PutCommand({ TableName: tableName(), Item: row }))
  return { pk: row.pk, sk: row.sk }
}

const streamOf = ({ pk, sk }: { pk: string; sk: string }) =>
  ({
    Records: [{ dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: '7' } }],
  }) as unknown as DynamoDBStreamEvent

describe('the metrics of workers', () => {
  it('include the age of processed rows, and no repair or fault when all is well', async () => {
    const { workspaceId, runId } = await givenUndispatchedVideo(0)
    const key = keys.outbox(workspaceId, runId)
    await dispatchOutbox(streamOf(key))
    await dispatchOutbox(streamOf(key))
    await sweep()
    expect(all('OutboxAge')).toHaveLength(1)
    expect(all('OutboxAge')[0]!.value).toBeLessThan(60)
    expect([...all('Repairs'), ...all('Faults')]).toEqual([])
  })

  it('count a repair when an execution was never started', async () => {
    const { workspaceId, runId } = await givenUndispatchedVideo(120)
    await deleteOutboxRow(keys.outbox(workspaceId, runId))
    await sweep()
    expect(all('Repairs')).toHaveLength(1)
  })

  it('count a repair and a failure for a job past its deadline', async () => {
    const { workspaceId, videoId, runId, at } = await givenUndispatchedVideo(31 * 60)
    await commit(beginProcess(await getVideo(workspaceId, videoId), runId, at)!)
    await sweep()
    expect(all('Repairs').length).toBeGreaterThan(0)
    expect(measured).toContainEqual({ name: 'JobsEnded', value: 1, by: { job: 'generate', code: 'timeout' } })
    expect(measured).toContainEqual({ name: 'JobsFailed', value: 1, by: { job: 'generate' } })
  })

  it('include the age of the outbox, so that a stalled stream is detected', async () => {
    await givenUndispatchedVideo(120)
    await sweep()
    const ages = all('OutboxAge').map(({ value }) => value)
    expect(ages.length).toBeGreaterThan(1)
    for (const age of ages) expect(age).toBeGreaterThanOrEqual(120)
  })

  it('count a fault of each worker that meets a poison message', async () => {
    const key = await poison()
    expect(await dispatchOutbox(streamOf(key))).toEqual({ batchItemFailures: [{ itemIdentifier: '7' }] })
    await sweep()
    const message = { messageId: 'm1', body: '{"workspaceId": 7}' }
    const { batchItemFailures } = await deliverWebhook({ Records: [message] } as unknown as SQSEvent)
    expect(batchItemFailures).toEqual([{ itemIdentifier: 'm1' }])
    expect(all('Faults').map(({ by }) => by?.what)).toEqual(['outbox', 'sweep', 'delivery'])
    await deleteOutboxRow(key)
  })
})
