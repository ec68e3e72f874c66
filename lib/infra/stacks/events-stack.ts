/** What is woken by the table's stream, by queues, by the bucket and by the clock. */
import { Duration, Stack, Validations } from 'aws-cdk-lib'
import { Rule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets'
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda'
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations'
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources'
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { sourceFolder } from '../../domain/uploads/upload.ts'
import { outboxPrefix } from '../../store/core/keys.ts'
import type { MonitoredResources } from '../alarms/alarms.ts'
import { deliveryTimeoutSeconds } from '../constructs/delivery-queues.ts'
import { ReelsmithFunction } from '../constructs/reelsmith-function.ts'
import { schedulerRole } from '../constructs/scheduler-role.ts'
import { SlotSchedules } from '../constructs/slot-schedules.ts'
import type { DeploymentContext } from '../deployment-context.ts'
import { workerGrants } from '../iam/function-grants.ts'
import { attachGrants } from '../iam/grants.ts'

export class EventsStack extends Stack {
  readonly watched: Pick<MonitoredResources, 'deadLetterQueue' | 'sweeper' | 'dispatcher'>

  constructor(scope: Construct, id: string, shared: DeploymentContext) {
    super(scope, id, {
      ...shared.stackProps,
      description: 'Reelsmith: the outbox, webhook deliveries, slots of automations and the sweeper',
    })
    const deadLetters = new Queue(this, 'LostWakeUps', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    })
    Validations.of(deadLetters).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is the dead-letter queue of the stream mapping, the schedule and functions; nothing consumes it.',
    })
    const slots = new SlotSchedules(this, 'Slots', { ...shared, deadLetters: deadLetters })
    const dispatcher = this.dispatchOutbox(shared, deadLetters, slots)
    this.deliverWebhook(shared)
    const sweeper = this.sweep(shared, deadLetters, slots)
    this.renewTokens(shared, deadLetters)
    this.receiveUpload(shared, deadLetters)
    this.watched = {
      deadLetterQueue: this.exportValue(deadLetters.queueName),
      sweeper: this.exportValue(sweeper.functionName),
      dispatcher: this.exportValue(dispatcher.functionName),
    }
  }

  /** New outbox rows only. A batch that fails is halved; what still fails is told to the queue, and swept later. */
  private dispatchOutbox(shared: DeploymentContext, lost: Queue, slots: SlotSchedules) {
    const { streamArn } = shared.resources
    const { lambda, role } = new ReelsmithFunction(this, 'DispatchOutbox', {
      ...shared,
      file: 'functions/workers/dispatch-outbox.ts',
      description: 'Does what new outbox rows want done',
      grants: [...workerGrants['dispatch-outbox'](shared), ...slots.grants],
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
      parallelizationFactor: 4,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: 8,
      maxRecordAge: Duration.hours(1),
      onFailure: new SqsDlq(lost),
    })
    return lambda
  }

  /**
   * Endpoints that are known to be slow get few workers, so that they leave the others to the rest. The mappings bound both: reserved
   * concurrency would also keep it from the other functions of the account while nothing is delivered, and a new account has none to give.
   */
  private deliverWebhook(shared: DeploymentContext) {
    const { lambda } = new ReelsmithFunction(this, 'DeliverWebhook', {
      ...shared,
      file: 'functions/workers/deliver-webhook.ts',
      description: 'Posts events to webhook endpoints',
      grants: workerGrants['deliver-webhook'](shared),
      timeoutSeconds: deliveryTimeoutSeconds,
    })
    const { deliveryQueue, slowDeliveryQueue } = shared.resources
    const batches = { batchSize: 10, reportBatchItemFailures: true }
    lambda.addEventSourceMapping('Deliveries', { ...batches, eventSourceArn: deliveryQueue.arn, maxConcurrency: 100 })
    lambda.addEventSourceMapping('Slow', { ...batches, eventSourceArn: slowDeliveryQueue.arn, maxConcurrency: 5 })
  }

  /** The bucket tells EventBridge of all its objects; only those of uploads wake the function. What is lost is found by the sweeper. */
  private receiveUpload(shared: DeploymentContext, lost: Queue) {
    const { lambda } = new ReelsmithFunction(this, 'ReceiveUpload', {
      ...shared,
      file: 'functions/workers/receive-upload.ts',
      description: 'Makes a video of a file that was uploaded',
      grants: workerGrants['receive-upload'](shared),
      timeoutSeconds: 60,
    })
    lambda.configureAsyncInvoke({ retryAttempts: 2, onFailure: new SqsDestination(lost) })
    new Rule(this, 'SourceCreated', {
      description: 'A file of an upload has come',
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: {
          bucket: { name: [shared.resources.bucketName] },
          object: { key: [{ wildcard: `*${sourceFolder}*` }] },
        },
      },
      targets: [new LambdaTarget(lambda, { deadLetterQueue: lost, retryAttempts: 8, maxEventAge: Duration.hours(1) })],
    })
  }

  /** A run that was not started is made good by the next one: it is retried for less than the minute until then. */
  private sweep(shared: DeploymentContext, lost: Queue, slots: SlotSchedules) {
    const { lambda } = new ReelsmithFunction(this, 'Sweep', {
      ...shared,
      file: 'functions/workers/sweep.ts',
      description: 'Wakes again what waits longer than it should',
      grants: [...workerGrants.sweep(shared), ...slots.grants],
      environment: slots.environment,
      timeoutSeconds: 58,
    })
    lambda.configureAsyncInvoke({
      retryAttempts: 0,
      maxEventAge: Duration.minutes(1),
      onFailure: new SqsDestination(lost),
    })
    const role = schedulerRole(this, 'SweepCaller', { worker: lambda, lost })
    // The construct of the library would also allow every version of the function.
    const schedule = new CfnSchedule(this, 'EveryMinute', {
      description: 'Wakes the sweeper',
      scheduleExpression: 'rate(1 minute)',
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: lambda.functionArn,
        roleArn: role.roleArn,
        deadLetterConfig: { arn: lost.queueArn },
        retryPolicy: { maximumEventAgeInSeconds: 60, maximumRetryAttempts: 2 },
      },
    })
    schedule.node.addDependency(role)
    return lambda
  }

  /** Tokens are renewed days before they end: a run that was not started is made good by the next one. */
  private renewTokens(shared: DeploymentContext, lost: Queue) {
    const { lambda } = new ReelsmithFunction(this, 'RenewTokens', {
      ...shared,
      file: 'functions/workers/refresh-tokens.ts',
      description: 'Renews the tokens of accounts that nobody posts to',
      grants: workerGrants['refresh-tokens'](shared),
      timeoutSeconds: 180,
    })
    lambda.configureAsyncInvoke({
      retryAttempts: 0,
      maxEventAge: Duration.minutes(15),
      onFailure: new SqsDestination(lost),
    })
    const role = schedulerRole(this, 'RenewalCaller', { worker: lambda, lost })
    const schedule = new CfnSchedule(this, 'EveryQuarter', {
      description: 'Wakes the renewal of tokens',
      scheduleExpression: 'rate(15 minutes)',
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: lambda.functionArn,
        roleArn: role.roleArn,
        deadLetterConfig: { arn: lost.queueArn },
        retryPolicy: { maximumEventAgeInSeconds: 900, maximumRetryAttempts: 2 },
      },
    })
    schedule.node.addDependency(role)
  }
}
