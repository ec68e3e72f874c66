/**
 * Domain-level permissions and their IAM statements. Roles get no other statements: no managed policies and no `grant…`
 * methods of constructs, which would allow more than needed.
 */
import { Aws, Stack, Validations } from 'aws-cdk-lib'
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { flattenCfnReference } from 'cdk-nag/lib/utils/flatten-cfn-reference.js'
import type { ArtefactKind } from '../../domain/core/artefact.ts'
import { dueIndex, listIndex, type PartitionName, partitionPatterns } from '../../store/core/keys.ts'
import { type DeploymentContext, pipelineNames, stateMachineArn, stateMachineName } from '../deployment-context.ts'

export interface Grant {
  readonly actions: readonly string[]
  readonly resources: readonly string[]
  /** Why a resource needs a wildcard: the reason that cdk-nag's AwsSolutions requires. */
  readonly wildcard?: string
  readonly conditions?: Record<string, Record<string, string | string[]>>
}

export type GrantsFor = (deployment: DeploymentContext) => Grant[]

/** Adds the statements to the role, and acknowledges wildcards that have a reason. */
export function attachGrants(role: IRole, grants: readonly Grant[]): void {
  for (const { actions, resources, wildcard, conditions } of grants) {
    const limits = conditions && { conditions }
    role.addToPrincipalPolicy(new PolicyStatement({ actions: [...actions], resources: [...resources], ...limits }))
    if (wildcard) acknowledgeWildcards(role, resources, wildcard)
  }
}

/** cdk-nag identifies findings by the resource in the template. */
export function acknowledgeWildcards(role: IRole, resources: readonly string[], reason: string): void {
  const names = resources.map((resource) => flattenCfnReference(Stack.of(role).resolve(resource)))
  Validations.of(role).acknowledge(...names.map((name) => ({ id: `AwsSolutions-IAM5[Resource::${name}]`, reason })))
}

/**
 * Limits a statement to rows of these partitions. AWS does not document whether the keys of a transaction are evaluated
 * one by one or together, so one statement names all partitions of a transaction.
 */
const onPartitions = (partitions: readonly PartitionName[]): NonNullable<Grant['conditions']> => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions.map((name) => partitionPatterns[name]) },
})

const readActions = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query']

export const readRecords = ({ resources: { tableArn } }: DeploymentContext): Grant => ({
  actions: readActions,
  resources: [tableArn, `${tableArn}/index/${listIndex.name}`],
})

/** For functions that talk to untrusted hosts, parse untrusted media or serve unauthenticated requests. No index. */
export const readPartitions = (
  { resources: { tableArn } }: DeploymentContext,
  ...partitions: PartitionName[]
): Grant => ({ actions: readActions, resources: [tableArn], conditions: onPartitions(partitions) })

/** The actions of a commit: TransactWriteItems needs those of its items. */
export const writeRecords = (
  { resources: { tableArn } }: DeploymentContext,
  ...partitions: PartitionName[]
): Grant => ({
  actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem', 'dynamodb:ConditionCheckItem'],
  resources: [tableArn],
  conditions: onPartitions(partitions),
})

/**
 * For functions that create artefacts without a commit: progress, and the rows that count objects in the storage of the
 * workspace. No deletion.
 */
export const putArtefactRows = ({ resources: { tableArn } }: DeploymentContext): Grant => ({
  actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem'],
  resources: [tableArn],
  conditions: onPartitions(['workspace', 'videos']),
})

/**
 * Rows that a delivery attempt changes. Restricted, because this function talks to untrusted hosts: no access to
 * balances.
 */
export const writeDeliveries = (deployment: DeploymentContext): Grant =>
  writeRecords(deployment, 'deliveries', 'webhooks', 'outbox', 'tokenBuckets')

/** The token buckets, also for functions that only read records. */
export const countRequests = ({ resources: { tableArn } }: DeploymentContext): Grant => ({
  actions: ['dynamodb:UpdateItem'],
  resources: [tableArn],
  conditions: onPartitions(['tokenBuckets']),
})

/** The permits of requests that wait, for functions that otherwise only read records. */
export const takePermits = ({ resources: { tableArn } }: DeploymentContext): Grant => ({
  actions: ['dynamodb:UpdateItem'],
  resources: [tableArn],
  conditions: onPartitions(['semaphores']),
})

