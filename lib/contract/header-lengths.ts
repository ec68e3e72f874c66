/** The bounds of the headers that a client sends, in characters. */
export const headerLengthsMax = { idempotencyKey: 255, ifMatch: 2_048, prefer: 255, quote: 100 } as const
