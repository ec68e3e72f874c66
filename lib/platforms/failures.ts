/** The two ways in which a request to a platform ends without an answer: the difference decides whether it may be sent again. */

/** It broke off before the platform could have acted on it. */
export class NotSent extends Error {
  override name = 'NotSent'
}

/** It was sent, and no whole answer came: the platform may have acted on it. */
export class NoResponse extends Error {
  override name = 'NoAnswer'
}

/** Neither is a word of the platform's. */
export const isUnanswered = (error: unknown): error is NotSent | NoResponse =>
  error instanceof NotSent || error instanceof NoResponse
