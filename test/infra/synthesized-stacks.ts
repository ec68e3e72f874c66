/** One deployment, synthesised in memory. */
import { existsSync, mkdirSync } from 'node:fs'
import { App, type Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { bundle } from '../../bin/bundle.ts'
import cdk from '../../cdk.json' with { type: 'json' }
import {
  bundleEntryName,
  bundleFolder,
  functionsFolder,
  studioFolder,
  voicesLayerFolder,
} from '../../lib/infra/bundle-paths.ts'
import { templateStatement } from '../../lib/infra/iam/role-statements.ts'
import type { ApiStack } from '../../lib/infra/stacks/api-stack.ts'
import { createStacks } from '../../lib/infra/stacks/create-stacks.ts'

/** Templates are plain JSON of many shapes, and the library types them as such. */
export interface SynthesizedResource {
  Type: string
  Properties: ReturnType<Template['toJSON']>
  DeletionPolicy?: string
  UpdateReplacePolicy?: string
}

const deployments = new Map<string, ReturnType<typeof synthesize>>()
const templates = new WeakMap<Stack, Template>()

/** One per context for all files of a process, because a synthesis takes seconds. Tests only read it. */
export function synthesizeDeployment(chosen: Record<string, unknown> = {}): ReturnType<typeof synthesize> {
  const context = JSON.stringify(chosen)
  const deployment = deployments.get(context) ?? synthesize(chosen)
  deployments.set(context, deployment)
  return deployment
}

/** The templates depend on the existence of the bundle, but not on its content. */
async function synthesize(chosen: Record<string, unknown>) {
  if (![functionsFolder, voicesLayerFolder].every((folderIn) => existsSync(folderIn(bundleFolder)))) await bundle()
  // `npm run synth` and `npm run deploy` build it.
  mkdirSync(studioFolder(bundleFolder), { recursive: true })
  const context = { ...cdk.context, ...chosen, stage: 'test', 'aws:cdk:disable-asset-staging': true }
  // The built-in validation takes five seconds for each stack; a test below runs it once for all.
  const app = new App({ context, builtinCloudFormationValidation: false })
  return { app, stacks: createStacks(app) }
}

export function resourcesOf(stack: Stack, type?: string): [id: string, resource: SynthesizedResource][] {
  const template = templates.get(stack) ?? Template.fromStack(stack)
  templates.set(stack, template)
  const resources: Record<string, SynthesizedResource> = template.toJSON().Resources
  return Object.entries(resources).filter(([, { Type }]) => type === undefined || Type === type)
}

export interface PolicyStatement {
  Action: string | string[]
  Resource: unknown
  Condition?: Record<string, Record<string, unknown>>
}

/** The permissions of each role, by its id. */
export function statementsByRole(stacks: Record<string, Stack>): Map<string, PolicyStatement[]> {
  const statements = new Map<string, PolicyStatement[]>()
  for (const stack of Object.values(stacks))
    for (const [, { Properties }] of resourcesOf(stack, 'AWS::IAM::Policy'))
      for (const { Ref } of Properties.Roles)
        statements.set(Ref, [...(statements.get(Ref) ?? []), ...Properties.PolicyDocument.Statement])
  return statements
}

/**
 * The permissions behind each entry of the bundle: of a function those of its role, and of a route what it needs alone.
 */
export function statementsByEntry(stacks: { api: ApiStack } & Record<string, Stack>): Map<string, PolicyStatement[]> {
  const ofRoles = statementsByRole(stacks)
  return new Map([
    ...[...rolesByFunction(stacks)].map(([name, role]) => [name, ofRoles.get(role) ?? []] as const),
    ...[...stacks.api.grantsByHandler].map(([handler, grants]) => {
      const statements = grants.map((grant) => templateStatement(stacks.api, grant) as PolicyStatement)
      return [bundleEntryName(`functions/api/${handler}.ts`), statements] as const
    }),
  ])
}

/** The name of a function's bundle. That of the container image has none. */
export const entryOf = ({ Handler, PackageType }: { Handler?: string; PackageType?: string }): string =>
  PackageType === 'Image' ? 'media-function' : Handler!.replace(/\.handler$/, '')

/** The id of the role of each function, by the name of its bundle. */
export const rolesByFunction = (stacks: Record<string, Stack>): Map<string, string> =>
  new Map(
    Object.values(stacks).flatMap((stack) =>
      resourcesOf(stack, 'AWS::Lambda::Function').map(([, { Properties }]): [string, string] => [
        entryOf(Properties),
        Properties.Role['Fn::GetAtt'][0],
      ]),
    ),
  )
