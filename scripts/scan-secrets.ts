/**
 * Looks for secrets in what is under version control, or would be: keys of this API, secrets of webhooks, and the keys of others that are known
 * by their form. `npm test` runs it; `node scripts/scan-secrets.ts` prints what it finds.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isWellFormedApiKey } from '../lib/domain/workspaces/api-key.ts'

const root = join(import.meta.dirname, '..')

interface Form {
  what: string
  pattern: RegExp
  /** For forms that other text has as well. */
  isReal?: (text: string) => boolean
}

const secretPatterns: Form[] = [
  // The checksum tells a key from an example.
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

/** Secrets that are none: bytes that count up or down, in the test vectors of docs/webhooks.md. */
const examples = new Set([
  'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  'whsec_//79/Pv6+fj39vX08/Lx8O/u7ezr6uno5+bl5OPi4eA=',
])

export interface Finding {
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

/** Every file that is tracked, or new and not ignored; pictures and sounds among them, since they may hold text. */
export function scanRepository(): Finding[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 24 }).split('\0')
  return listed.filter(Boolean).flatMap((file) => secretsIn(file, textOf(file)))
}

/** Of a file that was removed, but not yet for git: nothing. */
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
