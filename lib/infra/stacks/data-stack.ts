/**
 * All persistent resources: the table, the media bucket with its CloudFront distribution, the sealing key, the secrets
 * with the API keys of providers and with the OAuth clients, and the delivery queues.
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
import { CacheControl } from 'aws-cdk-lib/aws-s3-deployment'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { AlarmTopic } from '../alarms/alarm-topic.ts'
import type { MonitoredResources } from '../alarms/alarms.ts'
import { repositoryRoot } from '../bundle-paths.ts'
import { readConfig } from '../config.ts'
import { DeliveryQueues } from '../constructs/delivery-queues.ts'
import { FolderCopy } from '../constructs/folder-copy.ts'
import { Table } from '../constructs/table.ts'
import { type DeploymentContext, type QueueRef, type SharedResources, stateMachineArn } from '../deployment-context.ts'

/** Access only for AWS services and roles of this account, and only with TLS. */
const bucketDefaults = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
  removalPolicy: RemovalPolicy.RETAIN,
}

export class DataStack extends Stack {
  readonly resources: SharedResources
  readonly logBucketName: string
  /** Queue names. */
  readonly deliveries: MonitoredResources['deliveries']

  constructor(scope: Construct, id: string, { name, stackProps }: Pick<DeploymentContext, 'name' | 'stackProps'>) {
    super(scope, id, { ...stackProps, description: 'Reelsmith: records, media and their distribution' })
    const { alarmAddress, logRetentionDays, keyRotationDays, assetKey } = readConfig(this.node)
    const { table } = new Table(this, 'Table')

    const logs = new Bucket(this, 'AccessLogs', {
      ...bucketDefaults,
      // CloudFront delivers its logs by ACL.
      objectOwnership: ObjectOwnership.BUCKET_OWNER_PREFERRED,
      lifecycleRules: [{ expiration: Duration.days(logRetentionDays) }],
    })
    const media = new Bucket(this, 'Media', {
      ...bucketDefaults,
      lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(1) }],
      serverAccessLogsBucket: logs,
      serverAccessLogsPrefix: 'bucket/',
      // Browsers upload files to presigned URLs.
      cors: [
        { allowedMethods: [HttpMethods.PUT], allowedOrigins: ['*'], allowedHeaders: ['content-type', 'if-none-match'] },
      ],
    })
    // The construct's property would deploy a custom resource function for this setting.
    const bucket = media.node.defaultChild as CfnBucket
    bucket.notificationConfiguration = { eventBridgeConfiguration: { eventBridgeEnabled: true } }
    // The CDK's default names are equal in all regions, but CloudFront's names are global in an account.
    const globalName = `${name}-${Aws.REGION}`
    const originAccessControl = new S3OriginAccessControl(this, 'Access', { originAccessControlName: globalName })
    // Browsers may cache an object for a year; edge locations drop deleted objects after a day.
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
      { id: 'AwsSolutions-CFR1', reason: 'Videos are for viewers in all countries.' },
      { id: 'AwsSolutions-CFR2', reason: 'Immutable files by GET, which need no WAF.' },
      {
        id: 'AwsSolutions-CFR4',
        reason: 'The default certificate fixes the TLS policy; only a custom domain could raise it.',
      },
    )
    // The previews of `GET /voices`.
    new FolderCopy(this, 'VoicePreviews', {
      source: join(repositoryRoot, 'assets/voices'),
      bucket: media,
      folder: 'voices',
      assetKey,
      contentType: 'audio/mp4',
      cacheControl: [CacheControl.fromString('public, max-age=86400')],
    })

    // Retained: without this key, no sealed secret could be decrypted.
    const sealingKey = new Key(this, 'SealingKey', {
      description: `${id}: wraps the data keys of sealed secrets`,
      enableKeyRotation: true,
      rotationPeriod: Duration.days(keyRotationDays),
      removalPolicy: RemovalPolicy.RETAIN,
    })
    // The operator sets the value, since a template must not hold a key. CloudFormation does not overwrite it.
    const providerKeys = new Secret(this, 'ProviderKeys', {
      description: `${id}: API keys of providers, as JSON`,
      encryptionKey: sealingKey,
      secretStringValue: SecretValue.unsafePlainText('{}'),
    })
    Validations.of(providerKeys).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'The providers issue the keys: operators rotate them there, then here.',
    })
    const platformClients = new Secret(this, 'PlatformClients', {
      description: `${id}: OAuth clients of this deployment by platform, as JSON`,
      encryptionKey: sealingKey,
      secretStringValue: SecretValue.unsafePlainText('{}'),
    })
    Validations.of(platformClients).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'The platforms issue them when an app is registered: operators rotate them there, then here.',
    })
    const { normal, slow, deadLetters } = new DeliveryQueues(this, 'Deliveries')
    const { topic } = new AlarmTopic(this, 'Alarms', alarmAddress)

    const mediaUrl = `https://${this.exportValue(distribution.distributionDomainName)}`
    this.resources = {
      tableName: this.exportValue(table.tableName),
      tableArn: this.exportValue(table.tableArn),
      streamArn: this.exportValue(table.tableStreamArn),
      bucketName: this.exportValue(media.bucketName),
      bucketArn: this.exportValue(media.bucketArn),
      mediaUrl,
      sealingKeyArn: this.exportValue(sealingKey.keyArn),
      providerKeysArn: this.exportValue(providerKeys.secretArn),
      platformClientsArn: this.exportValue(platformClients.secretArn),
      deliveryQueue: this.queueRef(normal),
      slowDeliveryQueue: this.queueRef(slow),
      alarmTopicArn: this.exportValue(topic.topicArn),
    }
    this.logBucketName = this.exportValue(logs.bucketName)
    this.deliveries = {
      normal: this.exportValue(normal.queueName),
      slow: this.exportValue(slow.queueName),
      deadLetters: this.exportValue(deadLetters.queueName),
    }
    // Read by `npm run admin -- --stack`, and named in docs/operations/deploy.md and docs/operations/runbook.md.
    new CfnOutput(this, 'TableName', { value: table.tableName })
    new CfnOutput(this, 'BucketName', { value: media.bucketName })
    new CfnOutput(this, 'ProviderKeysArn', { value: providerKeys.secretArn })
    new CfnOutput(this, 'SealingKeyArn', { value: sealingKey.keyArn })
    new CfnOutput(this, 'PlatformClientsArn', { value: platformClients.secretArn })
    new CfnOutput(this, 'AlarmTopicArn', { value: topic.topicArn })
    new CfnOutput(this, 'MediaUrl', { value: `https://${distribution.distributionDomainName}` })
    new CfnOutput(this, 'DistributionId', { value: distribution.distributionId })
    new CfnOutput(this, 'DeliveryQueueUrl', { value: normal.queueUrl })
    new CfnOutput(this, 'SlowDeliveryQueueUrl', { value: slow.queueUrl })
    new CfnOutput(this, 'StateMachineArnPrefix', { value: stateMachineArn({ name }, '') })
  }

  private queueRef({ queueUrl, queueArn }: Queue): QueueRef {
    return { url: this.exportValue(queueUrl), arn: this.exportValue(queueArn) }
  }
}
