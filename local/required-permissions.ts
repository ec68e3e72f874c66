// The IAM permissions that each SDK command needs, with resources named as in roles.json.

import type * as dynamodb from '@aws-sdk/lib-dynamodb'
import { bedrockMediaModels } from '../lib/domain/generation/provider-choice.ts'

/** A requested permission; `context` has the keys that conditions evaluate. */
export interface PermissionRequest {
  readonly action: string
  readonly resource: string
  readonly context?: Readonly<Record<string, readonly string[]>>
}

interface Command {
  readonly input: object
}

/** Throws for a command without a row in this file. */
export function requiredPermissions(command: Command): PermissionRequest[] {
  const { name } = command.constructor
  const asks = commands[name]
  if (!asks) throw new Error(`local/required-permissions.ts has no row for ${name}.`)
  return asks(command.input as never)
}

type PermissionsOf = (input: never) => PermissionRequest[]

const table = '{Table}'
const bucket = '{Media}'
const sealingKey = '{SealingKey}'

/** Leading keys are the partitions of all rows together: AWS does not document how it evaluates the rows of a transaction. */
const onRows = (
  actions: readonly string[],
  rows: readonly (Record<string, unknown> | undefined)[],
): PermissionRequest[] => {
  const context = { 'dynamodb:LeadingKeys': rows.map((row) => String(row?.pk)) }
  return actions.map((action) => ({ action: `dynamodb:${action}`, resource: table, context }))
}

/** Every query of the store names its partition first, with `=`. */
function queriedPartition({ KeyConditionExpression, ExpressionAttributeValues }: dynamodb.QueryCommandInput): string {
  const [, value = ''] = /^\S+ = (:\w+)/.exec(KeyConditionExpression ?? '') ?? []
  return String(ExpressionAttributeValues?.[value])
}

const transactionItems = ({ TransactItems = [] }: dynamodb.TransactWriteCommandInput) =>
  TransactItems.map(({ Put, Update, Delete, ConditionCheck }) => {
    if (Put) return { action: 'PutItem', row: Put.Item }
    if (Update) return { action: 'UpdateItem', row: Update.Key }
    if (Delete) return { action: 'DeleteItem', row: Delete.Key }
    return { action: 'ConditionCheckItem', row: ConditionCheck?.Key }
  })

const onObject =
  (action: string): PermissionsOf =>
  ({ Key }: { Key: string }) => [{ action: `s3:${action}`, resource: `${bucket}/${Key}` }]

/** An object that a service accesses with the permissions of the caller. */
const onObjectAt = (action: string, uri: string): PermissionRequest => ({
  action: `s3:${action}`,
  resource: `${bucket}/${new URL(uri).pathname.slice(1)}`,
})

const onKey =
  (action: string): PermissionsOf =>
  ({ EncryptionContext = {} }: { EncryptionContext?: Record<string, string> }) => {
    const context = Object.entries(EncryptionContext).map(([key, value]) => [`kms:EncryptionContext:${key}`, [value]])
    return [{ action: `kms:${action}`, resource: sealingKey, context: Object.fromEntries(context) }]
  }

/** Maps names of the local run, after the last `:` or `/` of an ARN or URL, to names of a deployment. */
const namedInRoles: Record<string, string> = {
  deliveries: '{DeliveriesDeliveryQueue}',
  'slow-deliveries': '{DeliveriesSlowDeliveryQueue}',
  'provider-keys': '{ProviderKeys}',
  'platform-clients': '{PlatformClients}',
}
const templateNameOf = (address: string) => namedInRoles[address.split(/[:/]/).at(-1)!] ?? address

const states = 'arn:aws:states:region:account'
const onExecution =
  (action: string): PermissionsOf =>
  ({ executionArn }: { executionArn: string }) => {
    const [machine, execution] = executionArn.split(':').slice(-2)
    return [{ action: `states:${action}`, resource: `${states}:execution:test-reelsmith-${machine}:${execution}` }]
  }

const bedrock = (region: string) => `arn:aws:bedrock:${region}`

/** An inference profile forwards the request to its model in any of its regions. */
const onModel = ({ modelId }: { modelId: string }): PermissionRequest[] => {
  const action = 'bedrock:InvokeModel'
  const [, model] = /^(?:global|apac|us-gov|[a-z]{2})\.(.+)$/.exec(modelId) ?? []
  if (model) {
    const profile = `${bedrock('region:account')}:inference-profile/${modelId}`
    return [profile, `${bedrock('anywhere')}::foundation-model/${model}`].map((resource) => ({ action, resource }))
  }
  const { region } = Object.values(bedrockMediaModels).find((one) => one.modelId === modelId) ?? { region: 'region' }
  return [{ action, resource: `${bedrock(region)}::foundation-model/${modelId}` }]
}

const anywhere =
  (action: string): PermissionsOf =>
  () => [{ action, resource: 'anywhere' }]

