/**
 * Every function and the container may make their AWS calls, and have the environment variables that they read: what
 * they do is read from their bundles after tree shaking, their permissions and variables from the templates. Vendors
 * are tested in `vendors.test.ts`.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { env } from '../../lib/env.ts'
import { bundleEntryName, repositoryRoot } from '../../lib/infra/bundle-paths.ts'
import { externalProviders } from '../../lib/infra/iam/provider-grants.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { bundledTexts } from './bundled-texts.ts'
import {
  entryOf,
  type PolicyStatement,
  resourcesOf,
  statementsByEntry,
  statementsByRole,
  synthesizeDeployment,
} from './synthesized-stacks.ts'

const { stacks } = await synthesizeDeployment({ providers: externalProviders })

/**
 * The permissions that SDK commands and parts of a transaction need. S3 reports a missing object only to a role that
 * may list the bucket.
 */
const actions: Record<string, string[]> = {
  GetCommand: ['dynamodb:GetItem'],
  BatchGetCommand: ['dynamodb:BatchGetItem'],
  QueryCommand: ['dynamodb:Query'],
  paginateQuery: ['dynamodb:Query'],
  PutCommand: ['dynamodb:PutItem'],
  UpdateCommand: ['dynamodb:UpdateItem'],
  DeleteCommand: ['dynamodb:DeleteItem'],
  TransactWriteCommand: [],
  Put: ['dynamodb:PutItem'],
  Update: ['dynamodb:UpdateItem'],
  Delete: ['dynamodb:DeleteItem'],
  ConditionCheck: ['dynamodb:ConditionCheckItem'],
  HeadObjectCommand: ['s3:GetObject', 's3:ListBucket'],
  GetObjectCommand: ['s3:GetObject'],
  PutObjectCommand: ['s3:PutObject'],
  DeleteObjectCommand: ['s3:DeleteObject'],
  DeleteObjectsCommand: ['s3:DeleteObject'],
  ListObjectsV2Command: ['s3:ListBucket'],
  SendMessageBatchCommand: ['sqs:SendMessage'],
  StartExecutionCommand: ['states:StartExecution'],
  StopExecutionCommand: ['states:StopExecution'],
  DescribeExecutionCommand: ['states:DescribeExecution'],
  CreateScheduleCommand: ['scheduler:CreateSchedule', 'iam:PassRole'],
  GenerateDataKeyCommand: ['kms:GenerateDataKey'],
  DecryptCommand: ['kms:Decrypt'],
}
const ofVendors =
  /^(?:Converse|InvokeModel|(?:Start|Get)AsyncInvoke|DescribeVoices|SynthesizeSpeech|(?:Start|Get)TranscriptionJob|GetSecretValue)Command$/

const container = 'containers/media/main.ts'
const kinds = Array.from(
  readFileSync(join(repositoryRoot, 'lib/domain/core/artefact.ts'), 'utf8').matchAll(/^ {2}\| '(\w+)'/gm),
  ([, kind]) => kind!,
)

interface Caller {
  file: string
  calls: string[]
  /** The kinds of artefacts that it names. */
  kinds: string[]
  /** The environment variables that it requires. */
  variables: string[]
}

async function callers(): Promise<Caller[]> {
  const files = [...globSync('functions/**/*.ts', { cwd: repositoryRoot }), container].toSorted()
  return [...(await bundledTexts(files))].map(([file, text]) => callerOf(file, text))
}

