/** The environment of the service: everything that a deployment or the local run sets stands here. */

function required(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`The environment variable ${name} is not set.`)
  return value
}

/** A wait is divided by it: nothing below 1, which would make it longer or endless. */
function parseTimeScale(text: string): number {
  const value = Number(text)
  if (!(value >= 1)) throw new Error(`A scale of time is a number of at least 1, not ${text}.`)
  return value
}

/** Read when asked, not at import: the local run sets them before it loads the handlers. */
export const env = {
  /** The name of the deployment: metrics of several lie beside each other. */
  deployment: () => process.env.DEPLOYMENT || 'local',
  tableName: () => required('TABLE_NAME'),
  bucketName: () => required('BUCKET_NAME'),
  /** Base address of stored media, without a slash at the end. */
  mediaUrl: () => required('MEDIA_URL'),
  /** `arn:aws:states:<region>:<account>:stateMachine:` and what the names of this deployment begin with. */
  stateMachineArnPrefix: () => required('STATE_MACHINE_ARN_PREFIX'),
  /** The KMS key under which secrets are sealed: its ARN. */
  sealingKeyId: () => required('SEALING_KEY_ID'),
  /** How many tasks may render one film at once; 1 in the local run, where one takes all cores. */
  renderTasksMax: () => Number(required('RENDER_TASKS_MAX')),
  deliveryQueueUrl: () => required('DELIVERY_QUEUE_URL'),
  /** Where the deliveries to slow endpoints wait, so that the others need not wait behind them. */
  slowDeliveryQueueUrl: () => required('SLOW_DELIVERY_QUEUE_URL'),
  /** Where slots of automations are planned, whom they call, as whom, and where calls that failed are told. */
  slotSchedules: () => ({
    groupName: required('SLOT_SCHEDULE_GROUP'),
    workerArn: required('SLOT_WORKER_ARN'),
    roleArn: required('SLOT_CALLER_ROLE_ARN'),
    deadLettersArn: required('SLOT_DEAD_LETTERS_ARN'),
  }),
  /** Makes the waits between attempts this many times shorter: 1 but in the local run. */
  timeScale: () => parseTimeScale(required('TIME_SCALE')),
  /** Whether addresses that clients name may lead to this machine: in the local run alone. */
  allowLoopback: () => required('ALLOW_LOOPBACK') === 'true',
  /** Which vendors make what, as JSON (`lib/domain/generation/provider-choice.ts`). */
  providers: () => process.env.PROVIDERS || '{}',
  /** The secret with the vendors' keys: its ARN. */
  providerKeysId: () => required('PROVIDER_KEYS_ID'),
  /** Where stand-ins for platforms are, as JSON by platform and role; with `{}` the platforms themselves are asked. */
  platformUrls: () => required('PLATFORM_URLS'),
  /** The secret with what platforms know this deployment as: its ARN. */
  platformClientsId: () => required('PLATFORM_CLIENTS_ID'),
  /** Where stand-ins for vendors are, as JSON: set by tests alone. */
  vendorUrls: () => process.env.VENDOR_URLS || '{}',
}
