/** Whose connection a user is who comes back without a key. */
import { describe, expect, it } from 'vitest'
import {
  hashState,
  mintRandomToken,
  type PendingConnection,
  requirePendingConnection,
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

describe('a connection that was begun', () => {
  it('is claimed on its platform within its time', () => {
    expect(requirePendingConnection(pending, 'tiktok', now)).toBe(pending)
  })

  it('404 where there is none, it is over, or it is of another platform', () => {
    expect(() => requirePendingConnection(undefined, 'tiktok', now)).toThrow(notFound)
    expect(() => requirePendingConnection(pending, 'tiktok', pending.expiresAt)).toThrow(notFound)
    expect(() => requirePendingConnection(pending, 'twitter', now)).toThrow(notFound)
  })

  it('has a state that nobody guesses, and that cannot be read from what is kept', () => {
    expect(mintRandomToken()).toMatch(/^[\w-]{43}$/)
    expect(mintRandomToken()).not.toBe(mintRandomToken())
    expect(hashState('state')).toMatch(/^[0-9a-f]{64}$/)
  })
})
