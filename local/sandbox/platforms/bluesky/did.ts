// Identifiers of the AT protocol: base32 and did:plc (https://web.plc.directory/spec/v0.1/did-plc).

import { createHash } from 'node:crypto'

export const base32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** A did:plc that depends on the text alone. */
export function didOf(text: string): string {
  const digest = createHash('sha256').update(text).digest().subarray(0, 24)
  return `did:plc:${Array.from(digest, (byte) => base32[byte % 32]).join('')}`
}
