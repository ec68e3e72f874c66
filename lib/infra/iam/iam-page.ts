/**
 * Renders docs/reference/iam.md: one line per statement of every role of a deployment, so that a review shows what a
 * change allows.
 */
import type { Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'

/** A template value, including intrinsic functions for values that are known only at deployment. */
export type TemplateValue = string | number | boolean | TemplateValue[] | { [name: string]: TemplateValue }

export interface Statement {
  Effect: string
  Action: string | string[]
  Resource?: TemplateValue
  Principal?: TemplateValue
  Condition?: Record<string, Record<string, TemplateValue>>
}

export interface Policy {
  PolicyDocument: { Statement: Statement[] }
  Roles?: { Ref: string }[]
}

/** Removes the hash suffix of a logical id. */
const stripHash = (logicalId: string) => logicalId.replace(/[0-9A-F]{8}$/, '')

/** Renders intrinsic functions as readable names. */
export function toReadable(value: TemplateValue): string {
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return value.map(toReadable).join(', ')
  const [[intrinsic, argument] = ['', '']] = Object.entries(value)
  if (intrinsic === 'Ref') return nameOf(String(argument))
  if (intrinsic === 'Fn::GetAtt') return nameOf((argument as string[])[0]!)
  if (intrinsic === 'Fn::Join') return (argument as [string, TemplateValue[]])[1].map(toReadable).join('')
  if (intrinsic === 'Fn::ImportValue') return importedName(String(argument))
  if (intrinsic === 'Fn::Sub')
    return toReadable(argument).replace(/\$\{AWS::(\w+)\}/g, (_, name) => nameOf(`AWS::${name}`))
  if (intrinsic === 'Fn::Select' || intrinsic === 'Fn::Split') return toReadable((argument as TemplateValue[])[1]!)
  return JSON.stringify(value)
}

const pseudo: Record<string, string> = {
  Partition: 'aws',
  Region: 'region',
  AccountId: 'account',
  URLSuffix: 'amazonaws.com',
}
const nameOf = (id: string) => (id.startsWith('AWS::') ? (pseudo[id.slice(5)] ?? id) : `{${stripHash(id)}}`)

/** `test-reelsmith-data:ExportsOutputFnGetAttTable9F8Arn1234` as `{Table}`. */
const importedName = (name: string) => `{${/:ExportsOutput(?:FnGetAtt|Ref)(\w+?)[0-9A-F]{8}/.exec(name)?.[1] ?? name}}`

/** Asset hashes change with every build, so they are replaced. */
const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\b[0-9a-f]{64}\b/g, '{asset}')

const conditionOf = ({ Condition = {} }: Statement) =>
  Object.entries(Condition)
    .flatMap(([test, keys]) => Object.entries(keys).map(([key, value]) => `${key} ${test} ${toReadable(value)}`))
    .join('; ')

const row = (role: string, statement: Statement) =>
  `| ${[
    role,
    `${statement.Effect === 'Allow' ? '' : `**${statement.Effect}** `}${[statement.Action].flat().toSorted().join(', ')}`,
    statement.Resource === undefined ? '' : `\`${toReadable(statement.Resource)}\``,
    conditionOf(statement),
  ]
    .map(cell)
    .join(' | ')} |`

/** Statements and trust policies of roles, and resource policies. */
function rowsOf(stack: Stack): string[] {
  const resources = Object.entries<{ Type: string; Properties: Policy & Record<string, TemplateValue> }>(
    Template.fromStack(stack).toJSON().Resources,
  )
  const rows = resources.flatMap(([id, { Type, Properties }]) => {
    if (Type === 'AWS::IAM::Role') {
      const { Statement: trust } = Properties.AssumeRolePolicyDocument as unknown as Policy['PolicyDocument']
      const inline = (Properties.Policies ?? []) as unknown as Policy[]
      const managed = (Properties.ManagedPolicyArns ?? []) as TemplateValue[]
      return [
        ...trust.map((statement) => [
          stripHash(id),
          `| ${stripHash(id)} | is assumed by | \`${principalOf(statement)}\` | ${conditionOf(statement)} |`,
        ]),
        ...managed.map((arn) => [
          stripHash(id),
          `| ${stripHash(id)} | **managed policy** | \`${toReadable(arn)}\` | |`,
        ]),
        ...inline.flatMap(({ PolicyDocument }) =>
          PolicyDocument.Statement.map((statement) => [stripHash(id), row(stripHash(id), statement)]),
        ),
      ]
    }
    if (!/Policy$/.test(Type) || !Properties.PolicyDocument) return []
    const role =
      Type === 'AWS::IAM::Policy'
        ? Properties.Roles!.map(({ Ref }) => stripHash(Ref)).join(', ')
        : `${stripHash(id)} (${Type})`
    return Properties.PolicyDocument.Statement.map((statement) => [
      role,
      row(statement.Principal === undefined ? role : `${role}: ${principalOf(statement)}`, statement),
    ])
  })
  return rows.toSorted(([a], [b]) => (a! < b! ? -1 : a! > b! ? 1 : 0)).map(([, text]) => text!)
}

function principalOf({ Principal }: Statement): string {
  if (typeof Principal !== 'object' || Array.isArray(Principal)) return toReadable(Principal ?? '')
  return Object.values(Principal).map(toReadable).join(', ')
}

/** The page for the stacks of one deployment. */
export const iamPage = (stacks: Record<string, Stack>): string =>
  `${[
    '# IAM permissions of each role',
    'Written by `npm run docs`; do not edit.',
    'All statements of a deployment with built-in providers. Names in braces are assigned at deployment; a role is named after its function, state machine or task. ' +
      'The reason for a wildcard is the property `wildcard` in `lib/infra`.',
    ...Object.entries(stacks).flatMap(([name, stack]) => {
      const rows = rowsOf(stack)
      const table = ['| Role | Actions | Resources | Condition |', '| --- | --- | --- | --- |', ...rows].join('\n')
      return rows.length > 0 ? [`## ${name}`, table] : []
    }),
  ].join('\n\n')}\n`