/** The deployment's cached lists of voices. */
export const writeVoices = (deployment: DeploymentContext): Grant => ({
  actions: ['dynamodb:PutItem'],
  resources: [deployment.resources.tableArn],
  conditions: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [partitionPatterns.voices] } },
})

/** The deployment's cached responses of searches for pictures and footage. */
export const cacheSearches = (deployment: DeploymentContext): Grant => ({
  actions: ['dynamodb:PutItem'],
  resources: [deployment.resources.tableArn],
  conditions: onPartitions(['searches']),
})

export const readDueIndex = ({ resources: { tableArn } }: DeploymentContext): Grant => ({
  actions: ['dynamodb:Query'],
  resources: [`${tableArn}/index/${dueIndex.name}`],
})

const objectsOf = ({ resources: { bucketArn } }: DeploymentContext, kinds: readonly ArtefactKind[]) =>
  kinds.map((kind) => `${bucketArn}/*/${kind}/*`)

const objectWildcard =
  'Keys are <workspace>/<video>/<kind>/<hash>: the role is limited to the kinds it needs; the rest is known only at run time.'

export const readObjects = (deployment: DeploymentContext, ...kinds: ArtefactKind[]): Grant => ({
  actions: ['s3:GetObject'],
  resources: objectsOf(deployment, kinds),
  wildcard: objectWildcard,
})

export const writeObjects = (deployment: DeploymentContext, ...kinds: ArtefactKind[]): Grant => ({
  actions: ['s3:PutObject'],
  resources: objectsOf(deployment, kinds),
  wildcard: objectWildcard,
})

export const deleteObjectsOfKinds = (deployment: DeploymentContext, ...kinds: ArtefactKind[]): Grant => ({
  actions: ['s3:DeleteObject'],
  resources: objectsOf(deployment, kinds),
  wildcard: objectWildcard,
})

/** Previews of the providers' voices, in the folder of the built-in ones. */
export const writePreviews = ({ resources: { bucketArn } }: DeploymentContext): Grant => ({
  actions: ['s3:GetObject', 's3:PutObject'],
  resources: [`${bucketArn}/voices/*`],
  wildcard: 'Voices are named by the provider; the folder is fixed.',
})

/** Without it HeadObject returns 403 instead of 404 for a missing key, so an existence check would fail. */
export const listBucket = ({ resources: { bucketArn } }: DeploymentContext): Grant => ({
  actions: ['s3:ListBucket'],
  resources: [bucketArn],
})

/** Matches `webhookSecretSealingContext`. Each kind of secret has a condition of its own. */
const webhookContext = { StringEquals: { 'kms:EncryptionContext:purpose': 'webhook' } }

export const sealSecrets = ({ resources: { sealingKeyArn } }: DeploymentContext): Grant => ({
  actions: ['kms:GenerateDataKey'],
  resources: [sealingKeyArn],
  conditions: webhookContext,
})

/** For functions that sign webhook deliveries. */
export const unsealSecrets = ({ resources: { sealingKeyArn } }: DeploymentContext): Grant => ({
  actions: ['kms:Decrypt'],
  resources: [sealingKeyArn],
  conditions: webhookContext,
})

/** Matches `newKeySealingContext`: stored responses that show a new API key. */
export const sealKeyReplays = (deployment: DeploymentContext): Grant => ({
  actions: ['kms:GenerateDataKey', 'kms:Decrypt'],
  resources: [deployment.resources.sealingKeyArn],
  conditions: { StringEquals: { 'kms:EncryptionContext:purpose': 'api-key' } },
})

/** Matches `tokensSealingContext`. */
const accountContext = { StringEquals: { 'kms:EncryptionContext:purpose': 'account' } }

export const sealTokens = (deployment: DeploymentContext): Grant => ({
  ...sealSecrets(deployment),
  conditions: accountContext,
})

/** For functions that call platforms on behalf of an account. */
export const unsealTokens = (deployment: DeploymentContext): Grant => ({
  ...unsealSecrets(deployment),
  conditions: accountContext,
})

/** For pending connections, between consent request and callback. */
const consentCondition = { StringEquals: { 'kms:EncryptionContext:purpose': 'consent' } }

