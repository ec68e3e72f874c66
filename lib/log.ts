/**
 * The logger: one structured line per thing that happened, with the ids of whose it is. Never a key, a secret, a signed address or a body:
 * whoever writes a line leaves them out, and what looks like one all the same is blackened.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { Logger } from '@aws-lambda-powertools/logger'
import { redact } from './redact.ts'

type Fields = Record<string, unknown>

const logger = new Logger({
  serviceName: 'reelsmith',
  jsonReplacerFn: (_name, value) => {
    if (value instanceof Error) return serializeError(value)
    return typeof value === 'string' ? redact(value) : value
  },
})

/** Errors of clients carry requests and answers, those of parsers what they parsed: only what is named here is told. */
const serializeError = ({ name, message, stack, cause, ...more }: Error & { code?: unknown; $metadata?: Fields }) => ({
  name,
  message,
  stack,
  ...(typeof more.code === 'string' ? { code: more.code } : {}),
  ...(more.$metadata ? { status: more.$metadata.httpStatusCode, requestId: more.$metadata.requestId } : {}),
  ...(cause instanceof Error ? { cause } : {}),
})

const logContext = new AsyncLocalStorage<Fields>()

/** Every line that is written during `work` carries these fields. */
export const withLogFields = <Result>(fields: Fields, work: () => Result): Result =>
  logContext.run({ ...logContext.getStore(), ...fields }, work)

const write =
  (level: 'info' | 'warn' | 'error') =>
  (event: string, fields: Fields = {}): void =>
    logger[level](event, { ...logContext.getStore(), ...fields })

export const log = { info: write('info'), warn: write('warn'), error: write('error') }
