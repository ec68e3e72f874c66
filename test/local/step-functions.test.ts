import { ListExecutionsCommand, StartExecutionCommand } from '@aws-sdk/client-sfn'
import { expect, test } from 'vitest'
import { type Definition, STATE_MACHINE_ARN_PREFIX, startStepFunctions } from '../../local/emulators/step-functions.ts'
import { waitFor } from '../support/wait-for.ts'
import { isAlive, stopAfterTest } from './support/fixtures.ts'
import { containerTask, lambdaTask, startMachine, stateMachine } from './support/state-machine.ts'

test('a flow of functions, choices, waits, maps and catches ends with its output', async () => {
  const { begin, ended } = await startMachine(
    stateMachine('Begin', {
      Begin: lambdaTask('begin', { Next: 'IsShort', ResultPath: '$.begun', OutputPath: '$' }),
      IsShort: {
        Type: 'Choice',
        Choices: [{ Variable: '$.begun.Payload.short', BooleanEquals: true, Next: 'Pause' }],
        Default: 'Wrong',
      },
      Pause: { Type: 'Wait', Seconds: 3, Next: 'Each' },
      Each: {
        Type: 'Map',
        ItemsPath: '$.items',
        ItemSelector: { 'n.$': '$$.Map.Item.Value', 'run.$': '$.run' },
        MaxConcurrency: 2,
        ItemProcessor: stateMachine('Double', { Double: lambdaTask('double') }),
        ResultPath: '$.doubled',
        Next: 'Risky',
      },
      Risky: lambdaTask('risky', {
        ResultPath: '$',
        Catch: [{ ErrorEquals: ['TooRisky'], ResultPath: '$.error', Next: 'Complete' }],
        Next: 'Wrong',
      }),
      Complete: { Type: 'Pass', Parameters: { 'doubled.$': '$.doubled', 'error.$': '$.error.Error' }, End: true },
      Wrong: { Type: 'Fail', Error: 'Wrong' },
    }),
    {
      begin: () => ({ short: true }),
      double: ({ n, run }) => `${run}:${Number(n) * 2}`,
      risky: () => {
        throw Object.assign(new Error('no'), { name: 'TooRisky' })
      },
    },
    1_000,
  )
  const execution = await ended(await begin({ items: [1, 2, 3], run: 'r' }))
  expect(execution.status).toBe('SUCCEEDED')
  expect(JSON.parse(execution.output ?? '')).toEqual({ doubled: ['r:2', 'r:4', 'r:6'], error: 'TooRisky' })
})

test('a name with an input is one execution while it runs, and the name is taken afterwards', async () => {
  const gate = Promise.withResolvers<object>()
  const { begin, ended } = await startMachine(stateMachine('Work', { Work: lambdaTask('work') }), {
    work: () => gate.promise,
  })
  const arn = await begin({ runId: 'r1' }, 'render-r1')
  expect(await begin({ runId: 'r1' }, 'render-r1')).toBe(arn)
  await expect(begin({ runId: 'r2' }, 'render-r1')).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' })
  gate.resolve({})
  await ended(arn)
  await expect(begin({ runId: 'r1' }, 'render-r1')).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' })
})

test('missing and invalid resources are refused with the error names of AWS', async () => {
  const { client, begin, describe, stateMachineArn } = await startMachine(
    stateMachine('Done', { Done: { Type: 'Succeed' } }),
  )
  await expect(describe(`${stateMachineArn}:nope`)).rejects.toMatchObject({ name: 'ExecutionDoesNotExist' })
  await expect(begin({}, 'no spaces')).rejects.toMatchObject({ name: 'InvalidName' })
  const other = new StartExecutionCommand({ stateMachineArn: `${STATE_MACHINE_ARN_PREFIX}other` })
  await expect(client.send(other)).rejects.toMatchObject({ name: 'StateMachineDoesNotExist' })
  const broken = new StartExecutionCommand({ stateMachineArn, input: '{' })
  await expect(client.send(broken)).rejects.toMatchObject({ name: 'InvalidExecutionInput' })
})