export const sealConsents = (deployment: DeploymentContext): Grant => ({
  ...sealSecrets(deployment),
  conditions: consentCondition,
})

export const unsealConsents = (deployment: DeploymentContext): Grant => ({
  ...unsealSecrets(deployment),
  conditions: consentCondition,
})

/** Accounts and their tokens. Restricted, because these functions talk to platforms: no access to balances. */
export const writeAccounts = (deployment: DeploymentContext): Grant => writeRecords(deployment, 'profiles', 'tokens')

/** The transaction that connects an account: the account, its tokens, and an outbox entry for automations. */
export const connectAccounts = (deployment: DeploymentContext): Grant =>
  writeRecords(deployment, 'profiles', 'tokens', 'outbox')

/** Postings: rows in the partition of their video, and the video's row with their outcome. */
export const writePostings = ({ resources: { tableArn } }: DeploymentContext): Grant => ({
  actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem'],
  resources: [tableArn],
  conditions: onPartitions(['videos']),
})

const connectionKeys = onPartitions(['pendingConnections'])

/** Stores a pending connection. */
export const putConnections = ({ resources: { tableArn } }: DeploymentContext): Grant => ({
  actions: ['dynamodb:PutItem'],
  resources: [tableArn],
  conditions: connectionKeys,
})

/** Consumes a pending connection, at most once. */
export const deleteConnections = ({ resources: { tableArn } }: DeploymentContext): Grant => ({
  actions: ['dynamodb:DeleteItem'],
  resources: [tableArn],
  conditions: connectionKeys,
})

/**
 * One secret and its decryption: Secrets Manager calls KMS with the permissions of the caller and with the secret's ARN
 * as encryption context (https://docs.aws.amazon.com/secretsmanager/latest/userguide/security-encryption.html).
 */
const readSecret = (secretArn: string, { resources: { sealingKeyArn } }: DeploymentContext): Grant[] => [
  { actions: ['secretsmanager:GetSecretValue'], resources: [secretArn] },
  {
    actions: ['kms:Decrypt'],
    resources: [sealingKeyArn],
    conditions: { StringEquals: { 'kms:EncryptionContext:SecretARN': secretArn } },
  },
]

/** The API keys of providers. */
export const readProviderKeys = (deployment: DeploymentContext): Grant[] =>
  readSecret(deployment.resources.providerKeysArn, deployment)

/** The OAuth clients of this deployment. */
export const readOAuthClients = (deployment: DeploymentContext): Grant[] =>
  readSecret(deployment.resources.platformClientsArn, deployment)

export const sendDeliveries = ({ resources: { deliveryQueue, slowDeliveryQueue } }: DeploymentContext): Grant => ({
  actions: ['sqs:SendMessage'],
  resources: [deliveryQueue.arn, slowDeliveryQueue.arn],
})

/** The actions of the worker's event source mappings, which use its role. */
export const receiveDeliveries = (deployment: DeploymentContext): Grant => ({
  ...sendDeliveries(deployment),
  actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
})

export const startPipelines = (deployment: DeploymentContext): Grant => ({
  actions: ['states:StartExecution'],
  resources: pipelineNames.map((pipeline) => stateMachineArn(deployment, pipeline)),
})

/** Deletes a video's objects of all kinds; needs `listBucket` as well. */
export const deleteAllObjects = ({ resources: { bucketArn } }: DeploymentContext): Grant => ({
  actions: ['s3:DeleteObject'],
  resources: [`${bucketArn}/*`],
  wildcard: 'All objects of a deleted video are deleted, and their names are known only at run time.',
})

export const stopPipelines = (deployment: DeploymentContext): Grant => ({
  ...describePipelines(deployment),
  actions: ['states:StopExecution'],
})

export const describePipelines = (deployment: DeploymentContext): Grant => ({
  actions: ['states:DescribeExecution'],
  resources: pipelineNames.map(
    (pipeline) =>
      `arn:${Aws.PARTITION}:states:${Aws.REGION}:${Aws.ACCOUNT_ID}:execution:${stateMachineName(deployment, pipeline)}:*`,
  ),
  wildcard: 'Executions are named after runs, which are created at run time; the state machine is fixed.',
})
