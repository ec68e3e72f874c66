/** A deployment that chooses every vendor: which roles may call which vendor, and that no other role may. */
import { AwsSolutionsChecks } from 'cdk-nag'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { bundle } from '../../bin/bundle.ts'
import { providerChoice } from '../../lib/domain/generation/provider-choice.ts'
import { bundleEntryName, repositoryRoot } from '../../lib/infra/bundle-paths.ts'
import { externalProviders, openAiProviders, parseProviderChoice } from '../../lib/infra/iam/provider-grants.ts'
import { temporaryDirectoryOfFile } from '../support/temporary-directory.ts'
import {
  type PolicyStatement,
  resourcesOf,
  statementsByEntry,
  statementsByRole,
  synthesizeDeployment,
} from './synthesized-stacks.ts'

const { app, stacks } = await synthesizeDeployment({ providers: externalProviders })
const elsewhere = temporaryDirectoryOfFile()
const { functions, routes } = await bundle(elsewhere)
const entries = [...functions, ...routes]

const openAi = await synthesizeDeployment({ providers: openAiProviders })

const statementsOf = statementsByRole(stacks)

/** The vendor-related permissions among these, each as `action resource`. */
const vendorRights = (statements: readonly PolicyStatement[]): string[] =>
  statements.flatMap(({ Action, Resource }) =>
    [Action]
      .flat()
      .filter((action) => /^(?:bedrock|polly|transcribe|secretsmanager):/.test(action))
      .flatMap((action) => [Resource].flat().map((resource) => `${action} ${JSON.stringify(resource)}`))
      .filter((right) => !right.includes('PlatformClients')),
  )

const keys = /^secretsmanager:GetSecretValue .*ProviderKeys/

/** The permission that calling a file of `lib/providers/choose/` requires. */
const rights: Record<string, RegExp[]> = {
  writer: [/^bedrock:InvokeModel .*:inference-profile\/global\.amazon\.nova-2-lite-v1:0/],
  director: [/^bedrock:InvokeModel .*:\*::foundation-model\/amazon\.nova-2-lite-v1:0/],
  voices: [/^polly:DescribeVoices /, keys],
  narrator: [/^polly:SynthesizeSpeech /, keys],
  transcriber: [/^transcribe:StartTranscriptionJob /, /^transcribe:GetTranscriptionJob /],
  images: [/^bedrock:InvokeModel .*us-west-2::foundation-model\/stability\.stable-image-core-v1:1/],
  footage: [keys],
  animator: [
    /^bedrock:InvokeModel .*us-west-2::foundation-model\/luma\.ray-v2:0/,
    /^bedrock:GetAsyncInvoke .*us-west-2/,
  ],
  avatars: [keys],
}
const rightsFor = (sources: readonly string[]): RegExp[] =>
  sources.flatMap((source) => rights[/^lib\/providers\/choose\/([\w-]+)\.ts$/.exec(source)?.[1] ?? ''] ?? [])

function expectRights(sources: readonly string[], statements: readonly PolicyStatement[], who: string): void {
  const held = vendorRights(statements)
  const wanted = rightsFor(sources)
  for (const right of wanted)
    expect(held, `${who} asks a vendor without ${right}`).toContainEqual(expect.stringMatching(right))
  if (wanted.length === 0) expect(held, who).toEqual([])
}

const statementsOfEntries = statementsByEntry(stacks)

describe('the accounts of users', () => {
  const holdersOf = (part: string) =>
    entries.filter(({ name }) => JSON.stringify(statementsOfEntries.get(name)).includes(part)).map(({ name }) => name)
  const whoContain = (file: string) => entries.filter(({ contains }) => contains.includes(file)).map(({ name }) => name)

  it('are accessed only by the functions whose code does so', () => {
    expect(holdersOf('PlatformClients').toSorted()).toEqual(
      whoContain('lib/use-cases/accounts/connector-deps.ts').toSorted(),
    )
    // The function that sends a user to a platform decrypts no token, though the code for it is in the same file.
    const opening = whoContain('lib/use-cases/accounts/sealed-tokens.ts').filter(
      (name) => !['api-begin-connection', 'api-connections-begin'].includes(name),
    )
    expect(holdersOf('"kms:EncryptionContext:purpose":"account"').toSorted()).toEqual(opening.toSorted())
  })
})