test('executions are listed newest first, by status and in pages', async () => {
  const { client, begin, ended, stateMachineArn } = await startMachine(
    stateMachine('Done', { Done: { Type: 'Succeed' } }),
  )
  for (const name of ['a', 'b', 'c']) await ended(await begin({}, name))
  const page = await client.send(
    new ListExecutionsCommand({ stateMachineArn, maxResults: 2, statusFilter: 'SUCCEEDED' }),
  )
  expect(page.executions?.map((execution) => execution.name)).toEqual(['c', 'b'])
  const rest = await client.send(new ListExecutionsCommand({ stateMachineArn, nextToken: page.nextToken }))
  expect(rest.executions?.map((execution) => execution.name)).toEqual(['a'])
  expect(
    (await client.send(new ListExecutionsCommand({ stateMachineArn, statusFilter: 'FAILED' }))).executions,
  ).toEqual([])
})

test('an uncaught error of a function is the error of the execution, with the cause as Lambda words it', async () => {
  const { begin, ended } = await startMachine(stateMachine('Work', { Work: lambdaTask('work') }), {
    work: () => {
      throw new TypeError('broken')
    },
  })
  const execution = await ended(await begin())
  expect([execution.status, execution.error]).toEqual(['FAILED', 'TypeError'])
  expect(JSON.parse(execution.cause ?? '')).toMatchObject({ errorType: 'TypeError', errorMessage: 'broken' })
})

test('retries wait their interval divided by the time scale', async () => {
  let calls = 0
  const retry = [{ ErrorEquals: ['States.TaskFailed'], IntervalSeconds: 20, MaxAttempts: 2, JitterStrategy: 'FULL' }]
  const { begin, ended } = await startMachine(
    stateMachine('Work', { Work: lambdaTask('work', { Retry: retry, End: true }) }),
    {
      work: () => {
        calls += 1
        if (calls < 3) throw new Error('not yet')
        return calls
      },
    },
    1_000,
  )
  const startedAt = Date.now()
  expect((await ended(await begin())).output).toBe('3')
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(60)
})

test('an output above 256 KiB fails the execution as it would in AWS', async () => {
  const { begin, ended } = await startMachine(
    stateMachine('Work', {
      Work: lambdaTask('work', { Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Never' }], End: true }),
      Never: { Type: 'Succeed' },
    }),
    { work: () => 'x'.repeat(300_000) },
  )
  expect(await ended(await begin())).toMatchObject({ status: 'FAILED', error: 'States.DataLimitExceeded' })
})

test('stopping the service leaves executions running for the next start, which resumes from the last state', async () => {
  let calls = 0
  const { begin, describe, options, service, printed } = await startMachine(
    stateMachine('First', {
      First: lambdaTask('first', { Next: 'Render', ResultPath: null, OutputPath: '$' }),
      Render: containerTask('echo $$; exec sleep 60'),
    }),
    {
      first: () => {
        calls += 1
      },
    },
  )
  const arn = await begin({ runId: 'r1' })
  const pid = Number(await waitFor('it renders', () => printed[0]))
  await service.stop()
  expect(isAlive(pid)).toBe(false)
  const again = await stopAfterTest(startStepFunctions(options))
  expect((await describe(arn)).status).toBe('RUNNING')
  expect(again.resume()).toBe(1)
  await waitFor('it renders again', () => printed[1])
  expect(calls).toBe(1)
})

test('a definition that would run differently in AWS is refused', async () => {
  const refused = async (states: Definition['States'], more: object = {}) =>
    startMachine(stateMachine(Object.keys(states)[0] ?? '', states, more))
  await expect(refused({ A: { Type: 'Succeed' } }, { QueryLanguage: 'JSONata' })).rejects.toThrow('JSONata')
  await expect(refused({ A: { Type: 'Pass', Assign: { a: 1 }, End: true } })).rejects.toThrow('Assign')
  await expect(refused({ A: { Type: 'Pass', Parameters: { 'a.$': '$$.State.Name' }, End: true } })).rejects.toThrow(
    '$$.State',
  )
  const sqs = { A: { Type: 'Task', Resource: 'arn:aws:states:::sqs:sendMessage', End: true } }
  await expect(refused(sqs)).rejects.toThrow('no local arn:aws:states:::sqs:sendMessage')
  const inner = stateMachine('B', { B: { Type: 'Pass', Parameters: { 'a.$': '$$.Execution.Input.a' }, End: true } })
  await expect(refused({ A: { Type: 'Parallel', Branches: [inner], End: true } })).rejects.toThrow('pass them in')
})
