/** Values that the stacks of one deployment share. */
import { Aws, type StackProps } from 'aws-cdk-lib'
import type { Pipeline } from '../domain/core/pipeline.ts'
import type { ProviderChoice } from '../domain/generation/provider-choice.ts'

/** The resources of the data stack for the other stacks, as exported values. */
export interface SharedResources {
  readonly tableName: string
  readonly tableArn: string
  readonly streamArn: string
  readonly bucketName: string
  readonly bucketArn: string
  /** Without a trailing slash. */
  readonly mediaUrl: string
  readonly sealingKeyArn: string
  /** The secret with the API keys of providers. */
  readonly providerKeysArn: string
  /** The secret with the OAuth clients of this deployment. */
  readonly platformClientsArn: string
  readonly deliveryQueue: QueueRef
  readonly slowDeliveryQueue: QueueRef
  /** The SNS topic of the alarms. */
  readonly alarmTopicArn: string
}

export interface QueueRef {
  readonly url: string
  readonly arn: string
}

export interface DeploymentContext {
  /** The prefix of all names of this deployment. */
  readonly name: string
  /** The region of its stacks. */
  readonly stackProps: Pick<StackProps, 'env'>
  readonly resources: SharedResources
  /** The provider of each capability. */
  readonly providers: ProviderChoice
  /** Seconds for which a request may wait for its job. */
  readonly waitSecondsMax: number
  readonly renderFunctions: RenderFunctions
}

export interface RenderFunctions {
  /** Parallel functions of one render; 0: renders run in tasks. */
  readonly max: number
  /** Executions that are reserved for the media function, whose number they limit; 0: none are. */
  readonly reserved: number
  readonly memoryMb: number
}

export const pipelineNames = ['generate', 'render', 'act', 'publish'] as const satisfies readonly Pipeline[]

/** Only state machines have explicit names, so that their ARNs are known without a reference to another stack. */
export const stateMachineName = ({ name }: Pick<DeploymentContext, 'name'>, pipeline: string) => `${name}-${pipeline}`

export const stateMachineArn = (deployment: Pick<DeploymentContext, 'name'>, pipeline: string) =>
  `arn:${Aws.PARTITION}:states:${Aws.REGION}:${Aws.ACCOUNT_ID}:stateMachine:${stateMachineName(deployment, pipeline)}`

/** https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
const memoryMbPerVcpu = 1769

/** The environment variables that `lib/env.ts` reads, for functions and for the container. */
export const functionEnvironment = (deployment: DeploymentContext) => ({
  DEPLOYMENT: deployment.name,
  TABLE_NAME: deployment.resources.tableName,
  BUCKET_NAME: deployment.resources.bucketName,
  MEDIA_URL: deployment.resources.mediaUrl,
  STATE_MACHINE_ARN_PREFIX: stateMachineArn(deployment, ''),
  SEALING_KEY_ID: deployment.resources.sealingKeyArn,
  PROVIDERS: JSON.stringify(deployment.providers),
  PROVIDER_KEYS_ID: deployment.resources.providerKeysArn,
  PLATFORM_CLIENTS_ID: deployment.resources.platformClientsArn,
  DELIVERY_QUEUE_URL: deployment.resources.deliveryQueue.url,
  SLOW_DELIVERY_QUEUE_URL: deployment.resources.slowDeliveryQueue.url,
  RENDER_TASKS_MAX: '4',
  RENDER_FUNCTIONS_MAX: String(deployment.renderFunctions.max),
  RENDER_FUNCTION_VCPUS: String(deployment.renderFunctions.memoryMb / memoryMbPerVcpu),
  WAIT_SECONDS_MAX: String(deployment.waitSecondsMax),
  PLATFORM_URLS: '{}',
  TIME_SCALE: '1',
  ALLOW_LOOPBACK: 'false',
  ALLOW_LOCAL_SERVERS: 'false',
})
