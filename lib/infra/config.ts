/**
 * What a deployment is told: the context of `cdk.json`, where each value has its default, or `-c NAME=VALUE`. A value that cannot be meant
 * ends the synthesis with its name. docs/deploy.md says what each is for.
 */
import { RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Node } from 'constructs'
import * as v from 'valibot'
import type { ProviderChoice } from '../domain/generation/provider-choice.ts'
import { parseProviderChoice } from './iam/provider-grants.ts'

export interface DeploymentConfig {
  stage: string
  /** Undefined: the region of whoever deploys. */
  region: string | undefined
  /** Where the API answers, beside the name that AWS gives it: the two come together. */
  domain: { name: string; certificateArn: string } | undefined
  /** An email address that is told of alarms. */
  alarmAddress: string | undefined
  logRetentionDays: RetentionDays
  /** How many days the sealing key serves before AWS rotates it. */
  keyRotationDays: number
  providers: ProviderChoice
}

const emptyAsUndefined = v.pipe(
  v.nullish(v.literal('')),
  v.transform(() => undefined),
)
const text = (pattern: RegExp, meaning: string) => v.pipe(v.string(), v.regex(pattern, `must be ${meaning}`))
const optional = (pattern: RegExp, meaning: string) => v.union([emptyAsUndefined, text(pattern, meaning)])

/** Those that CloudWatch Logs knows, but for ever. */
const days = Object.values(RetentionDays).filter(
  (value): value is RetentionDays => typeof value === 'number' && value < RetentionDays.INFINITE,
)

const schemas = {
  stage: text(/^[a-z][a-z0-9]{0,15}$/, 'a short word of small letters and digits'),
  region: optional(/^[a-z]{2}(-[a-z]+)+-\d$/, 'the name of a region, such as eu-west-1'),
  domain: optional(/^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/, 'a domain name in small letters'),
  certificate: optional(/^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/, 'the ARN of a certificate in ACM'),
  alarmAddress: optional(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'an email address'),
  logRetentionDays: v.pipe(
    v.union([v.number(), v.string()]),
    v.transform(Number),
    v.picklist(days, `must be one of ${days.join(', ')}`),
  ),
  // What KMS takes: https://docs.aws.amazon.com/kms/latest/APIReference/API_EnableKeyRotation.html.
  keyRotationDays: v.pipe(
    v.union([v.number(), v.string()]),
    v.transform(Number),
    v.check(
      (days) => Number.isInteger(days) && days >= 90 && days <= 2560,
      'must be a whole number of days, 90 to 2560',
    ),
  ),
}

export function readConfig(node: Node): DeploymentConfig {
  const read = <Name extends keyof typeof schemas>(name: Name): v.InferOutput<(typeof schemas)[Name]> => {
    const given = v.safeParse(schemas[name], node.tryGetContext(name))
    if (given.success) return given.output as v.InferOutput<(typeof schemas)[Name]>
    throw new Error(`The context value \`${name}\` is wrong: it ${reasonOf(given.issues[0])}.`)
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
    providers: parseProviderChoice(node.tryGetContext('providers')),
  }
}

/** A name that is written wrong would leave its default, such as no domain. The CDK's own have a colon in them. */
function refuseUnknownKeys(node: Node) {
  const known = [...Object.keys(schemas), 'providers']
  const other = Object.keys(node.getAllContext()).find((name) => /^\w+$/.test(name) && !known.includes(name))
  if (other !== undefined) throw new Error(`There is no context value \`${other}\`: there are ${known.join(', ')}.`)
}

/** Of a union, the words of the alternative that is meant. */
const reasonOf = (issue: v.BaseIssue<unknown>): string => issue.issues?.at(-1)?.message ?? issue.message

function domainOf(name: string | undefined, certificateArn: string | undefined, region: string | undefined) {
  if (name === undefined && certificateArn === undefined) return undefined
  if (name === undefined || certificateArn === undefined)
    throw new Error('The context values `domain` and `certificate` come together.')
  const [, , , place] = certificateArn.split(':')
  if (region !== undefined && place !== region)
    throw new Error(`The context value \`certificate\` is wrong: API Gateway takes one of its own region, ${region}.`)
  return { name, certificateArn }
}
