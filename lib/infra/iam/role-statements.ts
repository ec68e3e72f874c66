/** What the role of each function, and of the container, may do: the local run holds its programs to it. */
import type { Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { type Policy, type Statement, type TemplateValue, toReadable } from './iam-page.ts'

/** As in a statement of IAM; what is known at deployment only is named in braces. */
export interface RoleStatement {
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
 * By the name under which the bundle has the function; `container` is that of the tasks. Of several deployments: what a role may do in
 * one of them.
 */
export function collectRoleStatements(...deployments: Record<string, Stack>[]): Record<string, RoleStatement[]> {
  const roles = new Map<string, Map<string, RoleStatement>>()
  for (const stack of deployments.flatMap(Object.values<Stack>)) {
    for (const [name, allowances] of rolesIn(stack)) {
      const known = roles.get(name) ?? new Map()
      for (const allowance of allowances) known.set(JSON.stringify(allowance), allowance)
      roles.set(name, known)
    }
  }
  const inOrder = [...roles].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(inOrder.map(([name, allowances]) => [name, [...allowances.values()]]))
}

function rolesIn(stack: Stack): (readonly [name: string, RoleStatement[]])[] {
  const resources: Resource[] = Object.values(Template.fromStack(stack).toJSON().Resources)
  const of = (type: string) => resources.filter(({ Type }) => Type === type).map(({ Properties }) => Properties)
  const policies = of('AWS::IAM::Policy')
  const allowed = (role: TemplateValue | undefined) =>
    policies
      .filter(({ Roles }) => Roles?.some(({ Ref }) => Ref === idOf(role)))
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement.map(allowanceOf))
      .filter(({ actions }) => !actions.some((action) => action.startsWith('logs:')))
  const functions = of('AWS::Lambda::Function').map(({ Handler, Role }) => [String(Handler), allowed(Role)] as const)
  return [
    // What the CDK itself brings along has no part in the product.
    ...functions
      .filter(([handler]) => /^(api|pipelines|workers)-/.test(handler))
      .map(([handler, allowances]) => [handler.replace(/\.handler$/, ''), allowances] as const),
    ...of('AWS::ECS::TaskDefinition').map(({ TaskRoleArn }) => ['container', allowed(TaskRoleArn)] as const),
  ]
}

const idOf = (role: TemplateValue | undefined) =>
  (role as { 'Fn::GetAtt'?: [string, string] } | undefined)?.['Fn::GetAtt']?.[0]

function allowanceOf({ Action, Resource = [], Condition }: Statement): RoleStatement {
  const conditions = Object.entries(Condition ?? {}).map(([operator, keys]) => {
    const values = Object.entries(keys).map(([key, value]) => [key, [value].flat().map(toReadable)] as const)
    return [operator, Object.fromEntries(values)] as const
  })
  return {
    actions: [Action].flat(),
    resources: [Resource].flat().map(toReadable),
    ...(conditions.length > 0 && { conditions: Object.fromEntries(conditions) }),
  }
}
