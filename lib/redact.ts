/** A text as it may be logged. It knows the shapes of what grants something; a secret without a shape must not get here. */

/** What is kept of a long hash: enough to find the object by, too little to fetch it with. */
const hashPrefixLength = 8

const patterns: [shape: RegExp, instead: string | ((text: string) => string)][] = [
  // Keys of the API, and the secrets that sign webhooks.
  [/\b(rs_live_|whsec_)[\w+/=-]+/g, '$1…'],
  [/\b(Bearer|Basic|DPoP)\s+[\w.~+/=-]+/gi, '$1 …'],
  // Tokens of OAuth.
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '…'],
  [
    /("?\b(?:access_token|refresh_token|client_secret|password|api_?key|token|secret)"?\s*[:=]\s*"?)[^\s"&,}]+/gi,
    '$1…',
  ],
  // Whatever is signed, or asked with a key, says so behind the question mark.
  [/(\bhttps?:\/\/)[^\s/@"'?#]+@/gi, '$1…@'],
  [/(\bhttps?:\/\/[^\s"'?#]+)[?#][^\s"']+/gi, '$1?…'],
  // Whoever knows the whole name of an object can fetch it.
  [/\b[0-9a-f]{32,}\b/g, (hash) => `${hash.slice(0, hashPrefixLength)}…`],
]

export const redact = (text: string): string =>
  patterns.reduce(
    (left, [shape, instead]) =>
      typeof instead === 'string' ? left.replace(shape, instead) : left.replace(shape, instead),
    text,
  )
