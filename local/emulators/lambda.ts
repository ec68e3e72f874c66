// Invokes a Lambda function in this process, with the time limit and the JSON boundary of the real service.

import { randomUUID } from 'node:crypto'
import type { Context } from 'aws-lambda'

/** `never`, because each handler declares its own event type. */
export type LambdaHandler = (event: never, context: Context) => unknown

export interface LambdaLimits {
  /** Used in the ARN of the function and in log lines. */
  readonly name: string
  readonly timeoutMs: number
}

/**
 * Calls the handler with a copy of the event and returns its result after a JSON round trip. Throws the handler's error, or an
 * error named `Sandbox.Timedout` as Lambda does. After a timeout the handler continues with its result discarded, because a
 * function in this process cannot be stopped.
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
