/**
 * `npm run sbom`: writes the packages of production with versions and licences to `out/sbom.json` (CycloneDX). The same lockfile gives the
 * same bytes, so two files can be compared.
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

interface Bom {
  serialNumber?: string
  metadata: { timestamp?: string; component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/** The bill of materials that npm derives from the lockfile, without packages that only tests or builds need. */
export function readBom(): Bom {
  // npm's --omit=dev also omits packages that production shares with development.
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx']
  const output = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  return normalizeBom(inProduction(JSON.parse(output)))
}

function inProduction(bom: Bom): Bom {
  const components = bom.components.filter(
    ({ properties = [] }) => !properties.some(({ name }) => name === 'cdx:npm:package:development'),
  )
  const refs = new Set([bom.metadata.component, ...components].map((component) => component['bom-ref']))
  const dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }))
  return { ...bom, components, dependencies }
}

/** Removes the time and the folder name, and derives the serial number from the contents. */
export function normalizeBom({ serialNumber: _serial, metadata, ...rest }: Bom): Bom {
  const { timestamp: _time, ...stable } = metadata
  const bom = { ...rest, metadata: { ...stable, component: { ...stable.component, name: packages.name } } }
  const hex = createHash('sha256').update(JSON.stringify(bom)).digest('hex')
  // A UUID of version 8, whose bits are free for custom use: https://www.rfc-editor.org/rfc/rfc9562#section-5.8
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
