import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { AwsSolutionsChecks } from 'cdk-nag'
import { describe, expect, it } from 'vitest'
import cdk from '../../cdk.json' with { type: 'json' }
import { repositoryRoot } from '../../lib/infra/bundle-paths.ts'
import { concurrencyShares } from '../../lib/infra/concurrency-shares.ts'
import { readConfig } from '../../lib/infra/config.ts'
import { applySettingsFile } from '../../lib/infra/settings-file.ts'
import { temporaryDirectoryOfFile } from '../support/temporary-directory.ts'
import { resourcesOf, synthesizeDeployment } from './synthesized-stacks.ts'

const certificate = 'arn:aws:acm:eu-west-1:123456789012:certificate/12345678-1234-1234-1234-123456789012'
const read = (context: object) => readConfig(new App({ context: { ...cdk.context, ...context } }).node)

describe('the context', () => {
  it('has a default for everything', () => {
    expect(read({})).toMatchObject({
      stage: 'dev',
      region: undefined,
      domain: undefined,
      alarmAddress: undefined,
      logRetentionDays: 30,
      keyRotationDays: 2560,
      concurrency: 1000,
      monthlyBudget: 100,
      taskZones: undefined,
      assetKey: undefined,
    })
  })

  it('accepts numbers as the command line passes them', () => {
    expect(read({ logRetentionDays: '90', keyRotationDays: '365' })).toMatchObject({
      logRetentionDays: 90,
      keyRotationDays: 365,
    })
  })

  it.each([
    [{ stage: 'Prod' }, '`stage` is wrong: it must be a short word'],
    [{ region: 'Frankfurt' }, '`region` is wrong: it must be the name of a region'],
    [{ alarmAddress: 'nobody' }, '`alarmAddress` is wrong: it must be an email address'],
    [{ logRetentionDays: 31 }, '`logRetentionDays` is wrong: it must be one of 1, 3, 5, 7'],
    [{ logRetentionDays: '' }, '`logRetentionDays` is wrong'],
    [{ logRetentionDays: 9999 }, '`logRetentionDays` is wrong'],
    [{ keyRotationDays: 89 }, '`keyRotationDays` is wrong: it must be a whole number of days, 90 to 2560'],
    [{ keyRotationDays: 2561 }, '`keyRotationDays` is wrong'],
    [{ keyRotationDays: '365.5' }, '`keyRotationDays` is wrong'],
    [{ keyRotationDays: 'never' }, '`keyRotationDays` is wrong'],
    [{ keyRotationDays: '' }, '`keyRotationDays` is wrong'],
    [{ concurrency: 9 }, '`concurrency` is wrong: it must be a whole number of executions, 10 to 100000'],
    [{ monthlyBudget: '-1' }, '`monthlyBudget` is wrong: it must be a whole number of US dollars'],
    [{ taskZones: 'us-east-1a' }, '`taskZones` is wrong: it must be two zones'],
    [{ assetKey: 'alias/cdk' }, '`assetKey` is wrong: it must be the ARN of a key'],
    [{ domain: 'https://api.example.com', certificate }, '`domain` is wrong: it must be a domain name'],
    [{ domain: 'api.example.com', certificate: 'none' }, '`certificate` is wrong: it must be the ARN'],
    [{ domain: 'api.example.com' }, 'come together'],
    [{ certificate }, 'come together'],
    [{ domain: 'api.example.com', certificate, region: 'us-east-1' }, 'one of its own region, us-east-1'],
    [{ providers: { writer: 'nobody' } }, '`providers` is wrong at writer'],
    [{ alarmAdress: 'night@example.com' }, 'no context value `alarmAdress`. Known are stage, region, domain'],
  ])('%j is refused by name', (context, message) => {
    expect(() => read(context)).toThrow(message)
  })
})

