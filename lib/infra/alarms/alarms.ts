/**
 * The CloudWatch alarms that page the on-call engineer, each with its entry in docs/operations/runbook.md. Each alarm
 * has one metric, and there are ten, because ten are free and more would cost an idle deployment more than all its
 * queues. Other metrics are on the dashboard.
 */
import { Duration } from 'aws-cdk-lib'
import { Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import type { MetricName } from '../../domain/records/metrics.ts'

/** Names of the monitored resources. */
export interface MonitoredResources {
  /** The deployment: the dimension of each metric in `lib/metrics.ts`. */
  readonly name: string
  readonly tableName: string
  readonly apiId: string
  readonly deliveries: { readonly normal: string; readonly slow: string; readonly deadLetters: string }
  readonly deadLetterQueue: string
  readonly sweeper: string
  readonly dispatcher: string
  readonly stateMachineArns: readonly string[]
}

interface AlarmDefinition {
  /** The heading in docs/operations/runbook.md. */
  runbookEntry: string
  symptom: string
  metric: Metric
  /** The lowest value that raises the alarm. */
  threshold: number
  /** Evaluation periods, 1 if absent: one breaching minute raises the alarm and keeps it up for as many minutes. */
  minutes?: number
}

/**
 * Failed API requests, counted from the access log, since the gateway's 5xx metric includes the 503 with which a
 * function asks for a retry.
 */
export const apiFaultsMetric = ({ name }: Pick<MonitoredResources, 'name'>) => ({
  metricNamespace: 'Reelsmith/Api',
  metricName: `${name}-faults`,
})

/** A metric that the service emits, for the whole deployment. */
export const serviceMetric = ({ name }: Pick<MonitoredResources, 'name'>, metricName: MetricName, statistic: string) =>
  new Metric({
    namespace: 'Reelsmith',
    metricName,
    dimensionsMap: { deployment: name },
    statistic,
    period: Duration.minutes(1),
  })

/** A metric that AWS emits. */
export const awsMetric = (
  namespace: 'ApiGateway' | 'DynamoDB' | 'Lambda' | 'SQS' | 'States',
  metricName: string,
  dimensionsMap: Record<string, string>,
  statistic = 'Sum',
) => new Metric({ namespace: `AWS/${namespace}`, metricName, dimensionsMap, statistic, period: Duration.minutes(1) })

function faultsOf(monitored: MonitoredResources): Metric {
  const { metricNamespace: namespace, metricName } = apiFaultsMetric(monitored)
  return new Metric({ namespace, metricName, statistic: 'Sum', period: Duration.minutes(5) })
}

const deadLetterMetric = (QueueName: string) =>
  awsMetric('SQS', 'ApproximateNumberOfMessagesVisible', { QueueName }, 'Maximum')

const alarmDefinitions = (monitored: MonitoredResources): AlarmDefinition[] => [
  {
    runbookEntry: 'API faults',
    symptom: 'Three API requests within five minutes failed with 5xx, not counting retryable 503 responses.',
    metric: faultsOf(monitored),
    threshold: 3,
  },
  {
    runbookEntry: 'Outbox late',
    symptom: 'An outbox entry waited for more than a minute.',
    metric: serviceMetric(monitored, 'OutboxAge', 'Maximum'),
    threshold: 60,
    minutes: 5,
  },
  {
    runbookEntry: 'Deliveries late',
    // Above the two minutes that an event waits for the sweeper while the stream stalls: that is another alarm.
    symptom: 'A webhook delivery is three minutes late.',
    metric: serviceMetric(monitored, 'DeliveryLateness', 'Maximum'),
    threshold: 180,
    minutes: 5,
  },
  {
    runbookEntry: 'Dead deliveries',
    symptom: 'Delivery dead-letter queue not empty: the delivery worker failed five times on a message.',
    metric: deadLetterMetric(monitored.deliveries.deadLetters),
    threshold: 1,
  },
  {
    runbookEntry: 'Lost wake-ups',
    symptom:
      'Dead-letter queue not empty: a worker exhausted its retries for a record, an upload, a slot or a schedule.',
    metric: deadLetterMetric(monitored.deadLetterQueue),
    threshold: 1,
  },
  {
    runbookEntry: 'Sweeper repairs',
    symptom: 'The sweeper recovered a record whose worker did not run.',
    metric: serviceMetric(monitored, 'Repairs', 'Sum'),
    threshold: 1,
    minutes: 5,
  },
  {
    runbookEntry: 'Faults of workers',
    symptom:
      'A worker failed on an item that will be retried, AWS failed calls of an API request, or a slot was missed.',
    metric: serviceMetric(monitored, 'Faults', 'Sum'),
    threshold: 1,
    minutes: 5,
  },
  {
    runbookEntry: 'Jobs failing',
    symptom: 'Three jobs failed within 15 minutes, not counting expected limits.',
    metric: serviceMetric(monitored, 'JobsFailed', 'Sum').with({ period: Duration.minutes(15) }),
    threshold: 3,
  },
  {
    runbookEntry: 'Posts unknown',
    symptom: 'The outcome of a post is unknown: it may have been published.',
    metric: serviceMetric(monitored, 'PostsUnknown', 'Sum'),
    threshold: 1,
    minutes: 5,
  },
]

/** The anchor of a heading, as GitHub generates it. */
export const runbookAnchor = (heading: string) => heading.toLowerCase().replaceAll(' ', '-')

export class Alarms extends Construct {
  readonly alarms: Alarm[]

  constructor(scope: Construct, id: string, { monitored, topic }: { monitored: MonitoredResources; topic: ITopic }) {
    super(scope, id)
    const action = new SnsAction(topic)
    const nameAndDescription = ({ runbookEntry, symptom }: Pick<AlarmDefinition, 'runbookEntry' | 'symptom'>) => ({
      alarmName: `${monitored.name}-${runbookAnchor(runbookEntry)}`,
      alarmDescription: `${symptom} Runbook: docs/operations/runbook.md#${runbookAnchor(runbookEntry)}`,
    })
    const alarms = alarmDefinitions(monitored).map(
      ({ metric, threshold, minutes = 1, ...definition }) =>
        new Alarm(this, runbookAnchor(definition.runbookEntry), {
          ...nameAndDescription(definition),
          metric,
          threshold,
          comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
          evaluationPeriods: minutes,
          datapointsToAlarm: 1,
          // No data means no activity.
          treatMissingData: TreatMissingData.NOT_BREACHING,
        }),
    )
    const sweeperSilent = { runbookEntry: 'Sweeper silent', symptom: 'The sweeper has not run for five minutes.' }
    const silenceAlarm = new Alarm(this, runbookAnchor(sweeperSilent.runbookEntry), {
      ...nameAndDescription(sweeperSilent),
      metric: awsMetric('Lambda', 'Invocations', { FunctionName: monitored.sweeper }),
      threshold: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: 5,
      treatMissingData: TreatMissingData.BREACHING,
    })
    this.alarms = [...alarms, silenceAlarm]
    for (const alarm of this.alarms) {
      alarm.addAlarmAction(action)
      alarm.addOkAction(action)
    }
  }
}
