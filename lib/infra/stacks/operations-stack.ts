/** Alarms, the budget and the dashboard. No other stack depends on this one, so it may be deleted. */
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
import { Budget } from '../alarms/budget.ts'
import { readConfig } from '../config.ts'
import type { DeploymentContext } from '../deployment-context.ts'

/** Three graphs in a row. */
const [width, height] = [8, 6]

export class OperationsStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { stackProps, resources, name, ...names }: DeploymentContext & Omit<MonitoredResources, 'tableName'>,
  ) {
    super(scope, id, { ...stackProps, description: 'Reelsmith: alarms and the dashboard' })
    const monitored: MonitoredResources = { ...names, name, tableName: resources.tableName }
    const topic = Topic.fromTopicArn(this, 'AlarmTopic', resources.alarmTopicArn)
    const { alarms } = new Alarms(this, 'Alarms', { monitored, topic })
    const { monthlyBudget } = readConfig(this.node)
    if (monthlyBudget !== undefined)
      new Budget(this, 'Budget', {
        name: `${name}-${Aws.REGION}`,
        limit: monthlyBudget,
        topicArn: resources.alarmTopicArn,
      })
    const dashboard = new Dashboard(this, 'Dashboard', {
      // Names of dashboards are global in an account.
      dashboardName: `${name}-${Aws.REGION}`,
      defaultInterval: Duration.hours(12),
      periodOverride: PeriodOverride.AUTO,
    })
    dashboard.addWidgets(new AlarmStatusWidget({ title: 'Alarms', alarms, width: 24, height: 3 }))
    for (const row of graphsOf(monitored))
      dashboard.addWidgets(
        ...Object.entries(row).map(([title, left]) => new GraphWidget({ title, left, width, height, liveData: true })),
      )
    new CfnOutput(this, 'DashboardName', { value: dashboard.dashboardName })
  }
}

function graphsOf(monitored: MonitoredResources): Record<string, IMetric[]>[] {
  const api = { ApiId: monitored.apiId }
  const table = { TableName: monitored.tableName }
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
      'Jobs ended': [allSeriesOf(monitored, 'JobsEnded', '{Reelsmith,deployment,job,code}')],
      'Jobs failed': [allSeriesOf(monitored, 'JobsFailed', '{Reelsmith,deployment,job}')],
      'Executions ended badly': monitored.stateMachineArns.flatMap((StateMachineArn) =>
        ['ExecutionsFailed', 'ExecutionsTimedOut'].map((name) => awsMetric('States', name, { StateMachineArn })),
      ),
    },
    {
      'Age of the outbox, s': [
        serviceMetric(monitored, 'OutboxAge', 'p50'),
        serviceMetric(monitored, 'OutboxAge', 'Maximum'),
      ],
      'Age of the stream, ms': [awsMetric('Lambda', 'IteratorAge', { FunctionName: monitored.dispatcher }, 'Maximum')],
      'Repairs and faults': (['Repairs', 'Faults', 'PostsUnknown'] as const).map((name) =>
        serviceMetric(monitored, name, 'Sum'),
      ),
    },
    {
      'Lateness of deliveries, s': [
        serviceMetric(monitored, 'DeliveryLateness', 'p50'),
        serviceMetric(monitored, 'DeliveryLateness', 'Maximum'),
      ],
      'Messages waiting': [...Object.values(monitored.deliveries), monitored.deadLetterQueue].map(waiting),
      'Endpoints disabled': [serviceMetric(monitored, 'EndpointsDisabled', 'Sum')],
    },
    {
      'Capacity used': ['ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits'].map((name) =>
        awsMetric('DynamoDB', name, table),
      ),
      'Throttles and conflicts of the table': ['ReadThrottleEvents', 'WriteThrottleEvents', 'TransactionConflict'].map(
        (name) => awsMetric('DynamoDB', name, table),
      ),
      'Lateness of slots, s': [serviceMetric(monitored, 'SlotLateness', 'Maximum')],
    },
  ]
}

/** One series for each value of a metric's dimensions. */
const allSeriesOf = ({ name }: MonitoredResources, metric: string, dimensions: string) =>
  new MathExpression({
    expression: `SEARCH('${dimensions} MetricName="${metric}" deployment="${name}"', 'Sum', 300)`,
    label: '',
    usingMetrics: {},
  })
