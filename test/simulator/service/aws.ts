/**
 * The clients of AWS as the service uses them: commands, clients with retries and middlewares, and error classes. The
 * bundler puts this in place of the SDK's packages.
 */
import { Readable } from 'node:stream'

interface Call {
  input: object
}
type Handler = (call: Call) => Promise<{ output: unknown }>
type Middleware = (next: Handler) => Handler

interface Config {
  maxAttempts?: number
  requestHandler?: { requestTimeout?: number }
}
interface SendOptions {
  abortSignal?: AbortSignal
  requestTimeout?: number
}

const attemptsMax = 3
const backoffMs = { first: 50, last: 20_000 }

abstract class Command {
  readonly service: string
  readonly operation: string
  readonly input: object

  constructor(service: string, operation: string, input: object) {
    this.service = service
    this.operation = operation
    this.input = input
  }
}

const command = (service: string, operation: string) =>
  class extends Command {
    constructor(input: object = {}) {
      super(service, operation, input)
    }
  }

class Client {
  readonly #config: Config
  readonly #middlewares: Middleware[] = []
  readonly middlewareStack = {
    add: (middleware: Middleware) => void this.#middlewares.push(middleware),
    remove: () => true,
  }

  constructor(config: Config = {}) {
    this.#config = config
  }

  destroy(): void {}

  async send({ service, operation, input }: Command, options: SendOptions = {}): Promise<unknown> {
    const timeoutMs = options.requestTimeout ?? this.#config.requestHandler?.requestTimeout ?? 60_000
    const token = operation === 'TransactWrite' ? { ClientRequestToken: `${simulator.random()}` } : {}
    const request = { ...token, ...input }
    const attempt = this.#middlewares.reduceRight<Handler>(
      (next, middleware) => middleware(next),
      async (call) => {
        try {
          return {
            output: await simulator.aws(service, operation, call.input, { timeoutMs, signal: options.abortSignal }),
          }
        } catch (error) {
          throw errorOf(error as Failure)
        }
      },
    )
    const body = (input as { Body?: unknown }).Body
    if (body instanceof Readable) Object.assign(request, { Body: Buffer.concat(await Array.fromAsync(body)) })
    for (let attempts = 1; ; attempts++) {
      try {
        const { output } = await attempt({ input: request })
        return operation === 'GetObject' ? withStream(output as { Body: Uint8Array }) : output
      } catch (error) {
        if (attempts >= (this.#config.maxAttempts ?? attemptsMax) || !isRetryable(error as Error))
          throw Object.assign(error as Error, { $metadata: { attempts } })
        const pause = Math.min(backoffMs.first * 2 ** attempts, backoffMs.last)
        await new Promise<void>((resolve) => simulator.setTimeout(resolve, simulator.random() * pause))
      }
    }
  }
}

const withStream = (output: { Body: Uint8Array }) => ({ ...output, Body: Readable.from([output.Body]) })

interface Failure extends Error {
  fields?: object
}

/** https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html */
const retryable = new Set([
  'TimeoutError',
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'InternalServerError',
  'TransactionInProgressException',
  'SlowDown',
])

const isRetryable = (error: Error) => '$retryable' in error || retryable.has(error.name)

class ServiceException extends Error {
  constructor(name: string, message: string, fields: object = {}) {
    super(message)
    this.name = name
    Object.assign(this, fields)
  }
}

const exception = (name: string, Base = ServiceException) => {
  const Class = class extends Base {}
  classes.set(name, Class)
  return Class
}
const classes = new Map<string, typeof ServiceException>()

function errorOf({ name, message, fields = {} }: Failure): Error {
  const Class = classes.get(name) ?? S3ServiceException
  return new Class(name, message, fields)
}

export class S3ServiceException extends ServiceException {}

export const ConditionalCheckFailedException = exception('ConditionalCheckFailedException')
export const TransactionCanceledException = exception('TransactionCanceledException')
export const TransactionInProgressException = exception('TransactionInProgressException')
export const IdempotentParameterMismatchException = exception('IdempotentParameterMismatchException')
export const NoSuchKey = exception('NoSuchKey', S3ServiceException)
export const NotFound = exception('NotFound', S3ServiceException)
export const ExecutionAlreadyExists = exception('ExecutionAlreadyExists')
export const ExecutionDoesNotExist = exception('ExecutionDoesNotExist')
export const ConflictException = exception('ConflictException')
export const IncorrectKeyException = exception('IncorrectKeyException')
export const InvalidCiphertextException = exception('InvalidCiphertextException')

export class DynamoDBClient extends Client {}
export class S3Client extends Client {}
export class SQSClient extends Client {}
export class SFNClient extends Client {}
export class KMSClient extends Client {}
export class SecretsManagerClient extends Client {}
export class SchedulerClient extends Client {}
export const DynamoDBDocumentClient = { from: (client: DynamoDBClient) => client }

export const GetCommand = command('table', 'Get')
export const PutCommand = command('table', 'Put')
export const UpdateCommand = command('table', 'Update')
export const DeleteCommand = command('table', 'Delete')
export const QueryCommand = command('table', 'Query')
export const ScanCommand = command('table', 'Scan')
export const BatchGetCommand = command('table', 'BatchGet')
export const TransactWriteCommand = command('table', 'TransactWrite')
export const GetObjectCommand = command('storage', 'GetObject')
export const PutObjectCommand = command('storage', 'PutObject')
export const HeadObjectCommand = command('storage', 'HeadObject')
export const DeleteObjectCommand = command('storage', 'DeleteObject')
export const DeleteObjectsCommand = command('storage', 'DeleteObjects')
export const ListObjectsV2Command = command('storage', 'ListObjectsV2')
export const SendMessageBatchCommand = command('queue', 'SendMessageBatch')
export const StartExecutionCommand = command('engine', 'StartExecution')
export const StopExecutionCommand = command('engine', 'StopExecution')
export const DescribeExecutionCommand = command('engine', 'DescribeExecution')
export const CreateScheduleCommand = command('schedules', 'CreateSchedule')
export const GenerateDataKeyCommand = command('keys', 'GenerateDataKey')
export const DecryptCommand = command('keys', 'Decrypt')
export const GetSecretValueCommand = command('secrets', 'GetSecretValue')

/** The upload of a client names the object by this URL. */
export const getSignedUrl = async (_client: unknown, { input }: Command) =>
  `https://uploads.test/${(input as { Key: string }).Key}`