describe('the settings file', () => {
  const folder = temporaryDirectoryOfFile()
  const withFile = (stage: string, text: string, context: object = {}) => {
    writeFileSync(join(folder, `${stage}.json`), text)
    const { node } = new App({ context: { stage, ...context } })
    applySettingsFile(node, folder)
    return readConfig(node)
  }

  it('replaces the defaults of its stage, and `-c` replaces it', () => {
    const text = JSON.stringify({
      alarmAddress: 'night@example.com',
      concurrency: 10,
      providers: { footage: 'pexels' },
    })
    expect(withFile('prod', text, { concurrency: '50' })).toMatchObject({
      stage: 'prod',
      alarmAddress: 'night@example.com',
      concurrency: 50,
      monthlyBudget: 100,
      providers: { footage: 'pexels' },
    })
    const { node } = new App({ context: { stage: 'other' } })
    applySettingsFile(node, folder)
    expect(readConfig(node).alarmAddress).toBeUndefined()
  })

  it.each([
    ['{"alarmAddress": ', /one\.json is no JSON/],
    ['["alarmAddress"]', /one\.json must be a JSON object/],
    ['{"stage": "two"}', /one\.json has the settings of one: remove `stage`/],
    ['{"alarmAdress": "night@example.com"}', /no context value `alarmAdress`/],
    ['{"concurrency": 3}', /`concurrency` is wrong/],
  ])('%s is refused', (text, message) => {
    expect(() => withFile('one', text)).toThrow(message)
  })

  it('is not in git', () => {
    expect(readFileSync(join(repositoryRoot, '.gitignore'), 'utf8')).toMatch(/^deployments\/$/m)
  })
})

