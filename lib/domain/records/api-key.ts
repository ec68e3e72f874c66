/** The stored record of an API key. The key itself is stored nowhere. */

/** `standard` takes every route but those of keys; `admin` takes these, too. */
export const apiKeyScopes = ['standard', 'admin'] as const

export type ApiKeyScope = (typeof apiKeyScopes)[number]

export interface ApiKey {
  id: string
  workspaceId: string
  name: string
  /** Absent in keys of older releases, which are `standard`. */
  scope?: ApiKeyScope
  /** SHA-256 of the whole key, hex. The key itself is stored nowhere. */
  hash: string
  /** The last four characters, which identify a key for users. */
  lastFour: string
  createdAt: string
  revokedAt: string | null
  /** Set while its workspace is suspended. */
  suspendedAt?: string
}
