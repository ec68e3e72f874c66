/**
 * Writes the rows of this version as a fixture: `WRITE_ROWS=1.2.0 npm test -- test/upgrades/write-rows`. One workspace with
 * every kind of record and of outbox row, as its own code writes them, and the documents that they name.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { it } from 'vitest'
import { getJson } from '../../lib/aws/media-bucket.ts'
import { table, tableName } from '../../lib/store/core/client.ts'
import { dispatchOutboxRow } from '../../lib/use-cases/outbox/dispatch-outbox.ts'
import { armedAutomation } from '../support/given/automations.ts'
import type { LegacyRow } from '../support/given/legacy-rows.ts'
import { given } from '../support/given/videos.ts'
import { givenDelivery, givenWebhook } from '../support/given/webhooks.ts'
import { callApi, newWorld, type World } from '../support/world.ts'

/** Fixtures bear one date, which `legacyWorld` replaces. */
const writtenOn = '2026-11-21T'

async function rowsOf({ workspaceId }: World): Promise<LegacyRow[]> {
  const rows: LegacyRow[] = []
  let from: Record<string, unknown> | undefined
  do {
    const { Items = [], LastEvaluatedKey } = await table.send(
      new ScanCommand({ TableName: tableName(), ConsistentRead: true, ExclusiveStartKey: from }),
    )
    rows.push(...(Items as LegacyRow[]).filter(({ pk }) => pk.startsWith(`WS#${workspaceId}`)))
    from = LastEvaluatedKey
  } while (from)
  return rows.toSorted((a, b) => (a.pk + a.sk < b.pk + b.sk ? -1 : 1))
}

async function fill(world: World): Promise<void> {
  const call = async (method: string, path: string, body?: unknown, headers = {}) => {
    const answer = await callApi(method, path, { key: world.apiKey, body, headers })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
  const [webhook, disabled] = [await givenWebhook(world), await givenWebhook(world)]
  const delivery = await givenDelivery(world, webhook.id)
  await givenDelivery(world, disabled.id)
  const rendered = await given.renderedVideo(world)
  const removed = await given.generatedVideo(world)
  const scene = {
    id: 'scn_1',
    imagePrompt: 'A cup',
    animationPrompt: '',
    narration: 'Tea.',
    voiceDescription: '',
    duration: 6,
  }
  await given.generatedVideo(world, { type: 'ai', scenes: [{ ...scene, imageKey: null, videoKey: null }] })
  for (const row of await rowsOf(world)) if (row.kind === 'event') await dispatchOutboxRow(row)
  await armedAutomation(world)
  await call('POST', `/videos/${rendered.id}/clips`, { render: true }, { 'Idempotency-Key': 'older-key' })
  await call('POST', `/videos/${rendered.id}/description`, {})
  await call('POST', '/uploads', { fileName: 'tea.mp4', contentType: 'video/mp4', bytes: 1_000 })
  await call('POST', `/webhooks/deliveries/${delivery.id}/resend`)
  await call('POST', `/webhooks/${webhook.id}/replay`, { from: 1, to: 10 })
  await call('PATCH', `/webhooks/${disabled.id}`, { enabled: false })
  await call('DELETE', `/videos/${removed.id}`)
  await call('POST', `/videos/${rendered.id}/script`, {})
}

it.runIf(process.env.WRITE_ROWS)('writes the rows of this version', async () => {
  const world = await newWorld({ planId: 'pro' })
  await fill(world)
  const rows = await rowsOf(world)
  const keys = new Set(JSON.stringify(rows).match(/[\w/.-]+\.json(?=")/g))
  const objects: Record<string, unknown> = {}
  for (const key of keys) {
    const document = await getJson(key).catch(() => undefined)
    if (document !== undefined) objects[key] = document
  }
  const bytesOf = (_: string, value: unknown) =>
    value instanceof Uint8Array ? { $bytes: Buffer.from(value).toString('base64') } : value
  const text = JSON.stringify({ workspaceId: world.workspaceId, rows, objects }, bytesOf, 1)
  const today = new Date().toISOString().slice(0, writtenOn.length)
  const file = join(import.meta.dirname, `../store/older-rows/${process.env.WRITE_ROWS}.json`)
  writeFileSync(file, `${text.replaceAll(today, writtenOn)}\n`)
})
