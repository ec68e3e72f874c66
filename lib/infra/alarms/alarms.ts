/**
 * What wakes somebody up, and the entry of docs/runbook.md that says what to do then. Each alarm watches one metric, and there are ten: so
 * many are free, and more would cost an idle deployment more than all its queues. What else is worth seeing is on the dashboard.
 */
import { Duration } from 'aws-cdk-lib'
import { Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import type { MetricName } from '../../domain/records/metrics.ts'

/** What is watched, by the names that AWS knows it by. */
export interface MonitoredResources {
  /** The deployment: `lib/metrics.ts` writes it into each metric. */
  readonly name: string
  readonly tableName: string
  readonly apiId: string
  readonly deliveries: { readonly usual: string; readonly slow: string; readonly dead: string }
  readonly deadLetterQueue: string
  readonly sweeper: string
  readonly dispatcher: string
  /** ARNs. */
  readonly machines: readonly string[]
}

interface AlarmDefinition {
  /** The heading in docs/runbook.md. */
  entry: string
  says: string
  metric: Metric
  /** From which value on it is too much. */
  from: number
  /** Of how many minutes one has to be too much, 1 when absent; the alarm stays for as long. */
  minutes?: number
}

/** What failed of the API, counted from the access log: of its 5xx the gateway does not tell which are a function's word to come again. */
export const apiFaultsMetric = ({ name }: Pick<MonitoredResources, 'name'>) => ({
  metricNamespace: 'Reelsmith/Api',
  metricName: `${name}-faults`,
})

/** A metric of the service's own, for the deployment as a whole. */
export const serviceMetric = ({ name }: Pick<MonitoredResources, 'name'>, metricName: MetricName, statistic: string) =>
  new Metric({
    namespace: 'Reelsmith',
    metricName,
    dimensionsMap: { deployment: name },
    statistic,
    period: Duration.minutes(1),
  })

/** A metric that AWS takes by itself. */
export const awsMetric = (
  namespace: 'ApiGateway' | 'DynamoDB' | 'Lambda' | 'SQS' | 'States',
  metricName: string,
  dimensionsMap: Record<string, string>,
  statistic = 'Sum',
) => new Metric({ namespace: `AWS/${namespace}`, metricName, dimensionsMap, statistic, period: Duration.minutes(1) })

function faultsOf(watched: MonitoredResources): Metric {
  const { metricNamespace: namespace, metricName } = apiFaultsMetric(watched)
  return new Metric({ namespace, metricName, statistic: 'Sum', period: Duration.minutes(5) })
}

const deadLetterMetric = (QueueName: string) =>
  awsMetric('SQS', 'ApproximateNumberOfMessagesVisible', { QueueName }, 'Maximum')

const rowsOf = (watched: MonitoredResources): AlarmDefinition[] => [
  {
    entry: 'API faults',
    says: 'Three requests of five minutes failed with a 5xx, those apart that were asked to come again.',
    metric: faultsOf(watched),
    from: 3,
  },
  {
    entry: 'Outbox late',
    says: 'What a commit wanted done waited for more than a minute.',
    metric: serviceMetric(watched, 'OutboxAge', 'Maximum'),
    from: 60,
    minutes: 5,
  },
  {
    entry: 'Deliveries late',
    says: 'A webhook delivery waited for two minutes beyond its time.',
    metric: serviceMetric(watched, 'DeliveryLateness', 'Maximum'),
    from: 120,
    minutes: 5,
  },
  {
    entry: 'Dead deliveries',
    says: 'The delivery worker failed five times on a message.',
    metric: deadLetterMetric(watched.deliveries.dead),
    from: 1,
  },
  {
    entry: 'Lost wake-ups',
    says: 'A worker died of a record, an upload, a slot or a tick, as often as it was tried.',
    metric: deadLetterMetric(watched.deadLetterQueue),
    from: 1,
  },
  {
    entry: 'Sweeper repairs',
    says: 'The sweeper did what somebody else should have done.',
    metric: serviceMetric(watched, 'Repairs', 'Sum'),
    from: 1,
    minutes: 5,
  },
  {
    entry: 'Faults of workers',
    says: 'A worker failed on something that it will be given again, or a slot was missed.',
    metric: serviceMetric(watched, 'Faults', 'Sum'),
    from: 1,
    minutes: 5,
  },
  {
    entry: 'Jobs failing',
    says: 'Three jobs of a quarter of an hour ended badly, and not for an expected limit.',
    metric: serviceMetric(watched, 'JobsFailed', 'Sum').with({ period: Duration.minutes(15) }),
    from: 3,
  },
  {
    entry: 'Posts unknown',
    says: 'Nobody knows whether a post has appeared.',
    metric: serviceMetric(watched, 'PostsUnknown', 'Sum'),
    from: 1,
    minutes: 5,
  },
]

/** As a heading is addressed on the pages of a repository. */
export const runbookAnchor = (heading: string) => heading.toLowerCase().replaceAll(' ', '-')

export class Alarms extends Construct {
  readonly alarms: Alarm[]

  constructor(scope: Construct, id: string, { watched, topic }: { watched: MonitoredResources; topic: ITopic }) {
    super(scope, id)
    const action = new SnsAction(topic)
    const described = ({ entry: runbookEntry, says: description }: Pick<AlarmDefinition, 'entry' | 'says'>) => ({
      alarmName: `${watched.name}-${runbookAnchor(runbookEntry)}`,
      alarmDescription: `${description} What to do: docs/runbook.md#${runbookAnchor(runbookEntry)}`,
    })
    const rows = rowsOf(watched).map(
      ({ metric, from: threshold, minutes = 1, ...row }) =>
        new Alarm(this, runbookAnchor(row.entry), {
          ...described(row),
          metric,
          threshold: threshold,
          comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
          evaluationPeriods: minutes,
          datapointsToAlarm: 1,
          // Nothing is measured where nothing happens.
          treatMissingData: TreatMissingData.NOT_BREACHING,
        }),
    )
    const silent = { entry: 'Sweeper silent', says: 'For five minutes nobody looked after what waits too long.' }
    const silence = new Alarm(this, runbookAnchor(silent.entry), {
      ...described(silent),
      metric: awsMetric('Lambda', 'Invocations', { FunctionName: watched.sweeper }),
      threshold: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: 5,
      treatMissingData: TreatMissingData.BREACHING,
    })
    this.alarms = [...rows, silence]
    for (const alarm of this.alarms) {
      alarm.addAlarmAction(action)
      alarm.addOkAction(action)
    }
  }
}
