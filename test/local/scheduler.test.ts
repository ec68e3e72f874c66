import {
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  CreateScheduleGroupCommand,
  DeleteScheduleCommand,
  GetScheduleCommand,
  ListSchedulesCommand,
  SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler'
import { expect, test } from 'vitest'
import { awsClientConfig } from '../../local/aws-client-config.ts'
import { nextRun } from '../../local/emulators/scheduler/next-run.ts'
import { startScheduler } from '../../local/emulators/scheduler.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { waitFor } from '../support/wait-for.ts'
import { freePort, memoryLog, stopAfterTest } from './support/fixtures.ts'

const Target = {
  Arn: 'arn:aws:lambda:us-east-1:000000000000:function:publish',
  RoleArn: 'arn:aws:iam::000000000000:role/r',
}

/** An at() expression at least some seconds from now, as none fires whose time passed before it was created. */
const at = (seconds: number) =>
  `at(${new Date(1_000 * Math.ceil(Date.now() / 1_000 + seconds)).toISOString().slice(0, 19)})`

const start = async (directory = temporaryDirectory(), invoke = async (_input: string): Promise<unknown> => null) => {
  const invoked: string[] = []
  const { lines, log } = memoryLog()
  const scheduler = await stopAfterTest(
    startScheduler({
      directory,
      log,
      port: await freePort(directory),
      tickMs: 10,
      invoke: (target, input) => {
        invoked.push(`${target.Arn.split(':').at(-1)} ${input}`)
        return invoke(input)
      },
    }),
  )
  const client = new SchedulerClient(awsClientConfig(scheduler.url))
  const create = (Name: string, ScheduleExpression: string, more: Partial<CreateScheduleCommandInput> = {}) =>
    client.send(
      new CreateScheduleCommand({ Name, ScheduleExpression, Target, FlexibleTimeWindow: { Mode: 'OFF' }, ...more }),
    )
  const names = async () =>
    (await client.send(new ListSchedulesCommand({}))).Schedules?.map((schedule) => schedule.Name)
  return { directory, scheduler, client, create, names, invoked, lines }
}

test('a schedule is created, read, listed, replaced and deleted', async () => {
  const { client, create, names } = await start()
  const { ScheduleArn } = await create('slot-1', 'cron(30 9 * * ? *)', { ScheduleExpressionTimezone: 'Europe/Paris' })
  const found = await client.send(new GetScheduleCommand({ Name: 'slot-1' }))
  expect(found).toMatchObject({
    Arn: ScheduleArn,
    State: 'ENABLED',
    ScheduleExpressionTimezone: 'Europe/Paris',
    Target,
  })
  expect(found.CreationDate).toBeInstanceOf(Date)
  const replacement = { ScheduleExpression: 'rate(1 day)', FlexibleTimeWindow: { Mode: 'OFF' as const }, Target }
  await client.send(new UpdateScheduleCommand({ Name: 'slot-1', ...replacement }))
  const replaced = await client.send(new GetScheduleCommand({ Name: 'slot-1' }))
  expect([replaced.ScheduleExpression, replaced.ScheduleExpressionTimezone]).toEqual(['rate(1 day)', undefined])
  await create('slot-2', 'rate(1 hour)')
  expect(await names()).toEqual(['slot-1', 'slot-2'])
  await client.send(new DeleteScheduleCommand({ Name: 'slot-1' }))
  expect(await names()).toEqual(['slot-2'])
})

test('missing, existing and invalid input is refused with the error names of AWS', async () => {
  const { client, create } = await start()
  await create('taken', 'rate(1 day)')
  const group = new CreateScheduleGroupCommand({ Name: 'group' })
  await client.send(group)
  await expect(client.send(group)).rejects.toMatchObject({ name: 'ConflictException' })
  await expect(create('taken', 'rate(1 day)')).rejects.toMatchObject({ name: 'ConflictException' })
  await expect(create('a', 'rate(1 day)', { GroupName: 'none' })).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  })
  await expect(client.send(new GetScheduleCommand({ Name: 'a' }))).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  })
  for (const bad of ['cron(0 0 1 1 1 *)', 'cron(0 25 * * ? *)', 'rate(0 days)', 'at(2026-01-01)', 'soon']) {
    await expect(create('b', bad)).rejects.toMatchObject({ name: 'ValidationException' })
  }
  await expect(create('c', 'rate(1 day)', { ScheduleExpressionTimezone: 'Mars/Olympus' })).rejects.toThrow('time zone')
})

