/** The decision on the functions of the API names each one, and the numbers of its routes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { apiFunctions, mcpFunction } from '../../lib/infra/api-functions.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/decisions/0039-api-functions.md'), 'utf8')

it('has a row for each function, with the number of its routes', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\d+)/gm)].map(([, name, routes]) => [name, Number(routes)])
  expect(rows).toEqual(apiFunctions.map(({ name, routes }) => [name, Object.keys(routes).length]))
})

it('tells how many functions there are, and how many routes the tools of the MCP server use', () => {
  expect(page).toContain(`derives ${apiFunctions.length} functions`)
  expect(page).toContain(`the ${Object.keys(mcpFunction.routes).length} routes that its tools use`)
})
