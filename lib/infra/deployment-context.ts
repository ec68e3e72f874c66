/** What the stacks of one deployment tell each other. */
import { Aws, type StackProps } from 'aws-cdk-lib'
import type { ProviderChoice } from '../domain/generation/provider-choice.ts'

/** What lasts, as other stacks see it: exported values, since only these are known before synthesis. */
export interface SharedResources {
  readonly tableName: string
  readonly tableArn: string
  readonly streamArn: string
  readonly bucketName: string
  readonly bucketArn: string
  /** Without a slash at the end. */
  readonly mediaUrl: string
  readonly sealingKeyArn: string
  /** The secret with the keys of vendors. */
  readonly providerKeysArn: string
  /** The secret with what platforms know this deployment as. */
  readonly platformClientsArn: string
  readonly deliveryQueue: QueueRef
  readonly slowDeliveryQueue: QueueRef
  /** Where alarms are told. */
  readonly alarmTopicArn: string
}

export interface QueueRef {
  readonly url: string
  readonly arn: string
}

export interface DeploymentContext {
  /** What every name of this deployment begins with. */
  readonly name: string
  /** Where its stacks are deployed. */
  readonly stackProps: Pick<StackProps, 'env'>
  readonly resources: SharedResources
  /** Who makes what. */
  readonly providers: ProviderChoice
}

export const pipelineNames = ['generate', 'render', 'act', 'publish'] as const
export type PipelineName = (typeof pipelineNames)[number]

/** Only state machines have chosen names: whoever starts one knows its ARN without reading another stack. */
export const stateMachineName = ({ name }: Pick<DeploymentContext, 'name'>, machine: string) => `${name}-${machine}`

export const stateMachineArn = (shared: Pick<DeploymentContext, 'name'>, machine: string) =>
  `arn:${Aws.PARTITION}:states:${Aws.REGION}:${Aws.ACCOUNT_ID}:stateMachine:${stateMachineName(shared, machine)}`

/** What `lib/env.ts` reads, for functions and for the container alike. */
export const functionEnvironment = (shared: DeploymentContext) => ({
  DEPLOYMENT: shared.name,
  TABLE_NAME: shared.resources.tableName,
  BUCKET_NAME: shared.resources.bucketName,
  MEDIA_URL: shared.resources.mediaUrl,
  STATE_MACHINE_ARN_PREFIX: stateMachineArn(shared, ''),
  SEALING_KEY_ID: shared.resources.sealingKeyArn,
  PROVIDERS: JSON.stringify(shared.providers),
  PROVIDER_KEYS_ID: shared.resources.providerKeysArn,
  PLATFORM_CLIENTS_ID: shared.resources.platformClientsArn,
  DELIVERY_QUEUE_URL: shared.resources.deliveryQueue.url,
  SLOW_DELIVERY_QUEUE_URL: shared.resources.slowDeliveryQueue.url,
  RENDER_TASKS_MAX: '4',
  PLATFORM_URLS: '{}',
  TIME_SCALE: '1',
  ALLOW_LOOPBACK: 'false',
})
