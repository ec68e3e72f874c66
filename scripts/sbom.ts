/**
 * `npm run sbom`: writes what this service is made of, with versions and licences, as CycloneDX to `out/sbom.json`. From the same lockfile comes
 * the same file, byte for byte: so two of them can be compared.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import packages from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')
const file = 'out/sbom.json'

interface Component {
  name: string
  version: string
  'bom-ref': string
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[]
  properties?: { name: string; value: string }[]
}

export interface Bom {
  serialNumber?: string
  metadata: { timestamp?: string; component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/** What npm says of the lockfile: what runs in production, and nothing that only tests or builds need. */
export function readBom(): Bom {
  // npm's own --omit=dev leaves out what development needs as well.
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx']
  const output = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  return normalizeBom(inProduction(JSON.parse(output)))
}

function inProduction(bom: Bom): Bom {
  const components = bom.components.filter(
    ({ properties = [] }) => !properties.some(({ name }) => name === 'cdx:npm:package:development'),
  )
  const kept = new Set([bom.metadata.component, ...components].map((component) => component['bom-ref']))
  const dependencies = bom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }))
  return { ...bom, components, dependencies }
}

/** Without the time and the folder of its making; numbered by its contents. */
export function normalizeBom({ serialNumber: _serial, metadata, ...rest }: Bom): Bom {
  const { timestamp: _time, ...told } = metadata
  const bom = { ...rest, metadata: { ...told, component: { ...told.component, name: packages.name } } }
  const hex = createHash('sha256').update(JSON.stringify(bom)).digest('hex')
  // A UUID of version 8, which is free to say what it likes: https://www.rfc-editor.org/rfc/rfc9562#section-5.8
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  return { serialNumber: `urn:uuid:${uuid}`, ...bom }
}

export const licenceOf = ({ licenses = [] }: Component): string =>
  licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name).join(', ') || 'none'

if (import.meta.main) {
  const bom = readBom()
  mkdirSync(join(root, 'out'), { recursive: true })
  writeFileSync(join(root, file), `${JSON.stringify(bom, null, 2)}\n`)
  const byLicence = Map.groupBy(bom.components, licenceOf)
  console.table(Object.fromEntries(Array.from(byLicence, ([licence, { length }]) => [licence, { packages: length }])))
  console.log(`${bom.components.length} packages in ${file}`)
}
