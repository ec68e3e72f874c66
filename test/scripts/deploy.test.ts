/** `npm run deploy`: what is checked before the CDK runs, and what is compared after it. AWS is mocked, except S3. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { DescribeExecutionCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn'
import { mockClient } from 'aws-sdk-client-mock'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { putObject } from '../../lib/aws/media-bucket.ts'
import { laneDifferenceKey } from '../../lib/domain/core/artefact.ts'
import { stackOutputs } from '../../scripts/admin/deployment.ts'
import { deploy } from '../../scripts/deploy/deploy.ts'
import { readSettings } from '../../scripts/deploy/settings.ts'

const lambda = mockClient(LambdaClient)
const cloudFormation = mockClient(CloudFormationClient)
const stepFunctions = mockClient(SFNClient)
const variables = { ...process.env }

beforeEach(() => {
  for (const client of [lambda, cloudFormation, stepFunctions]) client.reset()
  lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit: { ConcurrentExecutions: 1_000 } })
  const Outputs = Object.entries(stackOutputs).map(([OutputKey, name]) => ({
    OutputKey,
    OutputValue: variables[name]!,
  }))
  cloudFormation.on(DescribeStacksCommand, { StackName: 'prod-reelsmith-data' }).resolves({
    Stacks: [{ StackName: 'prod-reelsmith-data', CreationTime: new Date(), StackStatus: 'CREATE_COMPLETE', Outputs }],
  })
  stepFunctions.on(StartExecutionCommand).resolves({})
})
afterEach(() => {
  process.env = { ...variables }
})

/** Deploys the stage `prod`; the CDK ends with `code`. The clock advances by the waits alone. */
async function deployed(words: string[] = [], code = 0) {
  const [cdkRuns, sentences] = [[] as string[][], [] as string[]]
  let time = 0
  const exitCode = await deploy(['-c', 'stage=prod', ...words], {
    runCdk: async (run) => {
      cdkRuns.push([...run])
      return code
    },
    print: (sentence) => sentences.push(sentence),
    clock: { now: () => time, sleep: async (ms) => (time += ms) },
  }).catch((error: Error) => error.message)
  return { exitCode, cdkRuns, sentences }
}

/** The comparison ends as `status`, after it was seen running. */
function comparisonEnds(status: 'SUCCEEDED' | 'FAILED'): void {
  const execution = { executionArn: 'arn', stateMachineArn: 'arn', startDate: new Date(), input: '{}' }
  stepFunctions
    .on(DescribeExecutionCommand)
    .resolvesOnce({ ...execution, status: 'RUNNING' })
    .resolves({ ...execution, status })
}

/** The id of the comparison that was started. */
const runIdOf = (name = '') => name.replace('act-', '')

describe('before a deployment', () => {
  it('more concurrency than the account has is refused in one sentence, and nothing is deployed', async () => {
    lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit: { ConcurrentExecutions: 10 } })
    const { exitCode, cdkRuns } = await deployed()
    expect(exitCode).toBe(
      '`concurrency` is 1000, but the account may run 10 functions at once: set "concurrency": 10 in deployments/prod.json, or raise the quota "Concurrent executions" of Lambda first.',
    )
    expect(cdkRuns).toEqual([])
    expect(stepFunctions.calls()).toHaveLength(0)
  })

  it('exactly the quota is enough, and the CDK gets the arguments', async () => {
    lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit: { ConcurrentExecutions: 10 } })
    comparisonEnds('SUCCEEDED')
    const words = ['-c', 'concurrency=10', '--require-approval', 'never']
    expect(await deployed(words)).toMatchObject({
      exitCode: 0,
      cdkRuns: [['deploy', '--all', '-c', 'stage=prod', ...words]],
    })
  })

  it('an invalid setting is refused by its name', async () => {
    const { exitCode, cdkRuns } = await deployed(['-c', 'concurrency=many'])
    expect(exitCode).toContain('The context value `concurrency` is wrong')
    expect(cdkRuns).toEqual([])
  })

  it('the settings are those of the synthesis: arguments before the file of the stage before the defaults', () => {
    const folder = mkdtempSync(join(tmpdir(), 'deployments-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'prod.json'), '{"concurrency": 50, "region": "eu-west-1"}')
    const read = (...words: string[]) => readSettings(words, folder)
    expect(read()).toMatchObject({ stage: 'dev', concurrency: 1_000, region: undefined })
    expect(read('--context', 'stage=prod')).toMatchObject({ stage: 'prod', concurrency: 50, region: 'eu-west-1' })
    const given = read('-c', 'stage=prod', '-c', 'concurrency=20', '--profile', 'work', '--require-approval', 'never')
    expect(given).toEqual({ stage: 'prod', concurrency: 20, region: 'eu-west-1', profile: 'work' })
  })
})

describe('after a deployment', () => {
  it('a failure of the CDK is the exit code, and no lane is compared', async () => {
    expect(await deployed([], 3)).toMatchObject({ exitCode: 3, sentences: [] })
    expect(stepFunctions.calls()).toHaveLength(0)
  })

  it('equal lanes are reported', async () => {
    comparisonEnds('SUCCEEDED')
    const sentence = 'The media function and a task render the same bytes.'
    expect(await deployed()).toMatchObject({ exitCode: 0, sentences: [sentence] })
    expect(stepFunctions.commandCalls(StartExecutionCommand)).toHaveLength(1)
  })

  it('different bytes are reported with both hashes, and the command fails', async () => {
    const [expected, sha256] = ['a'.repeat(64), 'b'.repeat(64)]
    comparisonEnds('FAILED')
    stepFunctions.on(StartExecutionCommand).callsFake(async ({ name }) => {
      const difference = Buffer.from(JSON.stringify({ sha256, expected }))
      await putObject(laneDifferenceKey(runIdOf(name)), difference, 'application/json')
      return {}
    })
    expect(await deployed()).toMatchObject({
      exitCode: 1,
      sentences: [`The lanes render different bytes: the media function ${expected}, a task ${sha256}.`],
    })
  })

  it('a lane that fails is reported with the execution, and the command fails', async () => {
    comparisonEnds('FAILED')
    const { exitCode, sentences } = await deployed()
    expect(exitCode).toBe(1)
    expect(sentences).toEqual([expect.stringMatching(/^The lanes were not compared, .* the execution act-run_\w+\.$/)])
  })

  it('a comparison that may not be started is an error that says that the stacks are deployed', async () => {
    stepFunctions.on(StartExecutionCommand).rejects(new Error('not authorized to perform: states:StartExecution'))
    expect((await deployed()).exitCode).toBe(
      'All stacks are deployed, but the lanes could not be compared: not authorized to perform: states:StartExecution',
    )
  })

  it('a comparison that does not finish is no failure: it is waited for as long as it may take, and reported', async () => {
    const execution = { executionArn: 'arn', stateMachineArn: 'arn', startDate: new Date(), input: '{}' }
    stepFunctions.on(DescribeExecutionCommand).resolves({ ...execution, status: 'RUNNING' })
    const { exitCode, sentences } = await deployed()
    expect(exitCode).toBe(0)
    expect(sentences).toEqual([
      expect.stringMatching(/^The comparison of the lanes has not finished: .* act-run_\w+\.$/),
    ])
  })
})
