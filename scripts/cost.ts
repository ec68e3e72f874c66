/**
 * `npm run cost`: computes costs from measured figures, the templates and a table of prices, and writes docs/operations/cost.md. It is
 * idempotent; a test fails while the committed page differs from its output.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readResult } from '../bench/result-files.ts'
import { type CostItems, costItems, type MeasuredResults } from './cost/items.ts'
import { costPage } from './cost/page.ts'
import { synthesizeResources } from './cost/templates.ts'

function requireResult<Name extends keyof MeasuredResults>(name: Name): MeasuredResults[Name] {
  const result = readResult(name)
  if (!result) throw new Error(`bench/results has no result of ${name}. Run: npm run bench:${name} -- keep`)
  return result as MeasuredResults[Name]
}

export const measuredResults: MeasuredResults = {
  usage: requireResult('usage'),
  render: requireResult('render'),
  edits: requireResult('edits'),
  generate: requireResult('generate'),
}

export async function computeCosts(): Promise<{ items: CostItems; page: string }> {
  const items = costItems(measuredResults, await synthesizeResources())
  return { items, page: costPage(items, measuredResults) }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { page } = await computeCosts()
  writeFileSync(join(import.meta.dirname, '../docs/operations/cost.md'), page)
  console.log(page.slice(0, page.indexOf('## How')))
}
