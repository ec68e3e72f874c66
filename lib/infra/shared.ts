/** What the stacks of one deployment tell each other. */
import { Aws } from 'aws-cdk-lib'

/** The table and the bucket as other stacks see them: exported values, since only these are known before synthesis. */
export interface Stores {
  readonly tableName: string
  readonly tableArn: string
  readonly streamArn: string
  readonly bucketName: string
  readonly bucketArn: string
  /** Without a slash at the end. */
  readonly mediaUrl: string
}

export interface Shared {
  /** What every name of this deployment begins with. */
  readonly name: string
  readonly stores: Stores
}

export const machines = ['generate', 'render', 'act'] as const
export type Machine = (typeof machines)[number]

/** Only state machines have chosen names: whoever starts one knows its ARN without reading another stack. */
export const stateMachineName = ({ name }: Shared, machine: string) => `${name}-${machine}`

export const stateMachineArn = (shared: Shared, machine: string) =>
  `arn:${Aws.PARTITION}:states:${Aws.REGION}:${Aws.ACCOUNT_ID}:stateMachine:${stateMachineName(shared, machine)}`

/** What `lib/env.ts` reads, for functions and for the container alike. */
export const environment = (shared: Shared) => ({
  TABLE_NAME: shared.stores.tableName,
  BUCKET_NAME: shared.stores.bucketName,
  MEDIA_URL: shared.stores.mediaUrl,
  STATE_MACHINE_ARN_PREFIX: stateMachineArn(shared, ''),
  ALLOW_LOOPBACK: 'false',
})
