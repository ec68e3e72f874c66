/**
 * Everything that lasts: the table, the media bucket and the addresses at which clients fetch from it, the key that seals secrets,
 * the secrets with the keys of vendors and with what platforms know this deployment as, and the queues of deliveries.
 */
import { join } from 'node:path'
import { Aws, CfnOutput, Duration, RemovalPolicy, SecretValue, Stack, Validations } from 'aws-cdk-lib'
import {
  CachePolicy,
  Distribution,
  HttpVersion,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import { Key } from 'aws-cdk-lib/aws-kms'
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  HttpMethods,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { AlarmTopic } from '../alarms/alarm-topic.ts'
import type { MonitoredResources } from '../alarms/alarms.ts'
import { repositoryRoot } from '../bundle-paths.ts'
import { readConfig } from '../config.ts'
import { DeliveryQueues } from '../constructs/delivery-queues.ts'
import { Table } from '../constructs/table.ts'
import { VoicePreviews } from '../constructs/voice-previews.ts'
import { type DeploymentContext, type QueueRef, type SharedResources, stateMachineArn } from '../deployment-context.ts'

/** Nobody but AWS services and roles of this account, and never without TLS. */
const bucketDefaults = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
  removalPolicy: RemovalPolicy.RETAIN,
}

export class DataStack extends Stack {
  readonly stores: SharedResources
  /** Names of queues. */
  readonly deliveries: MonitoredResources['deliveries']

