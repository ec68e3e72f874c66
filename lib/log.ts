/**
 * The logger: one structured line per event, with the ids that it concerns. Callers must not log keys, secrets,
 * presigned URLs or bodies; as a second safeguard, secrets are redacted by pattern.
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

/** An allowlist, since errors of HTTP clients carry requests and responses, and those of parsers their input. */
const serializeError = ({ name, message, stack, cause, ...more }: Error & { code?: unknown; $metadata?: Fields }) => ({
  name,
  message,
  stack,
  ...(typeof more.code === 'string' ? { code: more.code } : {}),
  ...(more.$metadata ? { status: more.$metadata.httpStatusCode, requestId: more.$metadata.requestId } : {}),
  ...(cause instanceof Error ? { cause } : {}),
})

const logContext = new AsyncLocalStorage<Fields>()

/** Adds these fields to every line that is logged during `work`. */
export const withLogFields = <Result>(fields: Fields, work: () => Result): Result =>
  logContext.run({ ...logContext.getStore(), ...fields }, work)

const write =
  (level: 'info' | 'warn' | 'error') =>
  (event: string, fields: Fields = {}): void =>
    logger[level](event, { ...logContext.getStore(), ...fields })

export const log = { info: write('info'), warn: write('warn'), error: write('error') }

/** For commands, whose standard output is their result. */
export const silenceLog = () => logger.setLogLevel('SILENT')
