/** The two errors of a platform request that gets no response. The difference decides whether it may be repeated. */

/** It failed before the platform could have acted on it. */
export class NotSent extends Error {
  override name = 'NotSent'
}

/** It was sent, but no complete response arrived: the platform may have acted on it. */
export class NoResponse extends Error {
  /** Appears in logs and stored errors, so it keeps its older value. */
  override name = 'NoAnswer'
}

/** Whether the request failed without a statement of the platform. */
export const isUnanswered = (error: unknown): error is NotSent | NoResponse =>
  error instanceof NotSent || error instanceof NoResponse
