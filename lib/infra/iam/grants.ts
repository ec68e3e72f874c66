/**
 * What a role may do, in words of the product, and the IAM statements that each word stands for. No role gets anything else:
 * there are no managed policies and no grants by constructs that would say more than is needed.
 */
import { Aws, Stack, Validations } from 'aws-cdk-lib'
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { flattenCfnReference } from 'cdk-nag/lib/utils/flatten-cfn-reference.js'
import type { ArtefactKind } from '../../domain/core/artefact.ts'
import { dueIndex, keys, listIndex } from '../../store/core/keys.ts'
import { type DeploymentContext, pipelineNames, stateMachineArn, stateMachineName } from '../deployment-context.ts'

export interface Grant {
  readonly actions: readonly string[]
  readonly resources: readonly string[]
  /** Why a resource must hold a wildcard: the evidence that AwsSolutions asks for. */
  readonly wildcard?: string
  readonly conditions?: Record<string, Record<string, string | string[]>>
}

/** Adds the statements to the role, and acknowledges its wildcards where they were given a reason. */
export function attachGrants(role: IRole, grants: readonly Grant[]): void {
  for (const { actions, resources, wildcard, conditions } of grants) {
    role.addToPrincipalPolicy(new PolicyStatement({ actions: [...actions], resources: [...resources], conditions }))
    if (wildcard) acknowledgeWildcards(role, resources, wildcard)
  }
}

/** cdk-nag names each finding by the resource as it stands in the template. */
export function acknowledgeWildcards(role: IRole, resources: readonly string[], reason: string): void {
  const names = resources.map((resource) => flattenCfnReference(Stack.of(role).resolve(resource)))
  Validations.of(role).acknowledge(...names.map((name) => ({ id: `AwsSolutions-IAM5[Resource::${name}]`, reason })))
}

export const readRecords = ({ resources: { tableArn } }: DeploymentContext): Grant => ({
  actions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'],
  resources: [tableArn, `${tableArn}/index/${listIndex.name}`],
})

/** The actions of a commit: TransactWriteItems is allowed through those of its parts. */
export const writeRecords = ({ resources: { tableArn } }: DeploymentContext): Grant => ({
  actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem', 'dynamodb:ConditionCheckItem'],
  resources: [tableArn],
})

/** For whoever makes something and decides nothing: progress, and the rows by which each object is counted. None is removed. */
export const putRecords = ({ resources: { tableArn } }: DeploymentContext): Grant => ({
  actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem'],
  resources: [tableArn],
})

/** What an attempt to deliver changes, and no other row: whoever talks to strangers holds no key to balances. */
export const writeDeliveries = (shared: DeploymentContext): Grant => ({
  ...writeRecords(shared),
  conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['WS#*#DLV#*', 'WS#*#WEBHOOKS', 'WS#*#OUTBOX'] } },
})

/** The lists of voices, which belong to the deployment. */
export const writeVoices = (shared: DeploymentContext): Grant => ({
  actions: ['dynamodb:PutItem'],
  resources: [shared.resources.tableArn],
  conditions: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [keys.voices('').pk] } },
})

export const readDueIndex = ({ resources: { tableArn } }: DeploymentContext): Grant => ({
  actions: ['dynamodb:Query'],
  resources: [`${tableArn}/index/${dueIndex.name}`],
})

const objectsOf = ({ resources: { bucketArn } }: DeploymentContext, kinds: readonly ArtefactKind[]) =>
  kinds.map((kind) => `${bucketArn}/*/${kind}/*`)

const objectWildcard =
  'Keys are <workspace>/<video>/<kind>/<hash>: the role is held to the kinds it needs, the rest is known at run time only.'

export const readObjects = (shared: DeploymentContext, ...kinds: ArtefactKind[]): Grant => ({
  actions: ['s3:GetObject'],
  resources: objectsOf(shared, kinds),
  wildcard: objectWildcard,
})

export const writeObjects = (shared: DeploymentContext, ...kinds: ArtefactKind[]): Grant => ({
  actions: ['s3:PutObject'],
  resources: objectsOf(shared, kinds),
  wildcard: objectWildcard,
})

export const deleteObjectsOfKinds = (shared: DeploymentContext, ...kinds: ArtefactKind[]): Grant => ({
  actions: ['s3:DeleteObject'],
  resources: objectsOf(shared, kinds),
  wildcard: objectWildcard,
})

/** The clips with which one hears the voices of vendors: in the folder of the deployment's own. */
export const writePreviews = ({ resources: { bucketArn } }: DeploymentContext): Grant => ({
  actions: ['s3:GetObject', 's3:PutObject'],
  resources: [`${bucketArn}/voices/*`],
  wildcard: 'A vendor names its voices; the folder is fixed.',
})

/** Without it S3 answers HeadObject on a missing key with 403, and "is it there already?" would be an error. */
export const listBucket = ({ resources: { bucketArn } }: DeploymentContext): Grant => ({
  actions: ['s3:ListBucket'],
  resources: [bucketArn],
})

/** Held to what the contexts of endpoints' secrets say (`secretContext`): whatever else is sealed needs a word of its own here. */
const webhookContext = { StringEquals: { 'kms:EncryptionContext:purpose': 'webhook' } }

export const sealSecrets = ({ resources: { sealingKeyArn } }: DeploymentContext): Grant => ({
  actions: ['kms:GenerateDataKey'],
  resources: [sealingKeyArn],
  conditions: webhookContext,
})

