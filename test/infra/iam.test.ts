/** What roles may do changes only where docs/iam.md changes with it: whoever reviews a change reads it there. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../lib/infra/function-files.ts'
import { iamPage } from '../../lib/infra/iam-page.ts'
import { deployment, resourcesOf } from './support.ts'

const { stacks } = await deployment()
const page = iamPage(stacks)

it('docs/iam.md is what `npm run docs` writes', () => {
  expect(readFileSync(join(root, 'docs/iam.md'), 'utf8')).toBe(page)
})

it('every role is on the page, and every function has one of its own', () => {
  const roles = Object.values(stacks).flatMap((stack) => resourcesOf(stack, 'AWS::IAM::Role'))
  for (const [id] of roles) expect(page).toContain(`| ${id.replace(/[0-9A-F]{8}$/, '')} | is that of |`)
  const used = Object.values(stacks).flatMap((stack) =>
    resourcesOf(stack, 'AWS::Lambda::Function').map(([, { Properties }]) => Properties.Role['Fn::GetAtt'][0]),
  )
  expect(used.length).toBeGreaterThan(50)
  expect(new Set(used).size).toBe(used.length)
})
