/** The operator's commands against a deployed stack: how they find its resources. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
import { Template } from 'aws-cdk-lib/assertions'
import { mockClient } from 'aws-sdk-client-mock'
import { build } from 'esbuild'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { env } from '../../lib/env.ts'
import { repositoryRoot } from '../../lib/infra/bundle-paths.ts'
import { selectDeployment } from '../../scripts/admin/deployment.ts'
import { synthesizeDeployment } from './synthesized-stacks.ts'

const { stacks } = await synthesizeDeployment()
/** By the stack's name, as CloudFormation outputs them: values are known only after the deployment. */
const outputs = new Map(
  Object.values(stacks).map((stack): [string, string[]] => [
    stack.stackName,
    Object.keys(Template.fromStack(stack).toJSON().Outputs ?? {}),
  ]),
)
const cloudFormation = mockClient(CloudFormationClient)
const variables = { ...process.env }

beforeEach(() => {
  cloudFormation.reset()
  cloudFormation.on(DescribeStacksCommand).callsFake(({ StackName }) => {
    const told = outputs.get(StackName)
    if (!told) throw new Error(`Stack with id ${StackName} does not exist`)
    return { Stacks: [{ Outputs: told.map((OutputKey) => ({ OutputKey, OutputValue: `of ${OutputKey}` })) }] }
  })
  // Only the outputs of the stacks are known.
  process.env = { AWS_REGION: 'eu-west-1', AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' }
})
afterEach(() => {
  process.env = variables
})

/** The environment values that the modules of a command may read, by their names in `lib/env.ts`. */
async function readByCommands(): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: ['scripts/admin/commands.ts'],
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  })
  const texts = Object.keys(metafile.inputs).map((file) => readFileSync(join(repositoryRoot, file), 'utf8'))
  return [...new Set(texts.flatMap((text) => Array.from(text.matchAll(/\benv\.(\w+)/g), ([, name]) => name!)))]
    .filter((name) => Object.hasOwn(env, name))
    .toSorted()
}

describe('a deployed stack', () => {
  it('outputs everything that the commands read from their environment', async () => {
    const names = (await readByCommands()) as (keyof typeof env)[]
    expect(names).toEqual(expect.arrayContaining(['tableName', 'sealingKeyId', 'stateMachineArnPrefix']))
    await selectDeployment('test-reelsmith')
    for (const name of names) expect(env[name], name).not.toThrow()
    expect(env.tableName()).toBe('of TableName')
  })

  it('outputs the address of its API', async () => {
    const { apiUrl, isLocal } = await selectDeployment('test-reelsmith')
    expect(isLocal).toBeUndefined()
    expect(await apiUrl()).toBe('of ApiUrl')
  })

  it('needs a region: without one the error says how to set it', async () => {
    delete process.env.AWS_REGION
    await expect(selectDeployment('test-reelsmith')).rejects.toThrow('Set AWS_REGION')
  })

  it('is named in the error if it does not exist, or is too old to have an output', async () => {
    await expect(selectDeployment('prod-reelsmith')).rejects.toThrow('prod-reelsmith-data')
    outputs.set('old-reelsmith-data', ['TableName'])
    await expect(selectDeployment('old-reelsmith')).rejects.toThrow(
      'The stack old-reelsmith-data has no output BucketName. Deploy this version first.',
    )
  })
})