describe('a deployment with a domain, a region and an alarm recipient', async () => {
  const { app, stacks } = await synthesizeDeployment({
    region: 'eu-west-1',
    domain: 'api.example.com',
    certificate,
    alarmAddress: 'night@example.com',
    logRetentionDays: 90,
    keyRotationDays: 365,
  })
  const all = Object.values(stacks)

  it('answers only at its own domain name', () => {
    const [, domain] = resourcesOf(stacks.api, 'AWS::ApiGatewayV2::DomainName')[0]!
    expect(domain.Properties).toMatchObject({
      DomainName: 'api.example.com',
      DomainNameConfigurations: [{ CertificateArn: certificate, EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' }],
    })
    expect(resourcesOf(stacks.api, 'AWS::ApiGatewayV2::ApiMapping')).toHaveLength(1)
    expect(resourcesOf(stacks.api, 'AWS::ApiGatewayV2::Api')[0]![1].Properties.DisableExecuteApiEndpoint).toBe(true)
    const { ApiUrl, DomainTarget } = Template.fromStack(stacks.api).toJSON().Outputs
    expect(ApiUrl.Value).toBe('https://api.example.com/v1')
    expect(DomainTarget).toBeDefined()
  })

  it('has the outputs that the pages for operators need', () => {
    const pages = ['deploy', 'runbook']
      .map((page) => readFileSync(join(repositoryRoot, `docs/operations/${page}.md`), 'utf8'))
      .join('\n')
    const asked = Array.from(pages.matchAll(/\boutput (data|api|pipelines|events|operations) (\w+)/g))
    expect(asked.length).toBeGreaterThan(8)
    for (const [, stack, name] of asked)
      expect(Template.fromStack(stacks[stack as keyof typeof stacks]).toJSON().Outputs, stack).toHaveProperty([name!])
    const told = /Outputs by stack: ([^\n]+\n[^\n]+\n[^\n]+)/.exec(pages)![1]!
    const names = all.flatMap((stack) => Object.keys(Template.fromStack(stack).toJSON().Outputs ?? {}))
    expect(
      Array.from(told.matchAll(/`(\w+)`/g), ([, name]) => name!)
        .filter((name) => !/^[a-z]/.test(name))
        .toSorted(),
    ).toEqual(names.filter((name) => !name.startsWith('ExportsOutput')).toSorted())
  })

  it('is entirely in the region', () => {
    expect(all.map(({ region }) => region)).toEqual(all.map(() => 'eu-west-1'))
  })

  it('sends alarms to the address, over TLS only', () => {
    expect(resourcesOf(stacks.data, 'AWS::SNS::Subscription').map(([, { Properties }]) => Properties)).toMatchObject([
      { Protocol: 'email', Endpoint: 'night@example.com' },
    ])
    const [, policy] = resourcesOf(stacks.data, 'AWS::SNS::TopicPolicy')[0]!
    expect(policy.Properties.PolicyDocument.Statement).toMatchObject([
      { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      {
        Effect: 'Allow',
        Principal: { Service: ['budgets.amazonaws.com', 'cloudwatch.amazonaws.com'] },
        Action: 'sns:Publish',
      },
    ])
  })

  it('deletes logs after the configured days', () => {
    const groups = all.flatMap((stack) => resourcesOf(stack, 'AWS::Logs::LogGroup'))
    expect(groups.length).toBeGreaterThan(10)
    expect(new Set(groups.map(([, { Properties }]) => Properties.RetentionInDays))).toEqual(new Set([90]))
    const expiring = resourcesOf(stacks.data, 'AWS::S3::Bucket').flatMap(
      ([, { Properties }]) => Properties.LifecycleConfiguration.Rules,
    )
    expect(expiring).toContainEqual({ ExpirationInDays: 90, Status: 'Enabled' })
  })

  it('rotates its key after the configured days', () => {
    const [, key] = resourcesOf(stacks.data, 'AWS::KMS::Key')[0]!
    expect(key.Properties).toMatchObject({ EnableKeyRotation: true, RotationPeriodInDays: 365 })
  })

  it('passes AwsSolutions, except for findings that are acknowledged with a reason', () => {
    for (const stack of all) Template.fromStack(stack)
    const { violations } = new AwsSolutionsChecks(app).validateScope(app)
    expect(violations.map(({ ruleName, violatingResources }) => [ruleName, violatingResources])).toEqual([])
  })
})

describe('two deployments', async () => {
  const { stacks } = await synthesizeDeployment()

  it('share no name', () => {
    const names = Object.values(stacks).map(({ stackName }) => stackName)
    expect(names.every((name) => name.startsWith('test-reelsmith-'))).toBe(true)
    const fixed = Object.values(stacks).flatMap((stack) =>
      resourcesOf(stack).flatMap(([, { Properties }]) =>
        Object.entries(Properties ?? {}).flatMap(([name, value]) =>
          typeof value === 'string' && /^(StateMachine|Bucket|Table|Function|LogGroup|Queue|Role|Topic)Name$/.test(name)
            ? [value]
            : [],
        ),
      ),
    )
    expect(fixed.filter((name) => !name.includes('test-reelsmith'))).toEqual([])
  })

  it('of one stage in two regions share no name whose namespace is global', () => {
    const [, dashboard] = resourcesOf(stacks.operations, 'AWS::CloudWatch::Dashboard')[0]!
    expect(dashboard.Properties.DashboardName).toEqual({
      'Fn::Join': ['', ['test-reelsmith-', { Ref: 'AWS::Region' }]],
    })
    const names = Object.values(stacks)
      .flatMap((stack) => resourcesOf(stack))
      .filter(([, { Type }]) => Type.startsWith('AWS::CloudFront::') && Type !== 'AWS::CloudFront::Distribution')
      .map(([, { Type, Properties }]) => {
        const { Name, ...configs } = Properties
        return `${Type} ${JSON.stringify(Name ?? Object.values<{ Name?: unknown }>(configs).find((config) => config.Name)?.Name)}`
      })
    expect(names.length).toBeGreaterThan(5)
    expect(
      names.filter((name) => !name.includes('test-reelsmith-') || !name.includes('{"Ref":"AWS::Region"}')),
    ).toEqual([])
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('a deployment in a new account', async () => {
  const assetKey = 'arn:aws:kms:us-east-1:123456789012:key/12345678-1234-1234-1234-123456789012'
  const chosen = { concurrency: '10', monthlyBudget: 0, taskZones: 'us-east-1c,us-east-1d', assetKey }
  const { stacks } = await synthesizeDeployment(chosen)

  it('leaves executions for requests: its workers may use eight of ten', () => {
    const mappings = resourcesOf(stacks.events, 'AWS::Lambda::EventSourceMapping').map(
      ([, { Properties }]) => Properties,
    )
    expect(mappings.map(({ ParallelizationFactor: factor, ScalingConfig }) => factor ?? ScalingConfig)).toEqual(
      expect.arrayContaining([1, { MaximumConcurrency: 2 }, { MaximumConcurrency: 2 }]),
    )
    const shardsOfTable = 4
    const { batchesPerShard, deliveries } = concurrencyShares(10)
    expect(batchesPerShard * shardsOfTable + deliveries.normal + deliveries.slow).toBe(8)
    expect(concurrencyShares(1000)).toEqual({
      batchesPerShard: 4,
      deliveries: { normal: 100, slow: 5 },
      waitSecondsMax: 25,
      mediaFunctions: 250,
      renderFunctions: 40,
    })
  })

  it.each([10, 99, 100, 101, 120, 134, 200, 500, 1_000, 10_000])(
    'of %i executions leaves enough for requests, whatever is rendered',
    (concurrency) => {
      const { batchesPerShard, deliveries, mediaFunctions, renderFunctions } = concurrencyShares(concurrency)
      const shardsOfTable = 4
      const used = batchesPerShard * shardsOfTable + deliveries.normal + deliveries.slow + mediaFunctions
      expect(used).toBeLessThanOrEqual(concurrency < 100 ? concurrency - 2 : concurrency / 2)
      if (mediaFunctions > 0) expect(concurrency - mediaFunctions).toBeGreaterThanOrEqual(100)
      expect(renderFunctions).toBeLessThanOrEqual(mediaFunctions)
    },
  )

  it('renders in tasks where no execution can be reserved for functions', () => {
    expect([10, 100, 101, 150, 1_000].map((concurrency) => concurrencyShares(concurrency).renderFunctions)).toEqual([
      0, 0, 1, 6, 40,
    ])
    const functions = resourcesOf(stacks.pipelines, 'AWS::Lambda::Function').map(([, { Properties }]) => Properties)
    const limits = functions.flatMap(({ Environment }) => Environment?.Variables?.RENDER_FUNCTIONS_MAX ?? [])
    expect(new Set(limits)).toEqual(new Set(['0']))
    expect(functions.flatMap(({ ReservedConcurrentExecutions: reserved }) => reserved ?? [])).toEqual([])
  })

  it('lets no request wait for a job, which needs the execution that the request holds', () => {
    const functions = resourcesOf(stacks.api, 'AWS::Lambda::Function').map(([, { Properties }]) => Properties)
    const limits = functions.flatMap(({ Environment }) => Environment?.Variables?.WAIT_SECONDS_MAX ?? [])
    expect(new Set(limits)).toEqual(new Set(['0']))
  })

  it('runs tasks in the chosen zones', () => {
    const zones = resourcesOf(stacks.pipelines, 'AWS::EC2::Subnet').map(
      ([, { Properties }]) => Properties.AvailabilityZone,
    )
    expect(zones).toEqual(['us-east-1c', 'us-east-1d'])
  })

  it('decrypts the assets of a bootstrap with a customer key', () => {
    expect(JSON.stringify(resourcesOf(stacks.data, 'AWS::IAM::Policy'))).toContain(assetKey)
  })

  it('has no budget where it is 0', () => {
    expect(resourcesOf(stacks.operations, 'AWS::Budgets::Budget')).toEqual([])
  })
})