const commands: Record<string, PermissionsOf> = {
  GetCommand: ({ Key }: dynamodb.GetCommandInput) => onRows(['GetItem'], [Key]),
  BatchGetCommand: ({ RequestItems = {} }: dynamodb.BatchGetCommandInput) =>
    onRows(
      ['BatchGetItem'],
      Object.values(RequestItems).flatMap(({ Keys = [] }) => Keys),
    ),
  QueryCommand: (input: dynamodb.QueryCommandInput) => [
    {
      action: 'dynamodb:Query',
      resource: input.IndexName ? `${table}/index/${input.IndexName}` : table,
      context: { 'dynamodb:LeadingKeys': [queriedPartition(input)] },
    },
  ],
  PutCommand: ({ Item }: dynamodb.PutCommandInput) => onRows(['PutItem'], [Item]),
  UpdateCommand: ({ Key }: dynamodb.UpdateCommandInput) => onRows(['UpdateItem'], [Key]),
  DeleteCommand: ({ Key }: dynamodb.DeleteCommandInput) => onRows(['DeleteItem'], [Key]),
  TransactWriteCommand: (input: dynamodb.TransactWriteCommandInput) => {
    const parts = transactionItems(input)
    return onRows(
      [...new Set(parts.map(({ action }) => action))],
      parts.map(({ row }) => row),
    )
  },

  GetObjectCommand: onObject('GetObject'),
  HeadObjectCommand: onObject('GetObject'),
  PutObjectCommand: onObject('PutObject'),
  CreateMultipartUploadCommand: onObject('PutObject'),
  UploadPartCommand: onObject('PutObject'),
  CompleteMultipartUploadCommand: onObject('PutObject'),
  AbortMultipartUploadCommand: onObject('AbortMultipartUpload'),
  DeleteObjectCommand: onObject('DeleteObject'),
  DeleteObjectsCommand: ({ Delete }: { Delete: { Objects: { Key: string }[] } }) =>
    Delete.Objects.map(({ Key }) => ({ action: 's3:DeleteObject', resource: `${bucket}/${Key}` })),
  ListObjectsV2Command: () => [{ action: 's3:ListBucket', resource: bucket }],

  GenerateDataKeyCommand: onKey('GenerateDataKey'),
  DecryptCommand: onKey('Decrypt'),
  // Secrets Manager decrypts a secret with the permissions of the caller.
  GetSecretValueCommand: ({ SecretId }: { SecretId: string }) => {
    const secret = templateNameOf(SecretId)
    const context = { 'kms:EncryptionContext:SecretARN': [secret] }
    return [
      { action: 'secretsmanager:GetSecretValue', resource: secret },
      { action: 'kms:Decrypt', resource: sealingKey, context },
    ]
  },

  SendMessageBatchCommand: ({ QueueUrl }: { QueueUrl: string }) => [
    { action: 'sqs:SendMessage', resource: templateNameOf(QueueUrl) },
  ],

  StartExecutionCommand: ({ stateMachineArn }: { stateMachineArn: string }) => [
    {
      action: 'states:StartExecution',
      resource: `${states}:stateMachine:test-reelsmith-${stateMachineArn.split(':').at(-1)}`,
    },
  ],
  StopExecutionCommand: onExecution('StopExecution'),
  DescribeExecutionCommand: onExecution('DescribeExecution'),

  CreateScheduleCommand: ({ Name }: { Name: string }) => [
    { action: 'scheduler:CreateSchedule', resource: `arn:aws:scheduler:region:account:schedule/{SlotsGroup}/${Name}` },
    {
      action: 'iam:PassRole',
      resource: '{SlotsCaller}',
      context: { 'iam:PassedToService': ['scheduler.amazonaws.com'] },
    },
  ],

  ConverseCommand: onModel,
  InvokeModelCommand: onModel,
  StartAsyncInvokeCommand: (input: {
    modelId: string
    outputDataConfig: { s3OutputDataConfig: { s3Uri: string } }
  }) => [
    ...onModel(input),
    onObjectAt('PutObject', `${input.outputDataConfig.s3OutputDataConfig.s3Uri}/id/output.mp4`),
  ],
  GetAsyncInvokeCommand: () => [
    {
      action: 'bedrock:GetAsyncInvoke',
      resource: `${bedrock(bedrockMediaModels.luma.region)}:account:async-invoke/id`,
    },
  ],
  SynthesizeSpeechCommand: anywhere('polly:SynthesizeSpeech'),
  DescribeVoicesCommand: anywhere('polly:DescribeVoices'),
  StartTranscriptionJobCommand: ({ Media, OutputKey }: { Media: { MediaFileUri: string }; OutputKey: string }) => [
    { action: 'transcribe:StartTranscriptionJob', resource: 'anywhere' },
    onObjectAt('GetObject', Media.MediaFileUri),
    { action: 's3:PutObject', resource: `${bucket}/${OutputKey}` },
  ],
  GetTranscriptionJobCommand: anywhere('transcribe:GetTranscriptionJob'),
}
