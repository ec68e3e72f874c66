import {
  SendTaskFailureCommand,
  SendTaskHeartbeatCommand,
  SendTaskSuccessCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn'
import { expect, test } from 'vitest'
import { waitFor } from '../support/wait-for.ts'
import { isAlive } from './support/fixtures.ts'
import { containerTask, LAMBDA, lambdaTask, startMachine, stateMachine } from './support/state-machine.ts'

test('a container task runs with its command and environment, and its exit code decides', async () => {
  const { begin, ended, printed } = await startMachine(
    stateMachine('Render', {
      Render: containerTask('echo "$GREETING $FROM"; exit $CODE', {
        ResultSelector: { 'code.$': '$.Containers[0].ExitCode' },
        Next: 'Fail',
      }),
      Fail: containerTask('exit 3'),
    }),
  )
  const execution = await ended(await begin())
  expect(printed).toEqual(['hi the caller'])
  expect([execution.status, execution.error]).toEqual(['FAILED', 'States.TaskFailed'])
  expect(JSON.parse(execution.cause ?? '')).toMatchObject({ Containers: [{ ExitCode: 3 }], LastStatus: 'STOPPED' })
})

test('stopping an execution kills the whole process group of its container', async () => {
  const { client, begin, ended, printed } = await startMachine(
    stateMachine('Render', { Render: containerTask('sleep 60 & echo $!; wait') }),
  )
  const arn = await begin()
  const grandchild = Number(await waitFor('the container runs', () => printed[0]))
  await client.send(new StopExecutionCommand({ executionArn: arn, error: 'Deleted', cause: 'The video is gone.' }))
  expect(await ended(arn)).toMatchObject({ status: 'ABORTED', error: 'Deleted', cause: 'The video is gone.' })
  await waitFor('its grandchild is gone', () => !isAlive(grandchild))
})

test('the TimeoutSeconds of a task ends it, kills its container and can be caught', async () => {
  const { begin, ended, printed } = await startMachine(
    stateMachine('Render', {
      Render: containerTask('echo $$; exec sleep 60', {
        TimeoutSeconds: 1,
        Catch: [{ ErrorEquals: ['States.Timeout'], ResultPath: null, Next: 'Late' }],
        End: true,
      }),
      Late: { Type: 'Pass', Result: 'late', End: true },
    }),
  )
  expect((await ended(await begin())).output).toBe('"late"')
  await waitFor('its process is gone', () => !isAlive(Number(printed[0])))
})

test('the TimeoutSeconds of the machine ends the execution and its container', async () => {
  const { begin, ended, printed } = await startMachine(
    stateMachine('Render', { Render: containerTask('echo $$; exec sleep 60') }, { TimeoutSeconds: 1 }),
  )
  expect((await ended(await begin())).status).toBe('TIMED_OUT')
  await waitFor('its process is gone', () => !isAlive(Number(printed[0])))
})

test('if one item of a map fails, the others are ended and those waiting stay unstarted', async () => {
  const items: unknown[] = []
  const { begin, ended, printed } = await startMachine(
    stateMachine('Each', {
      Each: {
        Type: 'Map',
        ItemsPath: '$.items',
        MaxConcurrency: 2,
        ItemProcessor: stateMachine('Check', {
          Check: lambdaTask('check', { Next: 'Render' }),
          Render: containerTask('echo $$; exec sleep 60'),
        }),
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'After' }],
        End: true,
      },
      After: lambdaTask('after'),
    }),
    {
      check: async (item) => {
        items.push(item)
        if (String(item) !== '2') return item
        await waitFor('the first item renders', () => printed[0])
        // As on a busy machine: the next event is late.
        setImmediate(() => {
          const late = performance.now() + 50
          while (performance.now() < late);
        })
        throw new Error('bad item')
      },
      after: () => 'handled',
    },
  )
  expect((await ended(await begin({ items: [1, 2, 3, 4, 5, 6] }))).output).toBe('"handled"')
  expect(items).toEqual([1, 2])
  await waitFor('the first item is ended', () => !isAlive(Number(printed[0])))
})

test('a map that failed and is retried restarts every item', async () => {
  const items: unknown[] = []
  const { begin, ended } = await startMachine(
    stateMachine('Each', {
      Each: {
        Type: 'Map',
        ItemsPath: '$.items',
        MaxConcurrency: 1,
        ItemProcessor: stateMachine('Check', { Check: lambdaTask('check') }),
        Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 1, MaxAttempts: 1 }],
        End: true,
      },
    }),
    {
      check: (item) => {
        if (items.push(item) === 1) throw new Error('not yet')
        return item
      },
    },
  )
  expect((await ended(await begin({ items: [1, 2, 3] }))).output).toBe('[1,2,3]')
  expect(items).toEqual([1, 1, 2, 3])
})

test('a state waits for its task token: success, failure, and a used token times out', async () => {
  const tokens: string[] = []
  const waiting = {
    Type: 'Task',
    Resource: `${LAMBDA}.waitForTaskToken`,
    HeartbeatSeconds: 30,
    Parameters: { FunctionName: 'ask', Payload: { 'token.$': '$$.Task.Token' } },
  }
  const { client, begin, ended } = await startMachine(
    stateMachine('Ask', { Ask: { ...waiting, Next: 'Again' }, Again: { ...waiting, End: true } }),
    { ask: ({ token }) => void tokens.push(String(token)) },
  )
  const arn = await begin()
  await waitFor('the first token is out', () => tokens.length === 1)
  const [taskToken] = tokens
  await client.send(new SendTaskHeartbeatCommand({ taskToken }))
  await client.send(new SendTaskSuccessCommand({ taskToken, output: '{"yes":true}' }))
  await waitFor('the second token is out', () => tokens.length === 2)
  const used = new SendTaskSuccessCommand({ taskToken, output: '{}' })
  await expect(client.send(used)).rejects.toMatchObject({ name: 'TaskTimedOut' })
  await client.send(new SendTaskFailureCommand({ taskToken: tokens[1], error: 'Refused', cause: 'by hand' }))
  expect(await ended(arn)).toMatchObject({ status: 'FAILED', error: 'Refused', cause: 'by hand' })
})

test('a token without heartbeats times out', async () => {
  const { begin, ended } = await startMachine(
    stateMachine('Ask', {
      Ask: {
        Type: 'Task',
        Resource: `${LAMBDA}.waitForTaskToken`,
        HeartbeatSeconds: 1,
        Parameters: { FunctionName: 'ask', Payload: { 'token.$': '$$.Task.Token' } },
        End: true,
      },
    }),
    { ask: () => null },
  )
  expect(await ended(await begin())).toMatchObject({ status: 'FAILED', error: 'States.HeartbeatTimeout' })
})
