/**
 * The generated files with the roles' permissions, for readers and for the local run. Written by `npm run docs`; a test
 * compares them.
 */
import { App } from 'aws-cdk-lib'
import cdk from '../../../cdk.json' with { type: 'json' }
import type { ProviderChoice } from '../../domain/generation/provider-choice.ts'
import { createStacks } from '../stacks/create-stacks.ts'
import { iamPage } from './iam-page.ts'
import { externalProviders, openAiProviders } from './provider-grants.ts'
import { collectRoleStatements } from './role-statements.ts'

/** File contents by path. The functions must be bundled, because the CDK checks that their code exists. */
export function generatedIamFiles(): Record<string, string> {
  const builtIn = deployment({})
  const roles = collectRoleStatements(
    builtIn,
    deployment(externalProviders),
    deployment({ animator: 'fal', avatars: 'fal', ...openAiProviders }),
  )
  return { 'docs/reference/iam.md': iamPage(builtIn), 'local/roles.json': rolesJson(roles) }
}

/** One statement a line, so that a diff shows which statements change. */
function rolesJson(roles: Record<string, object[]>): string {
  const members = Object.entries(roles).map(([role, statements]) => {
    const lines = statements.map((statement) => `\n    ${JSON.stringify(statement)}`).join(',')
    return `  ${JSON.stringify(role)}: [${lines && `${lines}\n  `}]`
  })
  return `{\n${members.join(',\n')}\n}\n`
}

function deployment(providers: Partial<ProviderChoice>) {
  const context = { ...cdk.context, providers, stage: 'test', 'aws:cdk:disable-asset-staging': true }
  return createStacks(new App({ context, builtinCloudFormationValidation: false }))
}
