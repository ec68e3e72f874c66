/** Identifies the stored response of a request with an idempotency key, within its workspace. */
export interface IdempotencyScope {
  method: string
  /** With the version segment, without the query. */
  path: string
  key: string
  /** SHA-256 of the request body. Not part of the identity: the same key with another body is marked as a mismatch. */
  bodyHash: string
}
