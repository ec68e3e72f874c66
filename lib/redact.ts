/** Redacts secrets in log texts by pattern. A secret that matches no pattern must never be logged. */

/** Kept prefix of a long hash: enough to find the object, too short to fetch it. */
const hashPrefixLength = 8

const withoutQuery = (word: string) => {
  const start = word.search(/\bhttps?:\/\/[^?#]/i)
  if (start < 0) return word
  const at = start + word.slice(start).search(/[?#]/)
  return at < start || at === word.length - 1 ? word : `${word.slice(0, at)}?…`
}

/** Each reads a text in linear time, since texts of clients and vendors get into logs: a run is tried from its start only. */
const patterns: [pattern: RegExp, replacement: string | ((text: string) => string)][] = [
  // API keys and webhook signing secrets.
  [/\b(rs_live_|whsec_)[\w+/=-]+/g, '$1…'],
  [/\b(Bearer|Basic|DPoP)\s+[\w.~+/=-]+/gi, '$1 …'],
  // JWTs, such as OAuth tokens.
  [/(?<![\w-])(?=[\w-]*?\beyJ[\w-])[\w-]+\.[\w-]+\.[\w-]*/g, (run) => `${run.slice(0, run.search(/\beyJ[\w-]/))}…`],
  [
    /("?\b(?:access_token|refresh_token|client_secret|password|api_?key|token|secret)"?\s*[:=]\s*"?)[^\s"&,}]+/gi,
    '$1…',
  ],
  // Credentials in URLs; query strings, which hold signatures and keys.
  [/(\bhttps?:\/\/)[^\s/@"'?#]+@/gi, '$1…@'],
  [/[^\s"']+/g, (word) => withoutQuery(word)],
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
