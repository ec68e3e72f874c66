/**
 * Rows of every kind that an earlier version left in the middle of its work: all are shown, and every outbox row is
 * performed. What can be done with older ones is in `test/store/core/row-compatibility.test.ts`.
 */
import { describe, expect, it } from 'vitest'
import { pipelineState } from '../../lib/aws/pipelines.ts'
import type { Key } from '../../lib/store/core/keys.ts'
import { deleteOutboxRow, findOutboxRow } from '../../lib/store/core/outbox.ts'
import { dispatchOutboxRow } from '../../lib/use-cases/outbox/dispatch-outbox.ts'
import { busyVersions, type LegacyRow, legacyWorld } from '../support/given/legacy-rows.ts'
import { callApi, untilVideo } from '../support/world.ts'

const kinds = ['alarm', 'drop', 'event', 'nudge', 'purge', 'release', 'start', 'wake']
/** Kinds that came later, by the first fixture with them. */
const added: Record<string, string[]> = { '6b84f40c': ['replay'] }
const kindsOf = (version: string): string[] => {
  const upTo = busyVersions.slice(0, busyVersions.findIndex(([name]) => name === version) + 1)
  return [...kinds, ...upTo.flatMap(([name]) => added[name] ?? [])].toSorted()
}

const keysOf = (rows: readonly LegacyRow[], wanted: (row: LegacyRow) => boolean): Key[] => rows.filter(wanted)

describe.each(busyVersions)('the rows that %s left, the first with %s,', (version) => {
  it('have outbox rows of every kind', async () => {
    const { rows } = await legacyWorld(version)
    const found = new Set(rows.flatMap(({ sk, kind }) => (sk.startsWith('OUT#') ? [String(kind)] : [])))
    expect([...found].toSorted()).toEqual(kindsOf(version))
  })

  it('are shown', async () => {
    const { apiKey: key, rows } = await legacyWorld(version)
    const ofKind = (sort: string) => rows.filter(({ sk }) => sk === sort)
    const videos = ofKind('VIDEO').flatMap(({ id, isAutomation }) => [
      `/videos/${id}?include=captions,captionsPages,bRolls,scenes`,
      `/videos/${id}/clips`,
      ...(isAutomation ? [`/automations/${id}`, `/automations/${id}/health`] : []),
    ])
    const uploads = ofKind('UPLOAD').map(({ id }) => `/uploads/${id}`)
    const lists = ['/', '/videos', '/automations', '/profiles', '/webhooks', '/webhooks/deliveries', '/events', '/keys']
    for (const path of [...lists, ...videos, ...uploads])
      expect((await callApi('GET', path, { key })).status, path).toBe(200)
    const { body } = await callApi('GET', '/webhooks/deliveries', { key })
    expect(body.paging.total).toBe(ofKind('DELIVERY').length)
  })

  it('are performed where they are outbox rows, and events are entered without gaps', async () => {
    const { apiKey: key, rows } = await legacyWorld(version)
    const journalled = rows.filter(({ sk, sequence }) => sk.startsWith('evt_') && sequence !== undefined).length
    const events = keysOf(rows, ({ sk, kind }) => sk.startsWith('OUT#') && kind === 'event')
    // These two start runs, which is another test.
    const starting = ['event', 'start', 'release']
    const others = keysOf(rows, ({ sk, kind }) => sk.startsWith('OUT#') && !starting.includes(String(kind)))
    for (const row of [...events, ...others]) await dispatchOutboxRow(row)
    const left = (await Promise.all([...events, ...others].map(findOutboxRow))).filter((row) => row !== undefined)
    // A purge has a second pass.
    expect(left.map(({ kind }) => kind)).toEqual(['purge'])
    const { data } = (await callApi('GET', '/events?limit=100', { key })).body
    expect(data.length).toBeGreaterThanOrEqual(journalled + events.length)
    const sequences = data.map(({ sequence }: { sequence: number }) => sequence)
    expect(sequences).toEqual(sequences.map((_: number, index: number) => sequences[0] + index))
  })

  it('finish a run that was queued', async () => {
    const { workspaceId, apiKey, rows } = await legacyWorld(version)
    const isScript = ({ process, sk }: LegacyRow) =>
      sk === 'VIDEO' && (process as { work: string; status: string }).work === 'script'
    const video = rows.find(isScript)!
    const { runId } = video.process as { runId: string }
    const starts = rows.filter(({ kind }) => kind === 'start')
    const [start] = starts.filter(({ sk }) => sk === `OUT#${runId}`)
    // A run that ends starts the others, which would make media.
    for (const other of starts) if (other !== start) await deleteOutboxRow(other)
    await dispatchOutboxRow(start!)
    expect(await pipelineState('generate', runId)).not.toBe('missing')
    const id = String(video.id)
    const done = await untilVideo({ apiKey }, id, ({ process }) => process?.status === 'COMPLETED')
    expect([done.brief.text, workspaceId]).toEqual([expect.stringMatching(/\S/), video.workspaceId])
  })
})
