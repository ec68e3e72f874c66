/**
 * The configuration of a deployment: CDK context from `deployments/STAGE.json` (`settings-file.ts`) or `-c NAME=VALUE`.
 * An invalid value fails the synthesis with its name. docs/operations/deploy.md describes each value.
 */
import { RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Node } from 'constructs'
import * as v from 'valibot'
import type { ProviderChoice } from '../domain/generation/provider-choice.ts'
import { parseProviderChoice } from './iam/provider-grants.ts'
import { settingDefaults } from './setting-defaults.ts'

interface DeploymentConfig {
  stage: string
  /** Undefined: the region of the deploying AWS profile. */
  region: string | undefined
  /** The custom domain of the API with its certificate; replaces the default endpoint. */
  domain: { name: string; certificateArn: string } | undefined
  /** An email address that is subscribed to alarms. */
  alarmAddress: string | undefined
  logRetentionDays: RetentionDays
  /** Days between rotations of the sealing key by AWS. */
  keyRotationDays: number
  /** The account's quota of concurrent Lambda executions. */
  concurrency: number
  /** Memory of the media function, in MB. */
  renderFunctionMb: number
  /** Parallel functions of one render; undefined: as many as the concurrency allows. */
  renderFunctionsMax: number | undefined
  /** US dollars a month of the account; undefined without a budget. */
  monthlyBudget: number | undefined
  /** Names of two availability zones for the tasks; undefined: the first two of the region. */
  taskZones: readonly [string, string] | undefined
  /** The ARN of the customer key that encrypts the CDK's asset bucket. */
  assetKey: string | undefined
  providers: ProviderChoice
}

const emptyAsUndefined = v.pipe(
  v.nullish(v.literal('')),
  v.transform(() => undefined),
)
const text = (pattern: RegExp, meaning: string) => v.pipe(v.string(), v.regex(pattern, `must be ${meaning}`))
const optional = (pattern: RegExp, meaning: string) => v.union([emptyAsUndefined, text(pattern, meaning)])

/** The retention periods of CloudWatch Logs, without infinite. */
const days = Object.values(RetentionDays).filter(
  (value): value is RetentionDays => typeof value === 'number' && value < RetentionDays.INFINITE,
)

const wholeNumber = (min: number, max: number, meaning: string) =>
  v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.nonEmpty())]),
    v.transform(Number),
    v.check((value) => Number.isInteger(value) && value >= min && value <= max, `must be ${meaning}, ${min} to ${max}`),
  )

const schemas = {
  stage: text(/^[a-z][a-z0-9]{0,15}$/, 'a short word of lower-case letters and digits'),
  region: optional(/^[a-z]{2}(-[a-z]+)+-\d$/, 'the name of a region, such as eu-west-1'),
  domain: optional(/^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/, 'a domain name in lower case'),
  certificate: optional(/^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/, 'the ARN of a certificate in ACM'),
  alarmAddress: optional(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'an email address'),
  logRetentionDays: v.pipe(
    v.union([v.number(), v.string()]),
    v.transform(Number),
    v.picklist(days, `must be one of ${days.join(', ')}`),
  ),
  // The range of KMS: https://docs.aws.amazon.com/kms/latest/APIReference/API_EnableKeyRotation.html.
  keyRotationDays: wholeNumber(90, 2560, 'a whole number of days'),
  // An account starts with 10.
  concurrency: wholeNumber(10, 100_000, 'a whole number of executions'),
  // A new account is limited to 3,008 MB; one processor per 1,769 MB.
  renderFunctionMb: wholeNumber(1769, 10_240, 'a whole number of megabytes'),
  // The most iterations that an inline Map runs at once.
  renderFunctionsMax: v.union([emptyAsUndefined, wholeNumber(0, 40, 'a whole number of functions')]),
  monthlyBudget: wholeNumber(0, 1_000_000, 'a whole number of US dollars'),
  taskZones: v.union([
    emptyAsUndefined,
    v.pipe(
      text(/^[a-z]{2}(-[a-z]+)+-\d[a-z],[a-z]{2}(-[a-z]+)+-\d[a-z]$/, 'two zones, such as us-east-1a,us-east-1b'),
      v.transform((zones) => zones.split(',') as [string, string]),
    ),
  ]),
  assetKey: optional(/^arn:[\w-]+:kms:[\w-]+:\d{12}:key\/[\w-]+$/, 'the ARN of a key in KMS'),
}

export function readConfig(node: Node): DeploymentConfig {
  const read = <Name extends keyof typeof schemas>(name: Name): v.InferOutput<(typeof schemas)[Name]> => {
    const parsed = v.safeParse(schemas[name], node.tryGetContext(name) ?? settingDefaults[name])
    if (parsed.success) return parsed.output as v.InferOutput<(typeof schemas)[Name]>
    throw new Error(`The context value \`${name}\` is wrong: it ${reasonOf(parsed.issues[0])}.`)
  }
  const region = read('region')
  refuseUnknownKeys(node)
  return {
    stage: read('stage'),
    region,
    domain: domainOf(read('domain'), read('certificate'), region),
    alarmAddress: read('alarmAddress'),
    logRetentionDays: read('logRetentionDays'),
    keyRotationDays: read('keyRotationDays'),
    concurrency: read('concurrency'),
    renderFunctionMb: read('renderFunctionMb'),
    renderFunctionsMax: read('renderFunctionsMax'),
    monthlyBudget: read('monthlyBudget') || undefined,
    taskZones: read('taskZones'),
    assetKey: read('assetKey'),
    providers: parseProviderChoice(node.tryGetContext('providers')),
  }
}

/** A misspelt name would silently keep its default, such as no domain. The CDK's own names contain a colon. */
function refuseUnknownKeys(node: Node) {
  const known = Object.keys(settingDefaults)
  const unknown = Object.keys(node.getAllContext()).find((name) => /^\w+$/.test(name) && !known.includes(name))
  if (unknown !== undefined) throw new Error(`There is no context value \`${unknown}\`. Known are ${known.join(', ')}.`)
}

/** For a union, the message of its last alternative: the value, not the empty one. */
const reasonOf = (issue: v.BaseIssue<unknown>): string => issue.issues?.at(-1)?.message ?? issue.message

function domainOf(name: string | undefined, certificateArn: string | undefined, region: string | undefined) {
  if (name === undefined && certificateArn === undefined) return undefined
  if (name === undefined || certificateArn === undefined)
    throw new Error('The context values `domain` and `certificate` come together: set both, or none.')
  const [, , , certificateRegion] = certificateArn.split(':')
  if (region !== undefined && certificateRegion !== region)
    throw new Error(`The context value \`certificate\` is wrong: API Gateway needs one of its own region, ${region}.`)
  return { name, certificateArn }
}
