/**
 * Scans the repository for secrets: keys of this API, webhook secrets, and keys of other services that have a known format. `npm test` runs
 * it; `node scripts/scan-secrets.ts` prints the findings.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isWellFormedApiKey } from '../lib/domain/workspaces/api-key.ts'

const root = join(import.meta.dirname, '..')

interface SecretPattern {
  what: string
  pattern: RegExp
  /** For patterns that other text matches too. */
  isReal?: (text: string) => boolean
}

const secretPatterns: SecretPattern[] = [
  // The checksum distinguishes a key from an example.
  { what: 'a key of this API', pattern: /\brs_live_[0-9A-Za-z]{36,}/g, isReal: isWellFormedApiKey },
  { what: 'a webhook secret', pattern: /\bwhsec_[0-9A-Za-z+/]{32,}={0,2}/g },
  { what: 'an access key of AWS', pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  { what: 'a secret key of AWS', pattern: /aws_?secret_?access_?key["'\s:=]+[0-9A-Za-z+/]{40}\b/gi },
  { what: 'a private key', pattern: /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s*[0-9A-Za-z+/=]{16,}/g },
  { what: 'a token of GitHub', pattern: /\b(?:gh[pousr]_[0-9A-Za-z]{36}|github_pat_\w{60,})/g },
  { what: 'a token of npm', pattern: /\bnpm_[0-9A-Za-z]{36}\b/g },
  { what: 'a key of Google', pattern: /\bAIza[\w-]{35}\b/g },
  { what: 'a token of Slack', pattern: /\bxox[abprs]-[0-9A-Za-z-]{10,}/g },
  { what: 'a token of Meta', pattern: /\bEAA[0-9A-Za-z]{60,}/g },
  { what: 'a signed token', pattern: /\beyJ[\w-]{15,}\.eyJ[\w-]{15,}\.[\w-]{20,}/g },
]

/** Not secrets: test vectors of docs/guides/webhooks.md, whose bytes count up or down. */
const examples = new Set([
  'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  'whsec_//79/Pv6+fj39vX08/Lx8O/u7ezr6uno5+bl5OPi4eA=',
])

interface Finding {
  file: string
  line: number
  what: string
}

export function secretsIn(file: string, text: string): Finding[] {
  return secretPatterns.flatMap(({ what, pattern, isReal = () => true }) =>
    Array.from(text.matchAll(pattern))
      .filter(([found]) => isReal(found) && !examples.has(found))
      .map(({ index }) => ({ file, line: text.slice(0, index).split('\n').length, what })),
  )
}

/** Scans every tracked file and every new file that is not ignored. Binary files are included, because they may contain text. */
export function scanRepository(): Finding[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 24 }).split('\0')
  return listed.filter(Boolean).flatMap((file) => secretsIn(file, textOf(file)))
}

/** Empty for a deleted file that git still lists. */
function textOf(file: string): string {
  try {
    return readFileSync(join(root, file), 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

if (import.meta.main) {
  const found = scanRepository()
  if (found.length > 0) console.table(found)
  process.exitCode = found.length > 0 ? 1 : 0
}
