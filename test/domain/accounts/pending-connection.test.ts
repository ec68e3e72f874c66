/** Pending connections: they identify the user who returns from the platform without an API key. */
import { describe, expect, it } from 'vitest'
import {
  hashState,
  mintRandomToken,
  type PendingConnection,
  requirePendingChoice,
  requirePendingConnection,
  requirePendingConsent,
} from '../../../lib/domain/accounts/pending-connection.ts'

const now = '2026-11-20T12:00:00.000Z'
const pending: PendingConnection = {
  workspaceId: 'wsp_1',
  profileId: 'prf_1',
  platform: 'tiktok',
  sealedVerifier: 'sealed',
  redirectUri: 'https://api.example.com/v1/connections/tiktok/callback',
  expiresAt: '2026-11-20T12:00:00.001Z',
}
const notFound = expect.objectContaining({ code: 'not-found' })

describe('a pending connection', () => {
  it('can be claimed on its platform before it expires', () => {
    expect(requirePendingConnection(pending, 'tiktok', now)).toBe(pending)
  })

  it('404: it is missing, expired or belongs to another platform', () => {
    expect(() => requirePendingConnection(undefined, 'tiktok', now)).toThrow(notFound)
    expect(() => requirePendingConnection(pending, 'tiktok', pending.expiresAt)).toThrow(notFound)
    expect(() => requirePendingConnection(pending, 'twitter', now)).toThrow(notFound)
  })

  it('is at one of two steps: the consent of the user, or the choice of an account', () => {
    const { workspaceId, profileId, platform, expiresAt } = pending
    const choice: PendingConnection = { workspaceId, profileId, platform, expiresAt, sealedAccounts: 'sealed' }
    expect(requirePendingConsent(pending)).toBe(pending)
    expect(requirePendingChoice(choice)).toBe(choice)
    expect(() => requirePendingConsent(choice)).toThrow(notFound)
    expect(() => requirePendingChoice(pending)).toThrow(notFound)
  })

  it('has a state that cannot be guessed or derived from what is stored', () => {
    expect(mintRandomToken()).toMatch(/^[\w-]{43}$/)
    expect(mintRandomToken()).not.toBe(mintRandomToken())
    expect(hashState('state')).toMatch(/^[0-9a-f]{64}$/)
  })
})
