// Enforces the IAM role of every function locally, so that a missing permission fails here and not first in AWS. It hooks into the
// SDK clients of this process.

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

/** The role of the running function. Without one, the local run itself is running and may do everything. */
const currentRole = new AsyncLocalStorage<string>()

/** Wraps the handler of `functions/<path>.ts` with its role. */
export const withRole =
  (path: string, handler: LambdaHandler): LambdaHandler =>
  (event, context) =>
    currentRole.run(path.replaceAll('/', '-'), () => handler(event, context))

/** The role of a process that runs one program. */
let roleOfProcess: string | undefined

/** Restricts this whole process to the role. */
export function assumeProcessRole(name: string): void {
  roleOfProcess = name
}

/** Whether a role allows the request. An unknown role allows nothing. */
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

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html, for the operators that roles use. */
function holds(operator: string, patterns: readonly string[], values: readonly string[] | undefined): boolean {
  const [test, quantor] = operator.split(':').toReversed()
  const matches = (value: string) =>
    test === 'StringLike' ? patterns.some((pattern) => matchesPattern(pattern, value)) : patterns.includes(value)
  // ForAllValues is true without values.
  if (quantor === 'ForAllValues') return (values ?? []).every(matches)
  return values?.some(matches) ?? false
}

const expressions = new Map<string, RegExp>()

/** A `*` matches any text, including the empty one, and a `?` one character. */
function matchesPattern(pattern: string, text: string): boolean {
  const source = () => pattern.replace(/[*?]|[^*?]+/g, (part) => ({ '*': '.*', '?': '.' })[part] ?? RegExp.escape(part))
  const expression = expressions.get(pattern) ?? new RegExp(`^${source()}$`, 's')
  expressions.set(pattern, expression)
  return expression.test(text)
}

const denied = (name: string, { action, resource, context }: PermissionRequest) => {
  const what = `${action} on ${resource}${context ? ` with ${JSON.stringify(context)}` : ''}`
  const message =
    name in roles
      ? `The role of ${name} does not allow ${what}. Grant it in lib/infra, then run \`npm run docs\`.`
      : `local/roles.json has no role of ${name}, which needs ${what}. Run \`npm run docs\`.`
  return Object.assign(new Error(message), {
    name: 'AccessDeniedException',
    $fault: 'client',
    $metadata: { httpStatusCode: 403 },
  })
}

type Send = (command: { input: object }, ...rest: unknown[]) => Promise<unknown>

/** All SDK clients inherit from one class. */
const everyClient = Object.getPrototypeOf(S3Client.prototype) as { send: Send }
const send = everyClient.send

export type AroundCommand = <Result>(send: () => Promise<Result>) => Promise<Result>
let aroundCommand: AroundCommand = (send) => send()

/** Sets what sends each command of every client of this process. */
export function setAroundCommand(around: AroundCommand): void {
  aroundCommand = around
}

everyClient.send = async function (this: unknown, command, ...rest) {
  const name = currentRole.getStore() ?? roleOfProcess
  if (name === undefined) return aroundCommand(() => send.call(this, command, ...rest))
  const refused = requiredPermissions(command).find((ask) => !isAllowed(name, ask))
  if (refused) throw denied(name, refused)
  try {
    return await aroundCommand(() => send.call(this, command, ...rest))
  } catch (error) {
    // S3 reports a missing object as access denied to callers that may not list the bucket.
    const list = { action: 's3:ListBucket', resource: '{Media}' }
    const isMissing = error instanceof Error && ['NotFound', 'NoSuchKey'].includes(error.name)
    throw isMissing && !isAllowed(name, list) ? denied(name, list) : error
  }
}
