/** The bounds of the headers that a client sends and reads, in characters. */
export const headerLengthsMax = {
  idempotencyKey: 255,
  ifMatch: 2_048,
  prefer: 255,
  quote: 100,
  revision: 64,
  /** One part for each of the three kinds of requests. */
  rateLimit: 300,
} as const
