/** Monitoring of a deployment: every failure raises an alarm, and every alarm has a runbook entry. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { metrics } from '../../lib/domain/records/metrics.ts'
import { runbookAnchor } from '../../lib/infra/alarms/alarms.ts'
import { repositoryRoot } from '../../lib/infra/bundle-paths.ts'
import { resourcesOf, type SynthesizedResource, synthesizeDeployment } from './synthesized-stacks.ts'

const { stacks } = await synthesizeDeployment()
const all = Object.values(stacks)
const everyResource = (type: string) => all.flatMap((stack) => resourcesOf(stack, type))
const alarms = everyResource('AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties)
const [, dashboard] = everyResource('AWS::CloudWatch::Dashboard')[0]!

/** The entries of the runbook by their headings. */
const entries = new Map(
  readFileSync(join(repositoryRoot, 'docs/operations/runbook.md'), 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((entry): [string, string] => [runbookAnchor(entry.slice(0, entry.indexOf('\n'))), entry]),
)

describe('costs', () => {
  it('above the budget, actual or forecast, notify the topic of the alarms, which AWS Budgets may publish to', () => {
    const [[, { Properties }]] = everyResource('AWS::Budgets::Budget') as [[string, SynthesizedResource]]
    const { Budget, NotificationsWithSubscribers: notices } = Properties
    expect(Budget).toMatchObject({ TimeUnit: 'MONTHLY', BudgetLimit: { Amount: 100, Unit: 'USD' } })
    expect(notices).toMatchObject([
      { Notification: { NotificationType: 'ACTUAL', Threshold: 80 } },
      { Notification: { NotificationType: 'FORECASTED', Threshold: 100 } },
    ])
    for (const { Subscribers } of notices) expect(JSON.stringify(Subscribers)).toContain('AlarmsTopic')
    expect(JSON.stringify(everyResource('AWS::SNS::TopicPolicy'))).toContain('budgets.amazonaws.com')
  })

  it('of logs are those of lines that say something: Lambda adds none for a successful invocation', () => {
    const levels = everyResource('AWS::Lambda::Function').map(([, { Properties }]) => Properties.LoggingConfig)
    const ours = levels.filter((config) => config?.LogFormat === 'JSON')
    expect(ours.length).toBeGreaterThan(35)
    for (const config of ours) expect(config.SystemLogLevel).toBe('WARN')
  })

  it('of the access log need no entry in the resource policy of the account', () => {
    const names = everyResource('AWS::Logs::LogGroup').map(([, { Properties }]) => Properties.LogGroupName)
    expect(names).toContain('/aws/vendedlogs/apis/test-reelsmith-api')
  })
})

describe('the alarms', () => {
  it('each lead to an entry of the runbook with symptom, diagnosis and resolution', () => {
    expect(alarms.length).toBeGreaterThan(0)
    for (const { AlarmName, AlarmDescription } of alarms) {
      const [, anchor] = /docs\/operations\/runbook\.md#([a-z-]+)$/.exec(AlarmDescription)!
      expect(AlarmName).toBe(`test-reelsmith-${anchor}`)
      for (const part of ['Symptom.', 'Diagnosis.', 'Resolution.'])
        expect(entries.get(anchor!), anchor).toContain(`**${part}**`)
    }
  })

  it('notify at their start and at their end', () => {
    for (const { AlarmName, AlarmActions, OKActions } of alarms) {
      expect(JSON.stringify(AlarmActions), AlarmName).toContain('AlarmsTopic')
      expect(OKActions, AlarmName).toEqual(AlarmActions)
    }
  })

  it('stay within the free tier of AWS, with one metric each', () => {
    // https://aws.amazon.com/cloudwatch/pricing/: ten alarm metrics a month are free.
    expect(alarms.length).toBeLessThanOrEqual(10)
    expect(alarms.filter(({ Metrics }) => Metrics !== undefined)).toEqual([])
  })

  it('watch the metrics of the service, in their own deployment', () => {
    const watched = alarms.filter(({ Namespace }) => Namespace === 'Reelsmith')
    expect(watched.length).toBeGreaterThan(4)
    for (const { MetricName, Dimensions } of watched) {
      expect(Object.keys(metrics)).toContain(MetricName)
      expect(Dimensions).toEqual([{ Name: 'deployment', Value: 'test-reelsmith' }])
    }
    const [, { Properties }] = everyResource('AWS::Lambda::Function').find(([id]) => id.startsWith('Sweep'))!
    expect(Properties.Environment.Variables.DEPLOYMENT).toBe('test-reelsmith')
  })

  it('count failures at the gateway, but not responses that ask for a retry', () => {
    const [, { Properties: filter }] = everyResource('AWS::Logs::MetricFilter')[0]!
    const [, { Properties: stage }] = everyResource('AWS::ApiGatewayV2::Stage')[0]!
    expect(filter.FilterPattern).toBe('{ ($.status = "5*") && ($.answered != "503") }')
    expect(JSON.parse(stage.AccessLogSettings.Format)).toMatchObject({
      status: '$context.status',
      answered: '$context.integration.status',
    })
    expect(stage.AccessLogSettings.DestinationArn['Fn::GetAtt'][0]).toBe(filter.LogGroupName.Ref)
    const [{ MetricNamespace: Namespace, MetricName, MetricValue }] = filter.MetricTransformations
    const faults = alarms.find(({ AlarmName }) => AlarmName === 'test-reelsmith-api-faults')
    expect(faults).toMatchObject({ Namespace, MetricName, Statistic: 'Sum', Period: 300, Threshold: 3 })
    expect(MetricValue).toBe('1')
  })

  it('treat missing data as a failure only for the metric that has a value every minute', () => {
    const breaching = alarms.filter(({ TreatMissingData }) => TreatMissingData === 'breaching')
    expect(breaching.map(({ AlarmName }) => AlarmName)).toEqual(['test-reelsmith-sweeper-silent'])
  })
})

describe('the queues', () => {
  const queues = everyResource('AWS::SQS::Queue')
  const idIn = (value: unknown) => queues.find(([id]) => JSON.stringify(value).includes(id))?.[0]
  const worked = queues.filter(([, { Properties }]) => Properties.RedrivePolicy)
  const dead = queues.filter(([, { Properties }]) => !Properties.RedrivePolicy).map(([id]) => id)

  it('each have a dead-letter queue', () => {
    expect(worked.length).toBeGreaterThan(1)
    for (const [id, { Properties }] of worked)
      expect(dead, id).toContain(idIn(Properties.RedrivePolicy.deadLetterTargetArn))
  })

  it('raise an alarm for the first dead letter', () => {
    const alarmed = alarms.filter(({ MetricName, Threshold }) => /MessagesVisible/.test(MetricName) && Threshold === 1)
    expect(alarmed.map(({ Dimensions }) => idIn(Dimensions)).toSorted()).toEqual(dead.toSorted())
  })

  it('receive the failed asynchronous invocations of every function', () => {
    const waitedFor = ['deliver-webhook', 'dispatch-outbox']
    const workers = everyResource('AWS::Lambda::Function').filter(
      ([, { Properties }]) =>
        /^workers-/.test(Properties.Handler ?? '') && !waitedFor.some((name) => Properties.Handler.includes(name)),
    )
    const configured = everyResource('AWS::Lambda::EventInvokeConfig').map(([, { Properties }]) => Properties)
    expect(workers.length).toBeGreaterThan(2)
    for (const [id] of workers) {
      const mine = configured.filter(({ FunctionName }) => FunctionName.Ref === id)
      expect(
        mine.map(({ DestinationConfig }) => idIn(DestinationConfig.OnFailure)),
        id,
      ).toEqual([dead.find((queue) => queue.startsWith('LostWakeUps'))])
    }
  })
})

describe('the logs', () => {
  it('all have a retention period', () => {
    const groups = everyResource('AWS::Logs::LogGroup')
    expect(groups.length).toBeGreaterThan(everyResource('AWS::StepFunctions::StateMachine').length)
    for (const [id, { Properties }] of groups) expect(Properties.RetentionInDays, id).toBe(30)
  })

  it('are in groups that are part of the deployment', () => {
    for (const [id, { Properties }] of everyResource('AWS::Lambda::Function'))
      expect(Properties.LoggingConfig?.LogGroup, id).toBeDefined()
    for (const [id, { Properties }] of everyResource('AWS::ECS::TaskDefinition'))
      for (const { LogConfiguration } of Properties.ContainerDefinitions)
        expect(LogConfiguration.Options['awslogs-group'], id).toHaveProperty('Ref')
  })

  it('contain every step of every state machine, without its data', () => {
    const machines = everyResource('AWS::StepFunctions::StateMachine')
    expect(machines.length).toBeGreaterThan(3)
    for (const [id, { Properties }] of machines) {
      const { LoggingConfiguration, TracingConfiguration } = Properties
      expect(LoggingConfiguration, id).toMatchObject({ Level: 'ALL', IncludeExecutionData: false })
      expect(LoggingConfiguration.Destinations, id).toHaveLength(1)
      expect(TracingConfiguration, id).toEqual({ Enabled: true })
    }
  })
})

describe('the dashboard', () => {
  const body: string = JSON.stringify(dashboard.Properties.DashboardBody)

  it('shows every metric of the service, and every alarm', () => {
    for (const name of Object.keys(metrics)) expect(body, name).toContain(name)
    for (const [id] of everyResource('AWS::CloudWatch::Alarm')) expect(body).toContain(id)
  })

  it('is one of three free dashboards, with at most the fifty free metrics', () => {
    expect(everyResource('AWS::CloudWatch::Dashboard')).toHaveLength(1)
    expect(body.match(/\\"AWS\/\w+\\"|\\"Reelsmith\\"/g)!.length).toBeLessThanOrEqual(50)
  })
})
