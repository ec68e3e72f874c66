/** The queues of the delivery worker: one for most deliveries, one for those to slow endpoints. */
import { Duration } from 'aws-cdk-lib'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'

/** A batch is sent concurrently, and an endpoint has 8 s to respond. */
export const deliveryTimeoutSeconds = 30

const queueDefaults = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true }

export class DeliveryQueues extends Construct {
  readonly normal: Queue
  readonly slow: Queue
  /** Messages on which the worker failed five times. The sweeper still finds the rows of these deliveries. */
  readonly deadLetters: Queue

  constructor(scope: Construct, id: string) {
    super(scope, id)
    this.deadLetters = new Queue(this, 'DeadDeliveries', { ...queueDefaults, retentionPeriod: Duration.days(14) })
    const props = {
      ...queueDefaults,
      // Six times the function's timeout, as AWS recommends, so that a batch in progress is not delivered again.
      visibilityTimeout: Duration.seconds(6 * deliveryTimeoutSeconds),
      retentionPeriod: Duration.days(4),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: 5 },
    }
    this.normal = new Queue(this, 'DeliveryQueue', props)
    this.slow = new Queue(this, 'SlowDeliveryQueue', props)
  }
}