function callerOf(file: string, text: string): Caller {
  const found = (pattern: RegExp) => [...new Set(Array.from(text.matchAll(pattern), ([, name]) => name!))]
  // esbuild appends a number to a duplicate name.
  const calls = [...found(/\bnew (\w+?Command)\d*\(/g), ...found(/\b(paginateQuery)\d*\(/g)]
  const parts = found(/\b(Put|Update|Delete|ConditionCheck): \{/g)
  const named = found(/\b(?:artefactKey|sourceArtefact)\d*\([^"]*?"(\w+)"/g)
  const read = found(/\benv\d*\.([a-z]\w+)/g).filter((name): name is keyof typeof env => name in env)
  return {
    file,
    calls: [...calls, ...parts],
    kinds: named.filter((kind) => kinds.includes(kind)),
    variables: read.flatMap(variablesOf),
  }
}

/** The required variables. */
function variablesOf(name: keyof typeof env): string[] {
  const given = process.env
  const asked: string[] = []
  // The first missing one would end the reading. `1` is valid as a number, a name and an address.
  const get = (_variables: object, variable: string) => {
    asked.push(variable)
    return '1'
  }
  process.env = new Proxy({}, { get })
  try {
    env[name]()
  } finally {
    process.env = given
  }
  return asked.filter((variable) => !optional.includes(variable))
}

/** Optional variables, which have a default; a deployment has no stand-ins, and states that wait for vendors tell their start. */
const optional = ['VENDOR_URLS', 'PLATFORMS_STARTED_AT', 'STARTED_AT']

const [, task] = resourcesOf(stacks.pipelines, 'AWS::ECS::TaskDefinition')[0]!
const taskRoleId: string = task.Properties.TaskRoleArn['Fn::GetAtt'][0]
const statementsOfEntries = statementsByEntry(stacks)

/**
 * Of a route, what it needs alone, not what its function has. Without the permission to store the lists of voices, which
 * says nothing about other rows.
 */
function statementsOf(file: string): PolicyStatement[] {
  const statements =
    file === container ? statementsByRole(stacks).get(taskRoleId)! : statementsOfEntries.get(bundleEntryName(file))!
  return statements.filter(({ Condition }) => !JSON.stringify(Condition ?? null).includes(`"${keys.voices('').pk}"`))
}

/** The environment of a function or of the container. All functions of the API have the same. */
const told = new Map<string, string[]>([
  [container, task.Properties.ContainerDefinitions[0].Environment.map(({ Name }: { Name: string }) => Name)],
  ...Object.values(stacks)
    .flatMap((stack) => resourcesOf(stack, 'AWS::Lambda::Function'))
    .map(([, { Properties }]): [string, string[]] => [
      entryOf(Properties),
      Object.keys(Properties.Environment?.Variables ?? {}),
    ]),
])

const all = await callers()

it('calls, kinds and variables are found in bundles', () => {
  const of = (file: string) => all.find((caller) => caller.file === `functions/${file}.ts`)
  expect(of('workers/sweep')?.calls).toEqual(expect.arrayContaining(['StartExecutionCommand', 'QueryCommand']))
  expect(of('pipelines/generate/write-script')?.calls).toContain('Put')
  expect(of('pipelines/generate/write-script')?.calls).not.toContain('Delete')
  expect(of('pipelines/generate/convert')?.kinds).toContain('renders')
  expect(of('workers/sweep')?.variables).toEqual(expect.arrayContaining(['TABLE_NAME', 'SLOT_CALLER_ROLE_ARN']))
  expect(of('workers/run-due-slot')?.variables).not.toContain('SLOT_CALLER_ROLE_ARN')
})

describe.each(all)('$file', ({ file, calls, kinds: named, variables }) => {
  const statements = statementsOf(file)
  const allowed = new Set(statements.flatMap(({ Action }) => Action))

  it('has permission for every call that it makes', () => {
    expect(calls.filter((call) => !actions[call] && !ofVendors.test(call))).toEqual([])
    const wanted = calls.flatMap((call) => actions[call] ?? [])
    // The commit code is in every route, also in one that never commits: `uses` lists those that do.
    const isSure = (action: string) => !(file.startsWith('functions/api/') && action.startsWith('dynamodb:'))
    expect(wanted.filter((action) => isSure(action) && !allowed.has(action))).toEqual([])
  })

  it('may read or write each kind of artefact that it names', () => {
    const places = JSON.stringify(statements.flatMap(({ Resource }) => Resource))
    expect(named.filter((kind) => !places.includes(`/*/${kind}/*`))).toEqual([])
  })
  it('has every variable that it reads', () => {
    const isRoute = file.startsWith('functions/api/')
    const given = told.get(file === container ? container : isRoute ? 'api-reads' : bundleEntryName(file))!
    expect(variables.filter((variable) => !given.includes(variable))).toEqual([])
  })
})
