// A Lambda function invoked in this process, with the limits the real service would put around it.

import { randomUUID } from 'node:crypto'
import type { Context } from 'aws-lambda'

/** Every handler of the service fits: each names its own event type, hence `never`. */
export type LambdaHandler = (event: never, context: Context) => unknown

export interface LambdaLimits {
  /** As in the deployed stack: it goes into the function's ARN and log lines. */
  readonly name: string
  readonly timeoutMs: number
}

/**
 * Calls the handler with a copy of the event and answers what the service would hand on: its result after a trip through JSON.
 * Throws the handler's own error, or one named `Sandbox.Timedout` as Lambda does; the handler then runs on unheard, since
 * nothing can end a function inside our own process.
 */
export async function invokeLambda(handler: LambdaHandler, event: unknown, limits: LambdaLimits): Promise<unknown> {
  const timer = Promise.withResolvers<never>()
  const deadline = Date.now() + limits.timeoutMs
  const timeout = setTimeout(() => timer.reject(timedOut(limits)), limits.timeoutMs)
  try {
    const run = async () => handler(structuredClone(event) as never, lambdaContext(limits.name, deadline))
    const result = await Promise.race([run(), timer.promise])
    return JSON.parse(JSON.stringify(result ?? null))
  } finally {
    clearTimeout(timeout)
  }
}

function timedOut(limits: LambdaLimits): Error {
  const error = new Error(`${limits.name}: task timed out after ${(limits.timeoutMs / 1000).toFixed(2)} seconds`)
  error.name = 'Sandbox.Timedout'
  return error
}

function lambdaContext(name: string, deadline: number): Context {
  return {
    awsRequestId: randomUUID(),
    functionName: name,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${name}`,
    memoryLimitInMB: '512',
    logGroupName: `/aws/lambda/${name}`,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
    done() {},
    fail() {},
    succeed() {},
  }
}
