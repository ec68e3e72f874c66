/**
 * What the local run enforces: the statements of the roles of functions and container, and for each handler of the API
 * what it needs alone, which is less than its function has. So a route whose row lacks a permission fails locally, though
 * a route beside it has this permission.
 */
import type { Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { bundleEntryName } from '../bundle-paths.ts'
import { ApiStack } from '../stacks/api-stack.ts'
import type { Grant } from './grants.ts'
import { type Policy, type Statement, type TemplateValue, toReadable } from './iam-page.ts'

/** A reduced IAM statement; names in braces are assigned at deployment. */
interface RoleStatement {
  actions: string[]
  resources: string[]
  /** By operator and key. */
  conditions?: Record<string, Record<string, string[]>>
}

interface Resource {
  Type: string
  Properties: Record<string, TemplateValue> & Policy
}

/**
 * Statements by bundle entry name of the handler, or `container` for the tasks; for several deployments, their union.
 */
export function collectRoleStatements(...deployments: Record<string, Stack>[]): Record<string, RoleStatement[]> {
  const roles = new Map<string, Map<string, RoleStatement>>()
  for (const stack of deployments.flatMap(Object.values<Stack>)) {
    for (const [name, statements] of rolesIn(stack)) {
      const known = roles.get(name) ?? new Map()
      for (const statement of statements) known.set(JSON.stringify(statement), statement)
      roles.set(name, known)
    }
  }
  const sorted = [...roles].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([name, statements]) => [name, [...statements.values()]]))
}

function rolesIn(stack: Stack): (readonly [name: string, RoleStatement[]])[] {
  if (stack instanceof ApiStack) return handlersIn(stack)
  const resources: Resource[] = Object.values(Template.fromStack(stack).toJSON().Resources)
  const of = (type: string) => resources.filter(({ Type }) => Type === type).map(({ Properties }) => Properties)
  const policies = of('AWS::IAM::Policy')
  const allowed = (role: TemplateValue | undefined) =>
    policies
      .filter(({ Roles }) => Roles?.some(({ Ref }) => Ref === idOf(role)))
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement.map(roleStatementOf))
      .filter(({ actions }) => !actions.some((action) => action.startsWith('logs:')))
  const functions = of('AWS::Lambda::Function').map(({ Handler, Role }) => [String(Handler), allowed(Role)] as const)
  return [
    // Without the CDK's own functions.
    ...functions
      .filter(([handler]) => /^(pipelines|workers)-/.test(handler))
      .map(([handler, statements]) => [handler.replace(/\.handler$/, ''), statements] as const),
    ...of('AWS::ECS::TaskDefinition').map(({ TaskRoleArn }) => ['container', allowed(TaskRoleArn)] as const),
  ]
}

const handlersIn = (stack: ApiStack) =>
  [...stack.grantsByHandler].map(([handler, grants]) => {
    const statements = grants.map((grant) => roleStatementOf(templateStatement(stack, grant)))
    return [bundleEntryName(`functions/api/${handler}.ts`), statements] as const
  })

/** A grant as it stands in a template of the stack. */
export const templateStatement = (stack: Stack, { actions, resources, conditions }: Grant): Statement => ({
  Effect: 'Allow',
  Action: [...actions],
  Resource: stack.resolve(resources),
  ...(conditions && { Condition: stack.resolve(conditions) }),
})

const idOf = (role: TemplateValue | undefined) =>
  (role as { 'Fn::GetAtt'?: [string, string] } | undefined)?.['Fn::GetAtt']?.[0]

function roleStatementOf({ Action, Resource = [], Condition }: Statement): RoleStatement {
  const conditions = Object.entries(Condition ?? {}).map(([operator, keys]) => {
    const values = Object.entries(keys).map(([key, value]) => [key, [value].flat().map(toReadable)] as const)
    return [operator, Object.fromEntries(values)] as const
  })
  return {
    actions: [Action].flat().toSorted(),
    resources: [Resource].flat().map(toReadable),
    ...(conditions.length > 0 && { conditions: Object.fromEntries(conditions) }),
  }
}
