/** What an operator sees of a deployment, and is told of: its alarms, and one page with how it goes. It changes nothing and may be deleted. */
import { Aws, CfnOutput, Duration, Stack } from 'aws-cdk-lib'
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  PeriodOverride,
} from 'aws-cdk-lib/aws-cloudwatch'
import { Topic } from 'aws-cdk-lib/aws-sns'
import type { Construct } from 'constructs'
import { Alarms, awsMetric, type MonitoredResources, serviceMetric } from '../alarms/alarms.ts'
import type { DeploymentContext } from '../deployment-context.ts'

/** Three in a row. */
const [width, height] = [8, 6]

export class OperationsStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { stackProps: place, resources: stores, name, ...more }: DeploymentContext & Omit<MonitoredResources, 'tableName'>,
  ) {
    super(scope, id, { ...place, description: 'Reelsmith: alarms and the dashboard' })
    const watched: MonitoredResources = { ...more, name, tableName: stores.tableName }
    const topic = Topic.fromTopicArn(this, 'AlarmTopic', stores.alarmTopicArn)
    const { alarms: all } = new Alarms(this, 'Alarms', { watched, topic })
    const dashboard = new Dashboard(this, 'Dashboard', {
      // Dashboards of all regions share their names.
      dashboardName: `${name}-${Aws.REGION}`,
      defaultInterval: Duration.hours(12),
      periodOverride: PeriodOverride.AUTO,
    })
    dashboard.addWidgets(new AlarmStatusWidget({ title: 'Alarms', alarms: all, width: 24, height: 3 }))
    for (const row of graphsOf(watched))
      dashboard.addWidgets(
        ...Object.entries(row).map(([title, left]) => new GraphWidget({ title, left, width, height, liveData: true })),
      )
    new CfnOutput(this, 'DashboardName', { value: dashboard.dashboardName })
  }
}

function graphsOf(watched: MonitoredResources): Record<string, IMetric[]>[] {
  const api = { ApiId: watched.apiId }
  const table = { TableName: watched.tableName }
  const waiting = (QueueName: string) =>
    awsMetric('SQS', 'ApproximateNumberOfMessagesVisible', { QueueName }, 'Maximum')
  return [
    {
      Requests: ['Count', '4xx', '5xx'].map((name) => awsMetric('ApiGateway', name, api)),
      'Latency of requests, ms': ['p50', 'p95', 'p99'].map((statistic) =>
        awsMetric('ApiGateway', 'Latency', api, statistic).with({ label: statistic }),
      ),
      'Throttles of the account': ['Throttles', 'Errors'].map((name) => awsMetric('Lambda', name, {})),
    },
    {
      'Jobs ended': [everyOf(watched, 'JobsEnded', '{Reelsmith,deployment,job,code}')],
      'Jobs failed': [everyOf(watched, 'JobsFailed', '{Reelsmith,deployment,job}')],
      'Executions ended badly': watched.machines.flatMap((StateMachineArn) =>
        ['ExecutionsFailed', 'ExecutionsTimedOut'].map((name) => awsMetric('States', name, { StateMachineArn })),
      ),
    },
    {
      'Age of the outbox, s': [
        serviceMetric(watched, 'OutboxAge', 'p50'),
        serviceMetric(watched, 'OutboxAge', 'Maximum'),
      ],
      'Age of the stream, ms': [awsMetric('Lambda', 'IteratorAge', { FunctionName: watched.dispatcher }, 'Maximum')],
      'Repairs and faults': (['Repairs', 'Faults', 'PostsUnknown'] as const).map((name) =>
        serviceMetric(watched, name, 'Sum'),
      ),
    },
    {
      'Lateness of deliveries, s': [
        serviceMetric(watched, 'DeliveryLateness', 'p50'),
        serviceMetric(watched, 'DeliveryLateness', 'Maximum'),
      ],
      'Messages waiting': [...Object.values(watched.deliveries), watched.deadLetterQueue].map(waiting),
      'Endpoints disabled': [serviceMetric(watched, 'EndpointsDisabled', 'Sum')],
    },
    {
      'Capacity used': ['ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits'].map((name) =>
        awsMetric('DynamoDB', name, table),
      ),
      'Throttles and conflicts of the table': ['ReadThrottleEvents', 'WriteThrottleEvents', 'TransactionConflict'].map(
        (name) => awsMetric('DynamoDB', name, table),
      ),
      'Lateness of slots, s': [serviceMetric(watched, 'SlotLateness', 'Maximum')],
    },
  ]
}

/** Each series of a metric that is measured by something. */
const everyOf = ({ name }: MonitoredResources, metric: string, dimensions: string) =>
  new MathExpression({
    expression: `SEARCH('${dimensions} MetricName="${metric}" deployment="${name}"', 'Sum', 300)`,
    label: '',
    usingMetrics: {},
  })
