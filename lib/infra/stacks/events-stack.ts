/** The workers with their triggers: the table's stream, queues, the bucket and schedules. */
import { Duration, Stack, Validations } from 'aws-cdk-lib'
import { Rule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets'
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda'
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations'
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources'
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { sourceFolder } from '../../domain/uploads/upload-lifecycle.ts'
import { outboxPrefix } from '../../store/core/keys.ts'
import type { MonitoredResources } from '../alarms/alarms.ts'
import { type ConcurrencyShares, concurrencyShares } from '../concurrency-shares.ts'
import { readConfig } from '../config.ts'
import { deliveryTimeoutSeconds } from '../constructs/delivery-queues.ts'
import { ReelsmithFunction } from '../constructs/reelsmith-function.ts'
import { schedulerRole } from '../constructs/scheduler-role.ts'
import { SlotTimers } from '../constructs/slot-timers.ts'
import type { DeploymentContext } from '../deployment-context.ts'
import { workerGrants } from '../iam/function-grants.ts'
import { attachGrants } from '../iam/grants.ts'

export class EventsStack extends Stack {
  readonly monitored: Pick<MonitoredResources, 'deadLetterQueue' | 'sweeper' | 'dispatcher'>
  private readonly shares: ConcurrencyShares

  constructor(scope: Construct, id: string, deployment: DeploymentContext) {
    super(scope, id, {
      ...deployment.stackProps,
      description: 'Reelsmith: the outbox, webhook deliveries, automation slots and the sweeper',
    })
    this.shares = concurrencyShares(readConfig(this.node).concurrency)
    const deadLetters = new Queue(this, 'LostWakeUps', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    })
    Validations.of(deadLetters).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is itself the dead-letter queue of the stream mapping, the schedules and functions.',
    })
    const slots = new SlotTimers(this, 'Slots', { ...deployment, deadLetters })
    const dispatcher = this.dispatchOutbox(deployment, deadLetters, slots)
    this.deliverWebhook(deployment)
    const sweeper = this.sweep(deployment, deadLetters, slots)
    this.refreshTokens(deployment, deadLetters)
    this.receiveUpload(deployment, deadLetters)
    this.monitored = {
      deadLetterQueue: this.exportValue(deadLetters.queueName),
      sweeper: this.exportValue(sweeper.functionName),
      dispatcher: this.exportValue(dispatcher.functionName),
    }
  }

  /**
   * For new outbox rows only. A failing batch is halved; rows that still fail go to the dead-letter queue and to the
   * sweeper.
   */
  private dispatchOutbox(deployment: DeploymentContext, deadLetters: Queue, slots: SlotTimers) {
    const { streamArn } = deployment.resources
    const { lambda, role } = new ReelsmithFunction(this, 'DispatchOutbox', {
      ...deployment,
      entry: 'workers-dispatch-outbox',
      description: 'Dispatches new outbox entries',
      grants: [...workerGrants['dispatch-outbox'](deployment), ...slots.grants],
      environment: slots.environment,
      timeoutSeconds: 60,
    })
    attachGrants(role, [
      {
        actions: [
          'dynamodb:DescribeStream',
          'dynamodb:GetRecords',
          'dynamodb:GetShardIterator',
          'dynamodb:ListStreams',
        ],
        resources: [streamArn],
      },
    ])
    lambda.addEventSourceMapping('Outbox', {
      eventSourceArn: streamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.isEqual('INSERT'),
          dynamodb: { Keys: { sk: { S: FilterRule.beginsWith(outboxPrefix) } } },
        }),
      ],
      batchSize: 25,
      parallelizationFactor: this.shares.batchesPerShard,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: 8,
      maxRecordAge: Duration.hours(1),
      onFailure: new SqsDlq(deadLetters),
    })
    return lambda
  }

  /**
   * Slow endpoints get few concurrent workers, so that they do not delay the others. The mappings limit concurrency:
   * a reservation would also take it from the account's other functions while nothing is delivered.
   */
  private deliverWebhook(deployment: DeploymentContext) {
    const { lambda } = new ReelsmithFunction(this, 'DeliverWebhook', {
      ...deployment,
      entry: 'workers-deliver-webhook',
      description: 'Sends events to webhook endpoints',
      grants: workerGrants['deliver-webhook'](deployment),
      timeoutSeconds: deliveryTimeoutSeconds,
      // A retry is a message of the function to its own queue. Lambda would stop such a chain after 16 invocations and
      // dead-letter a delivery that is still within its attempts, which limit the chain.
      allowsRecursion: true,
    })
    const { deliveryQueue, slowDeliveryQueue } = deployment.resources
    const { normal, slow } = this.shares.deliveries
    const batches = { batchSize: 10, reportBatchItemFailures: true }
    lambda.addEventSourceMapping('Deliveries', {
      ...batches,
      eventSourceArn: deliveryQueue.arn,
      maxConcurrency: normal,
    })
    lambda.addEventSourceMapping('Slow', { ...batches, eventSourceArn: slowDeliveryQueue.arn, maxConcurrency: slow })
  }

  /**
   * The bucket sends all object events to EventBridge; only uploads invoke the function. The sweeper finds lost ones.
   */
  private receiveUpload(deployment: DeploymentContext, deadLetters: Queue) {
    const { lambda } = new ReelsmithFunction(this, 'ReceiveUpload', {
      ...deployment,
      entry: 'workers-receive-upload',
      description: 'Creates a video from an uploaded file',
      grants: workerGrants['receive-upload'](deployment),
      timeoutSeconds: 60,
    })
    lambda.configureAsyncInvoke({ retryAttempts: 2, onFailure: new SqsDestination(deadLetters) })
    new Rule(this, 'SourceCreated', {
      description: 'The file of an upload has arrived',
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: {
          bucket: { name: [deployment.resources.bucketName] },
          object: { key: [{ wildcard: `*${sourceFolder}*` }] },
        },
      },
      targets: [
        new LambdaTarget(lambda, { deadLetterQueue: deadLetters, retryAttempts: 8, maxEventAge: Duration.hours(1) }),
      ],
    })
  }

  /** The next run compensates for a missed one, so retries end before it. */
  private sweep(deployment: DeploymentContext, deadLetters: Queue, slots: SlotTimers) {
    const { lambda } = new ReelsmithFunction(this, 'Sweep', {
      ...deployment,
      entry: 'workers-sweep',
      description: 'Recovers records whose worker did not run',
      grants: [...workerGrants.sweep(deployment), ...slots.grants],
      environment: slots.environment,
      timeoutSeconds: 58,
    })
    lambda.configureAsyncInvoke({
      retryAttempts: 0,
      maxEventAge: Duration.minutes(1),
      onFailure: new SqsDestination(deadLetters),
    })
    const role = schedulerRole(this, 'SweepCaller', { worker: lambda, deadLetters })
    // The L2 construct would also allow all versions of the function.
    const schedule = new CfnSchedule(this, 'EveryMinute', {
      description: 'Invokes the sweeper',
      scheduleExpression: 'rate(1 minute)',
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: lambda.functionArn,
        roleArn: role.roleArn,
        deadLetterConfig: { arn: deadLetters.queueArn },
        retryPolicy: { maximumEventAgeInSeconds: 60, maximumRetryAttempts: 2 },
      },
    })
    schedule.node.addDependency(role)
    return lambda
  }

  /** Tokens are refreshed days before they expire, so the next run compensates for a missed one. */
  private refreshTokens(deployment: DeploymentContext, deadLetters: Queue) {
    const { lambda } = new ReelsmithFunction(this, 'RenewTokens', {
      ...deployment,
      entry: 'workers-refresh-tokens',
      description: 'Refreshes the expiring tokens of accounts',
      grants: workerGrants['refresh-tokens'](deployment),
      timeoutSeconds: 180,
    })
    lambda.configureAsyncInvoke({
      retryAttempts: 0,
      maxEventAge: Duration.minutes(15),
      onFailure: new SqsDestination(deadLetters),
    })
    const role = schedulerRole(this, 'RenewalCaller', { worker: lambda, deadLetters })
    const schedule = new CfnSchedule(this, 'EveryQuarter', {
      description: 'Invokes the refresh of tokens',
      scheduleExpression: 'rate(15 minutes)',
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: lambda.functionArn,
        roleArn: role.roleArn,
        deadLetterConfig: { arn: deadLetters.queueArn },
        retryPolicy: { maximumEventAgeInSeconds: 900, maximumRetryAttempts: 2 },
      },
    })
    schedule.node.addDependency(role)
  }
}
