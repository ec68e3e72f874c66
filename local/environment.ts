// The environment variables that point handlers and the AWS SDK at the local services.

import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { PlatformUrls } from '../lib/platforms/publisher.ts'
import type { Credentials } from './aws-client-config.ts'
import { keyArn } from './emulators/kms.ts'
import { secretArn } from './emulators/secrets-manager.ts'
import { queueUrl } from './emulators/sqs.ts'
import { STATE_MACHINE_ARN_PREFIX } from './emulators/step-functions.ts'

/** The URL of each service, without a slash at the end, and the key pair of its clients. */
export interface Endpoints {
  readonly dynamodb: string
  readonly s3: string
  readonly sqs: string
  readonly states: string
  readonly scheduler: string
  readonly kms: string
  readonly secrets: string
  readonly sandbox: string
  readonly credentials: Credentials
}

/** URLs of the sandbox by platform id. A missing platform would be called for real. */
export type PlatformUrlsById = Readonly<Record<string, PlatformUrls>>

export const TABLE_NAME = 'reelsmith'
export const BUCKET_NAME = 'reelsmith-media'
export const DELIVERY_QUEUE = 'deliveries'
export const SLOW_DELIVERY_QUEUE = 'slow-deliveries'
export const SEALING_KEY = 'sealing'
export const PROVIDER_KEYS = 'provider-keys'
export const PLATFORM_CLIENTS = 'platform-clients'

/**
 * The variables to set before a handler is loaded. All functions share one process and so one environment. `timeScale` shortens
 * the waits between attempts of webhook deliveries and publications. `platformsStartedAt`: only for the process of the sandbox,
 * with which every request to it ends.
 */
export function localEnvironment(
  endpoints: Endpoints,
  {
    platformUrls,
    platformsStartedAt = '',
    timeScale = 1,
  }: { platformUrls: PlatformUrlsById; platformsStartedAt?: string; timeScale?: number },
): Record<string, string> {
  return {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: endpoints.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: endpoints.credentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
    AWS_ENDPOINT_URL_DYNAMODB_STREAMS: endpoints.dynamodb,
    AWS_ENDPOINT_URL_S3: endpoints.s3,
    AWS_ENDPOINT_URL_SQS: endpoints.sqs,
    AWS_ENDPOINT_URL_SFN: endpoints.states,
    AWS_ENDPOINT_URL_SCHEDULER: endpoints.scheduler,
    AWS_ENDPOINT_URL_KMS: endpoints.kms,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secrets,
    // s3rver does not support trailing checksums, which the SDK adds to every upload from a stream by default.
    AWS_REQUEST_CHECKSUM_CALCULATION: 'when_required',
    AWS_RESPONSE_CHECKSUM_VALIDATION: 'when_required',
    ...AWS_ENVIRONMENT_OVERRIDES,

    TABLE_NAME,
    BUCKET_NAME,
    MEDIA_URL: `${endpoints.s3}/${BUCKET_NAME}`,
    STATE_MACHINE_ARN_PREFIX,
    SEALING_KEY_ID: keyArn(SEALING_KEY),
    PROVIDER_KEYS_ID: secretArn(PROVIDER_KEYS),
    // Built-in providers by default; `provider-config.ts` overrides them.
    PROVIDERS: '{}',
    VENDOR_URLS: '{}',
    PLATFORM_URLS: JSON.stringify(platformUrls),
    PLATFORMS_STARTED_AT: platformsStartedAt,
    PLATFORM_CLIENTS_ID: secretArn(PLATFORM_CLIENTS),
    DELIVERY_QUEUE_URL: queueUrl(endpoints.sqs, DELIVERY_QUEUE),
    SLOW_DELIVERY_QUEUE_URL: queueUrl(endpoints.sqs, SLOW_DELIVERY_QUEUE),
    SLOT_SCHEDULE_GROUP: 'default',
    SLOT_WORKER_ARN: 'workers/run-due-slot',
    SLOT_CALLER_ROLE_ARN: 'arn:aws:iam::000000000000:role/local',
    // Not read locally: failures are logged.
    SLOT_DEAD_LETTERS_ARN: 'arn:aws:sqs:us-east-1:000000000000:lost',
    RENDER_TASKS_MAX: '1',
    // One process uses all cores.
    RENDER_FUNCTIONS_MAX: '1',
    RENDER_FUNCTION_VCPUS: String(availableParallelism()),
    WAIT_SECONDS_MAX: '25',
    TIME_SCALE: String(timeScale),
    ALLOW_LOOPBACK: 'true',
    // The operator of a local run names its servers, such as Ollama on this machine.
    ALLOW_LOCAL_SERVERS: 'true',
    // Every task is a separate process, and most of its start-up is compiling TypeScript (node:module, "Module compile cache").
    NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/node'),
  }
}

// Overrides a developer's settings for the real AWS: a profile would take precedence over the keys above, and the others would
// redirect requests or make them fail.
const AWS_ENVIRONMENT_OVERRIDES = {
  AWS_PROFILE: '',
  AWS_SESSION_TOKEN: '',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'false',
  AWS_USE_FIPS_ENDPOINT: 'false',
  AWS_USE_DUALSTACK_ENDPOINT: 'false',
}
