/**
 * The environment variables of the service, set by a deployment or by the local run. No other file of `lib` reads them.
 */

function required(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`The environment variable ${name} is not set.`)
  return value
}

/** Waits are divided by it. Values below 1 would lengthen them. */
function parseTimeScale(text: string): number {
  const value = Number(text)
  if (!(value >= 1)) throw new Error(`TIME_SCALE must be a number of at least 1, not ${text}.`)
  return value
}

/** Read on each call, not at import: the local run sets the variables before it calls the handlers. */
export const env = {
  /** The name of the deployment, a dimension of every metric. */
  deployment: () => process.env.DEPLOYMENT || 'local',
  tableName: () => required('TABLE_NAME'),
  bucketName: () => required('BUCKET_NAME'),
  /** Base URL of stored media, without a trailing slash. */
  mediaUrl: () => required('MEDIA_URL'),
  /** `arn:aws:states:<region>:<account>:stateMachine:` and the name prefix of this deployment. */
  stateMachineArnPrefix: () => required('STATE_MACHINE_ARN_PREFIX'),
  /** ARN of the KMS key that wraps the data keys of sealed secrets. */
  sealingKeyId: () => required('SEALING_KEY_ID'),
  /** Maximum of parallel tasks per render; 1 in the local run, where one task uses all cores. */
  renderTasksMax: () => Number(required('RENDER_TASKS_MAX')),
  /** Maximum of parallel functions per render. 0: renders run in tasks; 1: in one function or in tasks. */
  renderFunctionsMax: () => Number(required('RENDER_FUNCTIONS_MAX')),
  /** Host and port of the runtime API, in a function of the container image. */
  lambdaRuntimeApi: () => process.env.AWS_LAMBDA_RUNTIME_API ?? '',
  /** When the execution of a task started, of states that wait for vendors. */
  executionStartedAt: () => process.env.STARTED_AT || undefined,
  /** Processors of the media function, as a fraction where its memory gives part of one. */
  renderFunctionVcpus: () => Number(required('RENDER_FUNCTION_VCPUS')),
  /** Limits the seconds for which a request waits for its job: 0 where few functions may run at once. */
  waitSecondsMax: () => Number(required('WAIT_SECONDS_MAX')),
  deliveryQueueUrl: () => required('DELIVERY_QUEUE_URL'),
  /** The queue for deliveries to slow endpoints, so that they do not delay the others. */
  slowDeliveryQueueUrl: () => required('SLOW_DELIVERY_QUEUE_URL'),
  /** EventBridge schedules of automation slots: group, target, role and dead letter queue. */
  slotSchedules: () => ({
    groupName: required('SLOT_SCHEDULE_GROUP'),
    workerArn: required('SLOT_WORKER_ARN'),
    roleArn: required('SLOT_CALLER_ROLE_ARN'),
    deadLettersArn: required('SLOT_DEAD_LETTERS_ARN'),
  }),
  /** Divisor of the waits between attempts: 1, except in the local run. */
  timeScale: () => parseTimeScale(required('TIME_SCALE')),
  /** Whether URLs that clients name may resolve to loopback: only in the local run. */
  allowLoopback: () => required('ALLOW_LOOPBACK') === 'true',
  /** The provider of each capability, as JSON (`lib/domain/generation/provider-choice.ts`). */
  providers: () => process.env.PROVIDERS || '{}',
  /** Whether servers in `PROVIDERS` may be on this machine or in its network: only in the local run. */
  allowLocalServers: () => required('ALLOW_LOCAL_SERVERS') === 'true',
  /** ARN of the secret with the providers' API keys. */
  providerKeysId: () => required('PROVIDER_KEYS_ID'),
  /** Overrides of platform URLs, as JSON by platform and role; `{}` uses the real platforms. */
  platformUrls: () => required('PLATFORM_URLS'),
  /** ISO: when the emulated platforms of a local run started, after which no earlier request takes effect. */
  platformsStartedAt: () => process.env.PLATFORMS_STARTED_AT || undefined,
  /** ARN of the secret with the OAuth clients of this deployment. */
  platformClientsId: () => required('PLATFORM_CLIENTS_ID'),
  /** Overrides of provider URLs, as JSON; only tests set it. */
  vendorUrls: () => process.env.VENDOR_URLS || '{}',
}