/** For whoever posts to endpoints, and nobody else. */
export const unsealSecrets = ({ resources: { sealingKeyArn } }: DeploymentContext): Grant => ({
  actions: ['kms:Decrypt'],
  resources: [sealingKeyArn],
  conditions: webhookContext,
})

/** Held to what the contexts of tokens say (`tokensContext`). */
const accountContext = { StringEquals: { 'kms:EncryptionContext:purpose': 'account' } }

export const sealTokens = (shared: DeploymentContext): Grant => ({ ...sealSecrets(shared), conditions: accountContext })

/** For whoever speaks to platforms in the name of an account. */
export const unsealTokens = (shared: DeploymentContext): Grant => ({
  ...unsealSecrets(shared),
  conditions: accountContext,
})

/** Between a user's leaving for a platform and coming back (`consentContext`). */
const consentCondition = { StringEquals: { 'kms:EncryptionContext:purpose': 'consent' } }

export const sealConsents = (shared: DeploymentContext): Grant => ({
  ...sealSecrets(shared),
  conditions: consentCondition,
})

export const unsealConsents = (shared: DeploymentContext): Grant => ({
  ...unsealSecrets(shared),
  conditions: consentCondition,
})

/** Accounts and their tokens, and no other row: whoever talks to platforms holds no key to balances. */
export const writeAccounts = (shared: DeploymentContext): Grant => ({
  ...writeRecords(shared),
  conditions: {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [keys.profile('*', '').pk, keys.tokens('*', '').pk] },
  },
})

/**
 * The account that a user came back with, its tokens, and word of it to automations: one transaction. AWS does not say whether the keys of a
 * transaction are judged one by one or together, so one statement names all of them.
 */
export const connectAccounts = (shared: DeploymentContext): Grant => ({
  ...writeRecords(shared),
  conditions: {
    'ForAllValues:StringLike': {
      'dynamodb:LeadingKeys': [keys.profile('*', '').pk, keys.tokens('*', '').pk, keys.outbox('*', '').pk],
    },
  },
})

/** How far a posting is: a row beside its video's; and on that, what became of it. */
export const writePostings = ({ resources: { tableArn } }: DeploymentContext): Grant => ({
  actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem'],
  resources: [tableArn],
  conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [keys.posting('*', '*', '', '').pk] } },
})

const connectionKeys = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [keys.pendingConnection('*').pk] } }

/** What a user is sent away with. */
export const putConnections = ({ resources: { tableArn } }: DeploymentContext): Grant => ({
  actions: ['dynamodb:PutItem'],
  resources: [tableArn],
  conditions: connectionKeys,
})

/** What a user comes back with, once: who takes it back has no key. */
export const deleteConnections = ({ resources: { tableArn } }: DeploymentContext): Grant => ({
  actions: ['dynamodb:DeleteItem'],
  resources: [tableArn],
  conditions: connectionKeys,
})

/**
 * One secret, and the key for it alone: Secrets Manager opens it with the rights of whoever asks, and tells KMS which one it is
 * (https://docs.aws.amazon.com/secretsmanager/latest/userguide/security-encryption.html).
 */
const readSecret = (secretArn: string, { resources: { sealingKeyArn } }: DeploymentContext): Grant[] => [
  { actions: ['secretsmanager:GetSecretValue'], resources: [secretArn] },
  {
    actions: ['kms:Decrypt'],
    resources: [sealingKeyArn],
    conditions: { StringEquals: { 'kms:EncryptionContext:SecretARN': secretArn } },
  },
]

/** The keys of vendors. */
export const readProviderKeys = (shared: DeploymentContext): Grant[] =>
  readSecret(shared.resources.providerKeysArn, shared)

/** What platforms know this deployment as. */
export const readOAuthClients = (shared: DeploymentContext): Grant[] =>
  readSecret(shared.resources.platformClientsArn, shared)

export const sendDeliveries = ({ resources: { deliveryQueue, slowDeliveryQueue } }: DeploymentContext): Grant => ({
  actions: ['sqs:SendMessage'],
  resources: [deliveryQueue.arn, slowDeliveryQueue.arn],
})

/** What the event source mappings of the worker do in its name. */
export const receiveDeliveries = (shared: DeploymentContext): Grant => ({
  ...sendDeliveries(shared),
  actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
})

export const startPipelines = (shared: DeploymentContext): Grant => ({
  actions: ['states:StartExecution'],
  resources: pipelineNames.map((machine) => stateMachineArn(shared, machine)),
})

/** Everything of a removed video goes, whatever its kind; what lies under its prefix has to be listed first. */
export const deleteAllObjects = ({ resources: { bucketArn } }: DeploymentContext): Grant => ({
  actions: ['s3:DeleteObject'],
  resources: [`${bucketArn}/*`],
  wildcard: 'A removed video takes all of its objects with it, and their names are known at run time only.',
})

export const stopPipelines = (shared: DeploymentContext): Grant => ({
  ...describePipelines(shared),
  actions: ['states:StopExecution'],
})

export const describePipelines = (shared: DeploymentContext): Grant => ({
  actions: ['states:DescribeExecution'],
  resources: pipelineNames.map(
    (machine) =>
      `arn:${Aws.PARTITION}:states:${Aws.REGION}:${Aws.ACCOUNT_ID}:execution:${stateMachineName(shared, machine)}:*`,
  ),
  wildcard: 'Executions are named after their runs, which are made at run time; the state machine is fixed.',
})