  constructor(
    scope: Construct,
    id: string,
    { name, stackProps: place }: Pick<DeploymentContext, 'name' | 'stackProps'>,
  ) {
    super(scope, id, { ...place, description: 'Reelsmith: records, media and their addresses' })
    const { alarmAddress, logRetentionDays, keyRotationDays } = readConfig(this.node)
    const { table } = new Table(this, 'Table')

    const logs = new Bucket(this, 'AccessLogs', {
      ...bucketDefaults,
      // CloudFront still delivers its logs by ACL.
      objectOwnership: ObjectOwnership.BUCKET_OWNER_PREFERRED,
      lifecycleRules: [{ expiration: Duration.days(logRetentionDays) }],
    })
    const media = new Bucket(this, 'Media', {
      ...bucketDefaults,
      lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(1) }],
      serverAccessLogsBucket: logs,
      serverAccessLogsPrefix: 'bucket/',
      // Browsers put files at signed addresses themselves.
      cors: [
        { allowedMethods: [HttpMethods.PUT], allowedOrigins: ['*'], allowedHeaders: ['content-type', 'if-none-match'] },
      ],
    })
    // The construct's own switch would deploy a function of the CDK to turn it.
    const bucket = media.node.defaultChild as CfnBucket
    bucket.notificationConfiguration = { eventBridgeConfiguration: { eventBridgeEnabled: true } }
    // The library's own names of these are the same in every region, and CloudFront's are those of the whole account.
    const globalName = `${name}-${Aws.REGION}`
    const originAccessControl = new S3OriginAccessControl(this, 'Access', { originAccessControlName: globalName })
    // Browsers may keep an object for a year. What was removed is gone from the edges after a day.
    const cachePolicy = new CachePolicy(this, 'OneDay', {
      cachePolicyName: globalName,
      minTtl: Duration.seconds(1),
      defaultTtl: Duration.days(1),
      maxTtl: Duration.days(1),
      enableAcceptEncodingGzip: true,
      enableAcceptEncodingBrotli: true,
    })
    const distribution = new Distribution(this, 'Addresses', {
      comment: `${id}: stored media`,
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(media, { originAccessControl }),
        cachePolicy,
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        responseHeadersPolicy: ResponseHeadersPolicy.CORS_ALLOW_ALL_ORIGINS_AND_SECURITY_HEADERS,
      },
      httpVersion: HttpVersion.HTTP2_AND_3,
      enableLogging: true,
      logBucket: logs,
      logFilePrefix: 'addresses/',
    })
    Validations.of(distribution).acknowledge(
      { id: 'AwsSolutions-CFR1', reason: 'Videos are for viewers in every country.' },
      { id: 'AwsSolutions-CFR2', reason: 'Immutable files by GET; a WAF comes with the operational extras.' },
      {
        id: 'AwsSolutions-CFR4',
        reason: 'The default certificate fixes the TLS policy; it takes an own domain to raise it.',
      },
    )
    new VoicePreviews(this, 'VoicePreviews', { source: join(repositoryRoot, 'assets/voices'), bucket: media })

    // Without it no sealed secret could ever be opened again.
    const sealingKey = new Key(this, 'SealingKey', {
      description: `${id}: wraps the keys under which secrets are sealed`,
      enableKeyRotation: true,
      rotationPeriod: Duration.days(keyRotationDays),
      removalPolicy: RemovalPolicy.RETAIN,
    })
    // Filled in by the operator; a template never holds a key. CloudFormation leaves what was put there alone.
    const providerKeys = new Secret(this, 'ProviderKeys', {
      description: `${id}: the keys of vendors, as JSON`,
      encryptionKey: sealingKey,
      secretStringValue: SecretValue.unsafePlainText('{}'),
    })
    Validations.of(providerKeys).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'The keys are made by the vendors: their operators change them there, and then here.',
    })
    const platformClients = new Secret(this, 'PlatformClients', {
      description: `${id}: ids and secrets that platforms know this deployment by, as JSON`,
      encryptionKey: sealingKey,
      secretStringValue: SecretValue.unsafePlainText('{}'),
    })
    Validations.of(platformClients).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'The platforms make them, at the registration of an app: operators change them there, and then here.',
    })
    const { normal: usual, slow, deadLetters: dead } = new DeliveryQueues(this, 'Deliveries')
    const { topic } = new AlarmTopic(this, 'Alarms', alarmAddress)

    const mediaUrl = `https://${this.exportValue(distribution.distributionDomainName)}`
    this.stores = {
      tableName: this.exportValue(table.tableName),
      tableArn: this.exportValue(table.tableArn),
      streamArn: this.exportValue(table.tableStreamArn),
      bucketName: this.exportValue(media.bucketName),
      bucketArn: this.exportValue(media.bucketArn),
      mediaUrl,
      sealingKeyArn: this.exportValue(sealingKey.keyArn),
      providerKeysArn: this.exportValue(providerKeys.secretArn),
      platformClientsArn: this.exportValue(platformClients.secretArn),
      deliveryQueue: this.addressOf(usual),
      slowDeliveryQueue: this.addressOf(slow),
      alarmTopicArn: this.exportValue(topic.topicArn),
    }
    this.deliveries = {
      usual: this.exportValue(usual.queueName),
      slow: this.exportValue(slow.queueName),
      dead: this.exportValue(dead.queueName),
    }
    // What `npm run admin -- --stack` looks for, and what docs/deploy.md and docs/runbook.md ask an operator for.
    new CfnOutput(this, 'TableName', { value: table.tableName })
    new CfnOutput(this, 'BucketName', { value: media.bucketName })
    new CfnOutput(this, 'ProviderKeysArn', { value: providerKeys.secretArn })
    new CfnOutput(this, 'SealingKeyArn', { value: sealingKey.keyArn })
    new CfnOutput(this, 'PlatformClientsArn', { value: platformClients.secretArn })
    new CfnOutput(this, 'AlarmTopicArn', { value: topic.topicArn })
    new CfnOutput(this, 'MediaUrl', { value: `https://${distribution.distributionDomainName}` })
    new CfnOutput(this, 'DistributionId', { value: distribution.distributionId })
    new CfnOutput(this, 'DeliveryQueueUrl', { value: usual.queueUrl })
    new CfnOutput(this, 'SlowDeliveryQueueUrl', { value: slow.queueUrl })
    new CfnOutput(this, 'StateMachineArnPrefix', { value: stateMachineArn({ name }, '') })
  }

  private addressOf({ queueUrl, queueArn }: Queue): QueueRef {
    return { url: this.exportValue(queueUrl), arn: this.exportValue(queueArn) }
  }
}