test('a one-time schedule fires once, with its placeholders filled in, and is deleted if configured', async () => {
  const { scheduler, create, names, invoked } = await start()
  const expression = at(2)
  const time = `${expression.slice(3, -1)}Z`
  await create('once', expression, {
    ActionAfterCompletion: 'DELETE',
    Target: { ...Target, Input: '{"at":"<aws.scheduler.scheduled-time>","try":<aws.scheduler.attempt-number>}' },
  })
  await create('off', expression, { State: 'DISABLED' })
  scheduler.resume()
  await waitFor('it has fired and is gone', async () => invoked.length > 0 && (await names())?.join() === 'off')
  expect(invoked).toEqual([`publish {"at":"${time}","try":1}`])
})

test('nothing fires before it is resumed, and what was due while it was stopped fires at the next start', async () => {
  const { directory, scheduler, create, invoked } = await start()
  const expression = at(2)
  const due = Date.parse(`${expression.slice(3, -1)}Z`)
  await create('missed', expression)
  await scheduler.stop()
  await waitFor('its time has come', () => Date.now() > due)
  const again = await start(directory)
  again.scheduler.resume()
  await waitFor('it fires late', () => again.invoked.length === 1)
  expect(invoked).toEqual([])
})

test('a failed run is retried after a restart, and given up when its retries are exhausted', async () => {
  const failing = async () => {
    throw new Error('down')
  }
  const { directory, scheduler, create, invoked } = await start(undefined, failing)
  await create('once', at(2), {
    ActionAfterCompletion: 'DELETE',
    Target: { ...Target, RetryPolicy: { MaximumRetryAttempts: 1 } },
  })
  scheduler.resume()
  await waitFor('it was tried', () => invoked.length === 1)
  await scheduler.stop()
  const again = await start(directory, failing)
  again.scheduler.resume()
  await waitFor('it was tried again and given up', () => again.lines.length === 1)
  expect(again.lines).toEqual(['schedule once failed, no retries left'])
  expect(again.invoked).toHaveLength(1)
})

test('a schedule of the stack keeps its next run across restarts', async () => {
  const { directory, scheduler } = await start()
  const sweep = { Name: 'sweep', GroupName: 'default', ScheduleExpression: 'rate(1 minute)', Target }
  scheduler.ensure(sweep)
  const created = async (url: string) =>
    (await new SchedulerClient(awsClientConfig(url)).send(new GetScheduleCommand({ Name: 'sweep' })))
      .LastModificationDate
  const first = await created(scheduler.url)
  await scheduler.stop()
  const again = await start(directory)
  again.scheduler.ensure(sweep)
  expect(await created(again.scheduler.url)).toEqual(first)
})

test.each<[expression: string, from: string, next: string | null, rule: string]>([
  ['cron(30 2 * * ? *)', '2027-03-27T12:00:00Z', '2027-03-29T00:30:00Z', 'a run in the spring gap is skipped'],
  ['cron(30 2 * * ? *)', '2027-10-30T12:00:00Z', '2027-10-31T00:30:00Z', 'a run in the autumn overlap happens'],
  ['cron(30 2 * * ? *)', '2027-10-31T00:30:00Z', '2027-11-01T01:30:00Z', 'and happens once'],
  ['cron(0 9 ? * 2 *)', '2027-01-01T00:00:00Z', '2027-01-04T08:00:00Z', 'day 2 of the week is Monday'],
  ['cron(0 9 L * ? *)', '2027-02-01T00:00:00Z', '2027-02-28T08:00:00Z', 'L is the last day of the month'],
  ['cron(0 9 1 1 ? 2020)', '2027-01-01T00:00:00Z', null, 'a year gone by has no next run'],
  ['at(2027-07-01T09:00:00)', '2027-01-01T00:00:00Z', '2027-07-01T07:00:00Z', 'at is local time'],
  ['rate(5 minutes)', '2027-01-01T00:12:00Z', '2027-01-01T00:15:00Z', 'rate counts from creation'],
])('%s after %s is %s: %s', (ScheduleExpression, from, expected) => {
  const CreationDate = Date.parse('2027-01-01T00:00:00Z') / 1000
  const next = nextRun(
    { ScheduleExpression, ScheduleExpressionTimezone: 'Europe/Paris', CreationDate },
    Date.parse(from),
  )
  expect(next).toBe(expected === null ? null : Date.parse(expected))
})