describe('with every vendor chosen', () => {
  it('AwsSolutions has no finding that is not acknowledged with a reason', () => {
    const { violations } = new AwsSolutionsChecks(app).validateScope(app)
    expect(violations.map(({ ruleName, violatingResources }) => [ruleName, violatingResources])).toEqual([])
  })

  it('each function and each route may call the vendors that its code calls, and no other may', () => {
    for (const { name, contains } of entries) expectRights(contains, statementsOfEntries.get(name)!, name)
    expect(entries.filter(({ contains }) => rightsFor(contains).length > 0).map(({ name }) => name)).toContain(
      bundleEntryName('functions/pipelines/generate/write-script.ts'),
    )
  })

  it('the container may call the vendors that its code calls', async () => {
    const { metafile } = await build({
      absWorkingDir: repositoryRoot,
      entryPoints: ['containers/media/main.ts'],
      bundle: true,
      write: false,
      metafile: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      loader: { '.wasm': 'empty', '.svg': 'empty' },
    })
    const [, task] = resourcesOf(stacks.pipelines, 'AWS::ECS::TaskDefinition')[0]!
    const statements = statementsOf.get(task.Properties.TaskRoleArn['Fn::GetAtt'][0])!
    expectRights(Object.keys(metafile.inputs), statements, 'the container')
  })

  it('all get the complete choice', () => {
    for (const [, { Properties }] of resourcesOf(stacks.pipelines, 'AWS::Lambda::Function'))
      expect(JSON.parse(Properties.Environment.Variables.PROVIDERS)).toEqual({
        ...externalProviders,
        textModel: 'global.amazon.nova-2-lite-v1:0',
      })
  })
})

describe('with OpenAI-compatible servers for all that they can do', () => {
  const statements = statementsByEntry(openAi.stacks)

  it('the functions that call them may read the keys, and need nothing else', () => {
    const callers = /^lib\/providers\/choose\/(?:writer|director|voices|narrator|transcriber|images)\.ts$/
    for (const { name, contains } of entries) {
      const held = vendorRights(statements.get(name)!)
      if (contains.some((file) => callers.test(file))) expect(held, name).toContainEqual(expect.stringMatching(keys))
      expect(
        held.filter((right) => !keys.test(right)),
        name,
      ).toEqual([])
    }
  })
})

describe('the secrets of operators', () => {
  const secrets = resourcesOf(stacks.data, 'AWS::SecretsManager::Secret')

  it('are in no template: it makes both, empty and under the key of the deployment', () => {
    const [keyId] = resourcesOf(stacks.data, 'AWS::KMS::Key')[0]!
    const given = secrets.map(([, { Properties }]) => [Properties.SecretString, Properties.KmsKeyId])
    expect(given).toEqual([1, 2].map(() => ['{}', { 'Fn::GetAtt': [keyId, 'Arn'] }]))
  })

  it('can be decrypted with that key only by their readers, each separately', () => {
    const readers = [...statementsOf.values()].filter((statements) => {
      const read = statements.flatMap(({ Action, Resource }) =>
        Action === 'secretsmanager:GetSecretValue' ? [Resource].flat() : [],
      )
      const opened = statements.flatMap(({ Action, Condition }) => {
        const secret = Condition?.StringEquals?.['kms:EncryptionContext:SecretARN']
        return Action === 'kms:Decrypt' && secret ? [secret] : []
      })
      expect(opened).toEqual(read)
      return read.length > 0
    })
    expect(readers.length).toBeGreaterThan(secrets.length)
  })
})

describe('the context value `providers`', () => {
  it('uses the built-in default for what it omits, and may be JSON', () => {
    const { openai: _servers, contact: _contact, ...builtIn } = providerChoice.entries
    expect(Object.keys(parseProviderChoice(undefined))).toEqual(Object.keys(builtIn))
    expect(parseProviderChoice('{"footage":"pexels"}')).toEqual({ ...parseProviderChoice({}), footage: 'pexels' })
  })

  it('accepts only known names', () => {
    expect(() => parseProviderChoice({ writer: 'quill' })).toThrow('`providers` is wrong at writer')
    expect(() => parseProviderChoice('bedrock')).toThrow('`providers` is wrong at the top level')
    expect(() => parseProviderChoice({ poet: 'bedrock' })).toThrow('poet')
    expect(() => parseProviderChoice({ textModel: 'a model' })).toThrow('must be the id of a model of Bedrock')
  })
  it('names the model of a server other than OpenAI, and none that only this machine reaches', () => {
    const choose = (speech: object) => parseProviderChoice({ narrator: 'openai', openai: { speech } })
    expect(choose({ baseUrl: 'https://voices.example.com/v1/', model: 'kokoro' }).openai?.speech.baseUrl).toBe(
      'https://voices.example.com/v1',
    )
    expect(() => choose({ baseUrl: 'https://voices.example.com/v1' })).toThrow(
      '`providers` is wrong at openai.speech.model: Name the model',
    )
    for (const baseUrl of ['http://127.0.0.1:8880/v1', 'https://192.168.1.5:8880/v1', 'https://ollama.internal/v1'])
      expect(() => choose({ baseUrl, model: 'kokoro' })).toThrow(
        /is wrong at openai\.speech: .* A deployment in AWS reaches public servers over https only/,
      )
    expect(() => choose({ baseUrl: 'not a url' })).toThrow('must be a URL')
  })
})
