/** The queues that wake the delivery worker: one for most deliveries, one for those to slow endpoints. */
import { Duration } from 'aws-cdk-lib'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'

/** A batch is posted all at once, and an endpoint has 8 s to acknowledge. */
export const deliveryTimeoutSeconds = 30

const queueDefaults = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true }

export class DeliveryQueues extends Construct {
  readonly normal: Queue
  readonly slow: Queue
  /** What the worker failed on five times. The rows of these deliveries are still found by the sweeper. */
  readonly deadLetters: Queue

  constructor(scope: Construct, id: string) {
    super(scope, id)
    this.deadLetters = new Queue(this, 'DeadDeliveries', { ...queueDefaults, retentionPeriod: Duration.days(14) })
    const props = {
      ...queueDefaults,
      // Six times the function's, as AWS advises: a batch that is being worked on is not given to a second worker.
      visibilityTimeout: Duration.seconds(6 * deliveryTimeoutSeconds),
      retentionPeriod: Duration.days(4),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: 5 },
    }
    this.normal = new Queue(this, 'DeliveryQueue', props)
    this.slow = new Queue(this, 'SlowDeliveryQueue', props)
  }
}
