/** The permissions of roles change only together with docs/reference/iam.md, where a reviewer reads them. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mcpFunction } from '../../lib/infra/api-functions.ts'
import { bundleEntryName, repositoryRoot } from '../../lib/infra/bundle-paths.ts'
import { generatedIamFiles } from '../../lib/infra/iam/generated-files.ts'
import { resourcesOf, synthesizeDeployment } from './synthesized-stacks.ts'

const { stacks } = await synthesizeDeployment()
const files = generatedIamFiles()

it.each(Object.entries(files))('%s is what `npm run docs` writes', (file, text) => {
  expect(readFileSync(join(repositoryRoot, file), 'utf8')).toBe(text)
})

it('the local run knows the role of every handler, and that of the container', () => {
  const roles = Object.keys(JSON.parse(files['local/roles.json']!))
  const functions = globSync('functions/**/*.ts', { cwd: repositoryRoot }).map(bundleEntryName)
  expect(roles).toEqual(
    [...functions, bundleEntryName(`functions/api/${mcpFunction.protocol}.ts`), 'container'].toSorted(),
  )
})

it('every role is on the page, and every function has its own', () => {
  const roles = Object.values(stacks).flatMap((stack) => resourcesOf(stack, 'AWS::IAM::Role'))
  for (const [id] of roles)
    expect(files['docs/reference/iam.md']).toContain(`| ${id.replace(/[0-9A-F]{8}$/, '')} | is assumed by |`)
  const used = Object.values(stacks).flatMap((stack) =>
    resourcesOf(stack, 'AWS::Lambda::Function').map(([, { Properties }]) => Properties.Role['Fn::GetAtt'][0]),
  )
  expect(used.length).toBeGreaterThan(35)
  expect(new Set(used).size).toBe(used.length)
})
