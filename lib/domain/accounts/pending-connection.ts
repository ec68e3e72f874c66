/** A started OAuth connection. The callback carries no API key: the OAuth `state` alone identifies the connection. */
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

/** The user was sent to the platform's consent page. */
export interface PendingConsent extends Pending {
  /** PKCE verifier: a code that leaks from the browser history is useless without it. */
  sealedVerifier: string
  /** Sent again, unchanged, when the code is exchanged. */
  redirectUri: string
}

/** The user has consented and has to choose one of several accounts. */
interface PendingChoice extends Pending {
  sealedAccounts: string
}

export type PendingConnection = PendingConsent | PendingChoice

export const connectionTtlMinutes = 10

/** 32 random bytes in base64url, for a state or a PKCE verifier. */
export const mintRandomToken = (): string => randomBytes(32).toString('base64url')

/** Only the hash of a state is stored. */
export const hashState = (state: string): string => createHash('sha256').update(state).digest('hex')

/** Encryption context of the values that are sealed until the callback. */
export const consentSealingContext = (stateHash: string) => ({ purpose: 'consent', connection: stateHash })

/** Refuses with one and the same 404 a connection that is unknown, expired or for another platform. */
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
