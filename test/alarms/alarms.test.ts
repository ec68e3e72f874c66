/**
 * Every class of faults is injected into a simulated deployment, and exactly the alarms that the runbook lists for it are
 * raised: those of the templates, evaluated over the metrics that the functions emit.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryRoot } from '../../lib/infra/bundle-paths.ts'
import { type AlarmProperties, type Datum, isSelected, minutesInAlarm } from './cloudwatch.ts'
import { type Monitored, metricsOf } from './deployment.ts'
import { faultClasses, usualTraffic } from './fault-classes.ts'

interface Synthesis {
  synthesizeDeployment: () => Promise<{ stacks: Record<string, object> }>
  resourcesOf: (stack: object, type: string) => [id: string, { Properties: Record<string, unknown> }][]
}

const deploymentName = 'test-reelsmith'
process.env.DEPLOYMENT = deploymentName

// Not by a literal path: the types of the CDK need the compiler options of `tsconfig.infra.json`.
const { resourcesOf, synthesizeDeployment }: Synthesis = await import(
  join(repositoryRoot, 'test/infra/synthesized-stacks.ts')
)
const { stacks } = await synthesizeDeployment()
const everyResource = (type: string) => Object.values(stacks).flatMap((stack) => resourcesOf(stack, type))
const idOf = (type: string, part: string) => everyResource(type).find(([id]) => id.includes(part))![0]

interface MetricFilter {
  FilterPattern: string
  MetricTransformations: [{ MetricNamespace: string; MetricName: string }]
}
const filter = everyResource('AWS::Logs::MetricFilter')[0]![1].Properties as unknown as MetricFilter
const [{ MetricNamespace: namespace, MetricName: name }] = filter.MetricTransformations
const monitored: Monitored = {
  sweeper: idOf('AWS::Lambda::Function', 'Sweep'),
  deadDeliveries: idOf('AWS::SQS::Queue', 'DeadDeliveries'),
  lostWakeUps: idOf('AWS::SQS::Queue', 'LostWakeUps'),
  apiFaults: { namespace, name, isSelected: (line) => isSelected(filter.FilterPattern, line) },
}

/** Names of resources are exports of other stacks, which contain their ids. */
const resources = [monitored.sweeper, monitored.deadDeliveries, monitored.lostWakeUps]
const resourceIn = (value: unknown) => resources.find((id) => JSON.stringify(value).includes(id))
const alarms = everyResource('AWS::CloudWatch::Alarm').map(([, { Properties }]) => {
  const alarm = Properties as unknown as AlarmProperties
  const Dimensions = alarm.Dimensions?.map(({ Name, Value }) => ({ Name, Value: resourceIn(Value) ?? Value })) ?? []
  return { ...alarm, Dimensions, name: alarm.AlarmName.slice(deploymentName.length + 1) }
})

interface Metrics {
  data: readonly Datum[]
  from: number
  to: number
}

const alarmsWhere = (metrics: Metrics, isRaised: (minutes: readonly number[]) => boolean) =>
  alarms
    .filter((alarm) => isRaised(minutesInAlarm(alarm, metrics.data, metrics)))
    .map(({ name }) => name)
    .toSorted()
const raisedBy = (metrics: Metrics) => alarmsWhere(metrics, (minutes) => minutes.length > 0)
const raisedAtTheEnd = (metrics: Metrics) =>
  alarmsWhere(metrics, (minutes) => minutes.includes((metrics.to - metrics.from) / 60_000))

const runbook = readFileSync(join(repositoryRoot, 'docs/operations/runbook.md'), 'utf8')
/** The links in the table of the runbook, by its first column. */
const documented = Object.fromEntries(
  [...runbook.matchAll(/^\| (.*) \| (.*) \|$/gm)]
    .filter(([, fault]) => fault! in faultClasses)
    .map(([, fault, text]) => [fault!, [...text!.matchAll(/\]\(#([a-z-]+)\)/g)].map(([, anchor]) => anchor!)]),
)

/** The longest period that an alarm looks back, and time to recover before. */
const quietMinutes = 25

describe('the alarms', () => {
  it('are silent during an hour of traffic', async () => {
    const metrics = await metricsOf({ faults: {}, minutes: 60 }, usualTraffic(), monitored)
    const names = new Set(metrics.data.map(({ name }) => name))
    for (const name of ['OutboxAge', 'DeliveryLateness', 'JobsEnded', 'Invocations']) expect(names).toContain(name)
    expect(raisedBy(metrics)).toEqual([])
  })

  describe.each(Object.entries(faultClasses))('where %s', (fault, injections) => {
    it.each(injections)(
      'are exactly those listed: $how',
      async ({ faults, minutes = 20, work = usualTraffic(), raises }) => {
        expect(raisedBy(await metricsOf({ faults: faults(), minutes }, work, monitored))).toEqual(raises)
      },
    )

    const passing = injections.filter(({ faults }) => !faults().ports)
    it.each(passing)(
      'end with the fault, but for those that need an operator: $how',
      async ({ faults, minutes = 20, work, stay = [] }) => {
        // Some videos after the fault.
        const traffic = work ?? usualTraffic(Math.ceil(minutes / 3) + 3)
        const metrics = await metricsOf({ faults: faults(), minutes, quietMinutes }, traffic, monitored)
        expect(raisedAtTheEnd(metrics)).toEqual(stay)
      },
    )

    it('are those of the runbook', () => {
      const raised = new Set(injections.flatMap(({ raises }) => raises))
      expect(documented[fault]?.toSorted()).toEqual([...raised].toSorted())
    })
  })

  it('are each raised by a fault', () => {
    const raised = new Set<string>(
      Object.values(faultClasses)
        .flat()
        .flatMap(({ raises }) => raises),
    )
    expect([...raised].toSorted()).toEqual(alarms.map(({ name }) => name).toSorted())
  })
})
