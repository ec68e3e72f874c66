/** docs/iam.md: every statement of every role of a deployment, in one line each, so that a review sees what a change allows. */
import type { Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'

/** What templates hold where a value is known at deployment only. */
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

/** Without what CloudFormation adds to make a name unique. */
const stripHash = (logicalId: string) => logicalId.replace(/[0-9A-F]{8}$/, '')

/** As a person would write it: references by the names of what they mean. */
export function toReadable(value: TemplateValue): string {
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return value.map(toReadable).join(', ')
  const [[intrinsic, given] = ['', '']] = Object.entries(value)
  if (intrinsic === 'Ref') return nameOf(String(given))
  if (intrinsic === 'Fn::GetAtt') return nameOf((given as string[])[0]!)
  if (intrinsic === 'Fn::Join') return (given as [string, TemplateValue[]])[1].map(toReadable).join('')
  if (intrinsic === 'Fn::ImportValue') return importedName(String(given))
  if (intrinsic === 'Fn::Sub')
    return toReadable(given).replace(/\$\{AWS::(\w+)\}/g, (_, name) => nameOf(`AWS::${name}`))
  if (intrinsic === 'Fn::Select' || intrinsic === 'Fn::Split') return toReadable((given as TemplateValue[])[1]!)
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

/** Assets are named by their contents, which are no right. */
const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\b[0-9a-f]{64}\b/g, '{asset}')

const conditionOf = ({ Condition = {} }: Statement) =>
  Object.entries(Condition)
    .flatMap(([test, keys]) => Object.entries(keys).map(([key, value]) => `${key} ${test} ${toReadable(value)}`))
    .join('; ')

const row = (who: string, statement: Statement) =>
  `| ${[
    who,
    `${statement.Effect === 'Allow' ? '' : `**${statement.Effect}** `}${[statement.Action].flat().toSorted().join(', ')}`,
    statement.Resource === undefined ? '' : `\`${toReadable(statement.Resource)}\``,
    conditionOf(statement),
  ]
    .map(cell)
    .join(' | ')} |`

/** What each role may do, and whose it may be; the policies of resources, which say who may come to them. */
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
          `| ${stripHash(id)} | is that of | \`${principalOf(statement)}\` | ${conditionOf(statement)} |`,
        ]),
        ...managed.map((arn) => [
          stripHash(id),
          `| ${stripHash(id)} | **managed policy** | \`${toReadable(arn)}\` | |`,
        ]),
        ...inline.flatMap(({ PolicyDocument }) =>
          PolicyDocument.Statement.map((one) => [stripHash(id), row(stripHash(id), one)]),
        ),
      ]
    }
    if (!/Policy$/.test(Type) || !Properties.PolicyDocument) return []
    const who =
      Type === 'AWS::IAM::Policy'
        ? Properties.Roles!.map(({ Ref }) => stripHash(Ref)).join(', ')
        : `${stripHash(id)} (${Type})`
    return Properties.PolicyDocument.Statement.map((statement) => [
      who,
      row(statement.Principal === undefined ? who : `${who}: ${principalOf(statement)}`, statement),
    ])
  })
  return rows.toSorted(([a], [b]) => (a! < b! ? -1 : a! > b! ? 1 : 0)).map(([, text]) => text!)
}

function principalOf({ Principal }: Statement): string {
  if (typeof Principal !== 'object' || Array.isArray(Principal)) return toReadable(Principal ?? '')
  return Object.values(Principal).map(toReadable).join(', ')
}

/** The page for the stacks of the stage `test`. */
export const iamPage = (stacks: Record<string, Stack>): string =>
  `${[
    '# What each role may do',
    'Written by `npm run docs`; do not edit.',
    'All statements of a deployment whose makers are all built in. In braces stands what is named when it is deployed; a role is named after the function, the state machine or the task that it belongs to. ' +
      'Why a resource has a wildcard is written beside it in `lib/infra`, as `wildcard`.',
    ...Object.entries(stacks).flatMap(([name, stack]) => {
      const rows = rowsOf(stack)
      const table = ['| Role | Actions | Resources | Where |', '| --- | --- | --- | --- |', ...rows].join('\n')
      return rows.length > 0 ? [`## ${name}`, table] : []
    }),
  ].join('\n\n')}\n`
