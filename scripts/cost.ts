/**
 * `npm run cost`: computes what things cost, from measured figures, the templates and a table of prices, and writes docs/cost.md. Running it
 * twice changes nothing; a test fails while the committed page differs from what it would write.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { kept } from '../bench/result-files.ts'
import { type Items, itemsOf, type Measured } from './cost/items.ts'
import { costPage } from './cost/page.ts'
import { resourcesOfDeployment } from './cost/templates.ts'

function whole<Name extends keyof Measured>(name: Name): Measured[Name] {
  const result = kept(name)
  if (!result) throw new Error(`Nothing was kept yet: run npm run bench:${name} -- keep.`)
  return result as Measured[Name]
}

export const measured: Measured = { usage: whole('usage'), render: whole('render'), generate: whole('generate') }

export async function priced(): Promise<{ items: Items; page: string }> {
  const items = itemsOf(measured, await resourcesOfDeployment())
  return { items, page: costPage(items, measured) }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { page } = await priced()
  writeFileSync(join(import.meta.dirname, '../docs/cost.md'), page)
  console.log(page.slice(0, page.indexOf('## How')))
}
