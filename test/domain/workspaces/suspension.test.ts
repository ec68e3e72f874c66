/** The operator suspends, resumes and deletes workspaces: what changes with them, and what is refused. */
import { describe, expect, it } from 'vitest'
import type { ApiKey } from '../../../lib/domain/records/api-key.ts'
import { editWebhook, resumeWebhook, suspendWebhook } from '../../../lib/domain/webhooks/webhook-lifecycle.ts'
import {
  deleteWorkspace,
  resumeWorkspace,
  suspendWorkspace,
  workspaceState,
} from '../../../lib/domain/workspaces/suspension.ts'
import { refusalCodeOf } from '../../support/refusals.ts'
import { webhookWith } from '../support/deliveries.ts'
import { at, workspaceOn } from '../support/videos.ts'

const workspace = { ...workspaceOn('pro'), name: 'Ada', apiKeysUsed: 1 }
const key: ApiKey = {
  id: 'key_1',
  workspaceId: workspace.id,
  name: 'key',
  hash: 'h',
  lastFour: 'abcd',
  createdAt: at(0),
  revokedAt: null,
}
const revoked = { ...key, id: 'key_2', revokedAt: at(0) }
const confirm = (confirmed: string, others = [workspace]) => ({ confirmed, others })

describe('a suspension', () => {
  it('marks the workspace and its valid keys, and resuming restores both', () => {
    const suspended = suspendWorkspace(workspace, [key, revoked], at(1))!
    expect(suspended.after).toEqual({ ...workspace, suspendedAt: at(1) })
    expect(suspended.keys).toEqual([{ before: key, after: { ...key, suspendedAt: at(1) } }])
    const resumed = resumeWorkspace(suspended.after, [suspended.keys[0]!.after, revoked])!
    expect([resumed.after, resumed.keys.map(({ after }) => after)]).toEqual([workspace, [key]])
  })

  it('of a suspended workspace, like resuming an active one, changes nothing', () => {
    const { after } = suspendWorkspace(workspace, [key], at(1))!
    expect(suspendWorkspace(after, [{ ...key, suspendedAt: at(1) }, revoked], at(2))).toBeUndefined()
    expect(resumeWorkspace(workspace, [key])).toBeUndefined()
  })

  it('is completed by a repeat where a restore has put back a key, like resuming', () => {
    const { after } = suspendWorkspace(workspace, [], at(1))!
    const restored = suspendWorkspace(after, [key], at(2))!
    expect([restored.after, restored.keys[0]?.after]).toEqual([after, { ...key, suspendedAt: at(2) }])
    expect(
      resumeWorkspace(
        workspace,
        restored.keys.map((one) => one.after),
      )?.keys[0]?.after,
    ).toEqual(key)
  })

  it('disables endpoints and drops their deliveries; resuming enables the same ones, for later events', () => {
    const endpoint = webhookWith({ failureCount: 0, epoch: 0 })
    const suspended = suspendWebhook(endpoint, at(1))!
    expect(suspended.webhook).toMatchObject({ enabled: false, disabledReason: 'The workspace is suspended.', epoch: 1 })
    expect(suspended.deliveryDrops).toEqual([{ webhookId: endpoint.id, epoch: 1 }])
    expect(suspendWebhook(suspended.webhook, at(2))).toBeUndefined()
    const resumed = resumeWebhook(suspended.webhook, at(3))!
    expect(resumed.webhook).toEqual({
      ...endpoint,
      version: endpoint.version + 2,
      epoch: 1,
      enabledSince: at(3),
      updatedAt: at(3),
    })
    expect(resumeWebhook(resumed.webhook, at(4))).toBeUndefined()
    expect(resumeWebhook(editWebhook(endpoint, { enabled: false }, at(1)).webhook, at(2))).toBeUndefined()
  })
})

describe('a deletion', () => {
  it('revokes the keys and suspends the workspace; a repeat continues without another decision', () => {
    const { after, keys } = deleteWorkspace(workspace, [key, revoked], confirm('Ada'), at(1))!
    expect(after).toEqual({ ...workspace, suspendedAt: at(1), deletedAt: at(1), apiKeysUsed: 0 })
    expect(keys.map((change) => change.after)).toEqual([{ ...key, revokedAt: at(1) }])
    expect(deleteWorkspace(after, [], confirm('Ada'), at(2))).toBeUndefined()
    expect(refusalCodeOf(() => resumeWorkspace(after, []))).toBe('conflict')
    expect(refusalCodeOf(() => suspendWorkspace(after, [], at(2)))).toBe('conflict')
  })

  it('needs the name of the workspace, and no workspace that belongs to it', () => {
    expect(refusalCodeOf(() => deleteWorkspace(workspace, [key], confirm('ada'), at(1)))).toBe('invalid-request')
    const child = { ...workspace, id: 'wsp_child', organizationId: workspace.id }
    expect(refusalCodeOf(() => deleteWorkspace(workspace, [key], confirm('Ada', [child]), at(1)))).toBe('conflict')
    const erased = { ...child, erasedAt: at(0) }
    expect(deleteWorkspace(workspace, [key], confirm('Ada', [erased]), at(1))).toBeDefined()
    expect(refusalCodeOf(() => deleteWorkspace({ ...workspace, erasedAt: at(1) }, [], confirm('Ada'), at(2)))).toBe(
      'conflict',
    )
  })

  it('has states that follow each other', () => {
    const states = [{}, { suspendedAt: at(1) }, { suspendedAt: at(1), deletedAt: at(2) }, { erasedAt: at(3) }]
    expect(states.map((fields) => workspaceState({ ...workspace, ...fields }))).toEqual([
      'active',
      'suspended',
      'deleted',
      'erased',
    ])
  })
})
