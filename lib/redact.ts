/** Redacts secrets in log texts by pattern. A secret that matches no pattern must never be logged. */

/** Kept prefix of a long hash: enough to find the object, too short to fetch it. */
const hashPrefixLength = 8

const patterns: [pattern: RegExp, replacement: string | ((text: string) => string)][] = [
  // API keys and webhook signing secrets.
  [/\b(rs_live_|whsec_)[\w+/=-]+/g, '$1…'],
  [/\b(Bearer|Basic|DPoP)\s+[\w.~+/=-]+/gi, '$1 …'],
  // JWTs, such as OAuth tokens.
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '…'],
  [
    /("?\b(?:access_token|refresh_token|client_secret|password|api_?key|token|secret)"?\s*[:=]\s*"?)[^\s"&,}]+/gi,
    '$1…',
  ],
  // Credentials in URLs; query strings, which hold signatures and keys.
  [/(\bhttps?:\/\/)[^\s/@"'?#]+@/gi, '$1…@'],
  [/(\bhttps?:\/\/[^\s"'?#]+)[?#][^\s"']+/gi, '$1?…'],
  // Object keys contain hashes; a whole key would allow fetching the object.
  [/\b[0-9a-f]{32,}\b/g, (hash) => `${hash.slice(0, hashPrefixLength)}…`],
]

export const redact = (text: string): string =>
  patterns.reduce(
    (remaining, [pattern, replacement]) =>
      typeof replacement === 'string'
        ? remaining.replace(pattern, replacement)
        : remaining.replace(pattern, replacement),
    text,
  )
