/** API keys are created and revoked by other keys, or by the operator. */
import { describe, expect, it } from 'vitest'
import type { ApiKey } from '../../../lib/domain/records/api-key.ts'
import { requireAdmin } from '../../../lib/domain/workspaces/api-key.ts'
import { decideNewApiKey, decideRevocation } from '../../../lib/domain/workspaces/api-key-lifecycle.ts'
import { refusalCodeOf, refusalOf } from '../../support/refusals.ts'
import { at, workspaceOn } from '../support/videos.ts'

const keyOf = (id: string, fields: Partial<ApiKey> = {}): ApiKey => ({
  id,
  workspaceId: 'wsp_1',
  name: 'A client',
  hash: `hash of ${id}`,
  lastFour: 'abcd',
  createdAt: at(0),
  revokedAt: null,
  ...fields,
})
const acting = keyOf('key_admin', { scope: 'admin' })

describe('a new key', () => {
  it('is stored only while the key of the request is valid', () => {
    const key = keyOf('key_1')
    const { changes, actingKey } = decideNewApiKey(workspaceOn('starter'), key, acting)
    expect(changes).toEqual([{ record: 'apiKey', before: undefined, after: key }])
    expect(actingKey).toBe(acting)
  })

  it.each([
    ['limit-reached', { apiKeysUsed: 25 }],
    ['conflict', { suspendedAt: at(1) }],
    ['conflict', { deletedAt: at(1), suspendedAt: at(1) }],
  ])('%s: the workspace has %o', (code, fields) => {
    expect(refusalCodeOf(() => decideNewApiKey(workspaceOn('starter', fields), keyOf('key_1'), acting))).toBe(code)
    expect(refusalCodeOf(() => decideNewApiKey(workspaceOn('starter', fields), keyOf('key_1')))).toBe(code)
  })
})

it('a key of a deleted workspace is refused for that reason, not because it is suspended, too', () => {
  const messageOf = (fields: { suspendedAt?: string; deletedAt?: string }) =>
    refusalOf(() => decideNewApiKey(workspaceOn('starter', fields), keyOf('key_1')))?.message
  expect(messageOf({ suspendedAt: at(1) })).toContain('suspended')
  expect(messageOf({ suspendedAt: at(1), deletedAt: at(1) })).toContain('deleted')
  expect(
    refusalCodeOf(() => decideNewApiKey(workspaceOn('starter', { apiKeysUsed: 24 }), keyOf('key_1'))),
  ).toBeUndefined()
})

describe('a revocation', () => {
  it('happens once', () => {
    const decision = decideRevocation(keyOf('key_1'), at(5), acting)
    expect(decision?.key.revokedAt).toBe(at(5))
    expect(decideRevocation(decision!.key, at(6), acting)).toBeUndefined()
  })

  it('conflict: a key does not revoke itself; the operator may revoke any', () => {
    expect(refusalCodeOf(() => decideRevocation(acting, at(5), acting))).toBe('conflict')
    expect(decideRevocation(acting, at(5))?.key.revokedAt).toBe(at(5))
  })
})

it('a key of an older release has no scope, and cannot manage keys', () => {
  expect(refusalCodeOf(() => requireAdmin(keyOf('key_1')))).toBe('missing-scope')
  expect(refusalCodeOf(() => requireAdmin(keyOf('key_1', { scope: 'standard' })))).toBe('missing-scope')
  expect(refusalCodeOf(() => requireAdmin(acting))).toBeUndefined()
})
