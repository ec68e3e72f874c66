// Holds every function to its role: what it may not do in AWS, it may not do here, so that a right somebody forgot to give is
// missed at home. It stands where the SDK's clients send their commands, in this process alone.

import { AsyncLocalStorage } from 'node:async_hooks'
import { S3Client } from '@aws-sdk/client-s3'
import type { LambdaHandler } from './emulators/lambda.ts'
import { type PermissionRequest, requiredPermissions } from './required-permissions.ts'
import roles from './roles.json' with { type: 'json' }

interface Allowance {
  readonly actions: readonly string[]
  readonly resources: readonly string[]
  readonly conditions?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
}

/** The name of whoever is at work. Nobody: the local run itself, which may do everything. */
const currentRole = new AsyncLocalStorage<string>()

/** The handler of `functions/<path>.ts`, held to its role. */
export const withRole =
  (path: string, handler: LambdaHandler): LambdaHandler =>
  (event, context) =>
    currentRole.run(path.replaceAll('/', '-'), () => handler(event, context))

/** Of a process that is one program. */
let roleOfProcess: string | undefined

/** From here on this whole process is held to the role. */
export function assumeProcessRole(name: string): void {
  roleOfProcess = name
}

/** Whether a role has an allowance for it. A role that nobody knows has none. */
export function isAllowed(name: string, ask: PermissionRequest): boolean {
  const allowances: readonly Allowance[] = (roles as Record<string, Allowance[]>)[name] ?? []
  return allowances.some(
    ({ actions, resources, conditions = {} }) =>
      actions.includes(ask.action) &&
      resources.some((pattern) => matchesPattern(pattern, ask.resource)) &&
      Object.entries(conditions).every(([operator, keys]) =>
        Object.entries(keys).every(([key, patterns]) => holds(operator, patterns, ask.context?.[key])),
      ),
  )
}

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html, as far as roles use them. */
function holds(operator: string, patterns: readonly string[], values: readonly string[] | undefined): boolean {
  const [test, quantor] = operator.split(':').toReversed()
  const matches = (value: string) =>
    test === 'StringLike' ? patterns.some((pattern) => matchesPattern(pattern, value)) : patterns.includes(value)
  // ForAllValues holds where there are no values at all.
  if (quantor === 'ForAllValues') return (values ?? []).every(matches)
  return values?.some(matches) ?? false
}

const expressions = new Map<string, RegExp>()

/** A `*` stands for any text, the empty one too. */
function matchesPattern(pattern: string, text: string): boolean {
  const expression =
    expressions.get(pattern) ?? new RegExp(`^${pattern.split('*').map(RegExp.escape).join('.*')}$`, 's')
  expressions.set(pattern, expression)
  return expression.test(text)
}

const denied = (name: string, { action, resource, context }: PermissionRequest) => {
  const what = `${action} on ${resource}${context ? ` with ${JSON.stringify(context)}` : ''}`
  const message =
    name in roles
      ? `The role of ${name} does not allow ${what}: give it the right in lib/infra, then \`npm run docs\`.`
      : `local/roles.json has no role of ${name}, which asks for ${what}: \`npm run docs\` writes it.`
  return Object.assign(new Error(message), {
    name: 'AccessDeniedException',
    $fault: 'client',
    $metadata: { httpStatusCode: 403 },
  })
}

type Send = (command: { input: object }, ...rest: unknown[]) => Promise<unknown>

/** Every client of the SDK inherits from one class. */
const everyClient = Object.getPrototypeOf(S3Client.prototype) as { send: Send }
const send = everyClient.send

everyClient.send = async function (this: unknown, command, ...rest) {
  const name = currentRole.getStore() ?? roleOfProcess
  if (name === undefined) return send.call(this, command, ...rest)
  const refused = requiredPermissions(command).find((ask) => !isAllowed(name, ask))
  if (refused) throw denied(name, refused)
  try {
    return await send.call(this, command, ...rest)
  } catch (error) {
    // S3 tells nobody that an object is missing who may not list the bucket.
    const list = { action: 's3:ListBucket', resource: '{Media}' }
    const isMissing = error instanceof Error && ['NotFound', 'NoSuchKey'].includes(error.name)
    throw isMissing && !isAllowed(name, list) ? denied(name, list) : error
  }
}
