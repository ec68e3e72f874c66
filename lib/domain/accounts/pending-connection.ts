/** A connection that a user has begun: who comes back to it has no key, and is known by its state alone. */
import { createHash, randomBytes } from 'node:crypto'
import type { PlatformId } from '../core/platform.ts'
import { notFound } from '../core/refusal.ts'

interface Pending {
  workspaceId: string
  profileId: string
  platform: PlatformId
  /** ISO. */
  expiresAt: string
}

/** The user is at the platform. */
export interface PendingConsent extends Pending {
  /** Of PKCE: whoever reads the address in a browser's history must not be able to take the code to the platform. */
  sealedVerifier: string
  /** The platform wants it again, letter by letter, with the code. */
  redirectUri: string
}

/** The user is back, and has to say which of several accounts it is to be. */
export interface PendingChoice extends Pending {
  sealedAccounts: string
}

export type PendingConnection = PendingConsent | PendingChoice

export const connectionTtlMinutes = 10

/** 32 random bytes, for a state or a verifier. */
export const mintRandomToken = (): string => randomBytes(32).toString('base64url')

/** What is kept of a state. */
export const hashState = (state: string): string => createHash('sha256').update(state).digest('hex')

/** The context of what is sealed until the user comes back. */
export const consentSealingContext = (stateHash: string) => ({ purpose: 'consent', connection: stateHash })

/** Refuses what was never begun, is over, or is for another platform: one and the same answer. */
export function requirePendingConnection(
  pending: PendingConnection | undefined,
  platform: string,
  now: string,
): PendingConnection {
  if (!pending || pending.platform !== platform || pending.expiresAt <= now) throw notFound('connection')
  return pending
}

export function requirePendingConsent(pending: PendingConnection): PendingConsent {
  if (!('sealedVerifier' in pending)) throw notFound('connection')
  return pending
}

export function requirePendingChoice(pending: PendingConnection): PendingChoice {
  if (!('sealedAccounts' in pending)) throw notFound('connection')
  return pending
}
