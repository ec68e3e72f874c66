import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Template } from 'aws-cdk-lib/assertions'
import { AwsSolutionsChecks } from 'cdk-nag'
import { describe, expect, it } from 'vitest'
import type { Route } from '../../lib/contract/route.ts'
import { basePath, splitSignature } from '../../lib/contract/route.ts'
import * as routes from '../../lib/contract/routes.ts'
import { apiBundleName, apiFunctions, mcpFunction } from '../../lib/infra/api-functions.ts'
import { bundleEntryName, repositoryRoot } from '../../lib/infra/bundle-paths.ts'
import { stepGrants } from '../../lib/infra/iam/function-grants.ts'
import { outboxPrefix, ttlAttribute } from '../../lib/store/core/keys.ts'
import { tableDefinition } from '../../lib/store/core/table-definition.ts'
import { resourcesOf, statementsByRole, synthesizeDeployment } from './synthesized-stacks.ts'

const { app, stacks } = await synthesizeDeployment()
const all = Object.values(stacks)
const everyResource = (type: string) => all.flatMap((stack) => resourcesOf(stack, type))
const [[, mediaFunction] = [], ...others] = everyResource('AWS::Lambda::Function').filter(
  ([, { Properties }]) => Properties.PackageType === 'Image',
)
/** Without the CDK's custom resource function, which copies the voice previews, and that of the container image. */
const functions = everyResource('AWS::Lambda::Function').filter(([, { Properties }]) =>
  Properties.Runtime?.startsWith('nodejs'),
)

describe('the functions', () => {
  it('are one for each step and worker, and those of the API, and no other', () => {
    const files = globSync('functions/{pipelines,workers}/**/*.ts', { cwd: repositoryRoot }).map(bundleEntryName)
    const entries = [...files, ...[...apiFunctions, mcpFunction].map(({ name }) => apiBundleName(name))]
    expect(functions.map(([, { Properties }]) => Properties.Handler).toSorted()).toEqual(
      entries.map((entry) => `${entry}.handler`).toSorted(),
    )
  })

  it('get exactly the environment that lib/env.ts reads', () => {
    const text = readFileSync(join(repositoryRoot, 'lib/env.ts'), 'utf8')
    const required = Array.from(text.matchAll(/required\('(\w+)'\)/g), ([, name]) => name)
    expect(required).not.toEqual([])
    const ofPlanners = required.filter((name) => name!.startsWith('SLOT_'))
    // Built-in providers need no PROVIDERS, and the local run needs no deployment name.
    const names = [...required.filter((name) => !ofPlanners.includes(name)), 'PROVIDERS', 'DEPLOYMENT'].toSorted()
    const planners = ['workers-dispatch-outbox.handler', 'workers-sweep.handler']
    for (const [id, { Properties }] of functions) {
      // Read by Node itself.
      const { NODE_OPTIONS: _, ...variables } = Properties.Environment.Variables
      const more = planners.includes(Properties.Handler) ? ofPlanners : []
      expect(Object.keys(variables).toSorted(), id).toEqual([...names, ...more].toSorted())
    }
    const [, task] = resourcesOf(stacks.pipelines, 'AWS::ECS::TaskDefinition')[0]!
    const [container] = task.Properties.ContainerDefinitions
    expect(container.Environment.map(({ Name }: { Name: string }) => Name).toSorted()).toEqual(names)
    expect(Object.keys(mediaFunction!.Properties.Environment.Variables).toSorted()).toEqual(
      [...names, 'TMPDIR'].toSorted(),
    )
  })

  it('include one of the image of the tasks, with their role and 20 s less than its states', () => {
    expect(others).toEqual([])
    const { Properties } = mediaFunction!
    expect(Properties).toMatchObject({ Architectures: ['arm64'], MemorySize: 3008, Timeout: 180 })
    const [, task] = resourcesOf(stacks.pipelines, 'AWS::ECS::TaskDefinition')[0]!
    const tagOf = (uri: unknown) => /:([0-9a-f]{64})/.exec(JSON.stringify(uri))?.[1]
    expect(tagOf(Properties.Code.ImageUri)).toBeTruthy()
    expect(tagOf(task.Properties.ContainerDefinitions[0].Image)).toBe(tagOf(Properties.Code.ImageUri))
    const [taskRole, functionRole] = [task.Properties.TaskRoleArn, Properties.Role].map((role) =>
      statementsByRole(stacks)
        .get(role['Fn::GetAtt'][0])!
        .filter(({ Action }) => !/logs:/.test(String(Action))),
    )
    expect(functionRole).toEqual(taskRole)
  })

  it('run on Node 24 and ARM64, each with a log group that has a retention period', () => {
    const groups = new Map(everyResource('AWS::Logs::LogGroup'))
    for (const [id, { Properties }] of functions) {
      expect(Properties, id).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] })
      expect(groups.get(Properties.LoggingConfig.LogGroup.Ref)?.Properties.RetentionInDays, id).toBe(30)
    }
  })

  it('of the pipelines get the permissions and variables of their own step', () => {
    const files = globSync('**/*.ts', { cwd: join(repositoryRoot, 'functions/pipelines') })
    expect(Object.keys(stepGrants).toSorted()).toEqual(files.map((file) => file.replace(/\.ts$/, '')).toSorted())
  })
})

describe('the pipelines', () => {
  it('have no unfilled placeholder, and the names by which they are started', () => {
    for (const [id, { Properties }] of resourcesOf(stacks.pipelines, 'AWS::StepFunctions::StateMachine')) {
      const machine = Properties.StateMachineName.replace(/^test-reelsmith-/, '')
      const text = readFileSync(join(repositoryRoot, 'state-machines', `${machine}.asl.json`), 'utf8')
      const wanted = new Set(Array.from(text.matchAll(/\$\{(\w+)\}/g), ([, name]) => name))
      expect(Object.keys(Properties.DefinitionSubstitutions).toSorted(), id).toEqual([...wanted].toSorted())
    }
    const [, { Properties }] = functions[0]!
    const prefix = JSON.stringify(Properties.Environment.Variables.STATE_MACHINE_ARN_PREFIX)
    expect(prefix).toContain(':stateMachine:test-reelsmith-"')
  })

  it('use the container name that their files override', () => {
    const [, task] = resourcesOf(stacks.pipelines, 'AWS::ECS::TaskDefinition')[0]!
    expect(task.Properties.ContainerDefinitions.map(({ Name }: { Name: string }) => Name)).toEqual(['render'])
  })
})

describe('the API', () => {
  const mcpRoute = `ANY ${mcpFunction.path}`
  const byId = new Map(resourcesOf(stacks.api))
  const handlerOf = (target: { 'Fn::Join': [string, [string, { Ref: string }]] }) => {
    const integration = byId.get(target['Fn::Join'][1][1].Ref)!
    return byId.get(integration.Properties.IntegrationUri['Fn::GetAtt'][0])!.Properties.Handler
  }
  const deployed = new Map(
    resourcesOf(stacks.api, 'AWS::ApiGatewayV2::Route').map(([, { Properties }]) => [
      Properties.RouteKey,
      handlerOf(Properties.Target),
    ]),
  )

  it('has every row of the route table at its path, and one route for all other paths', () => {
    const paths = Object.values<Route>(routes).map(({ signature }) => {
      const { method, path } = splitSignature(signature)
      return `${method} ${basePath}${path}`.replace(/\/$/, '')
    })
    expect([...deployed.keys()].toSorted()).toEqual([...paths, mcpRoute, '$default'].toSorted())
  })

  it('sends each route to the function that has its handler', () => {
    const expected = apiFunctions.flatMap(({ name, handlers }) =>
      Object.keys(handlers).map((routeKey): [string, string] => [routeKey, `${apiBundleName(name)}.handler`]),
    )
    expect(deployed).toEqual(new Map([...expected, [mcpRoute, `${apiBundleName(mcpFunction.name)}.handler`]]))
    const handlers = apiFunctions.flatMap((apiFunction) => Object.values(apiFunction.handlers))
    const files = globSync('**/*.ts', { cwd: join(repositoryRoot, 'functions/api') })
    expect(handlers.toSorted()).toEqual(files.map((file) => file.replace(/\.ts$/, '')).toSorted())
  })

  it('leaves room for routes in what CloudFormation creates at once: at most 200 resources', () => {
    expect(resourcesOf(stacks.api).length).toBeLessThanOrEqual(200)
  })

  it('is the only caller of its functions, which may be invoked by no one else', () => {
    const permissions = resourcesOf(stacks.api, 'AWS::Lambda::Permission').map(([, { Properties }]) => Properties)
    expect(permissions).toHaveLength([...apiFunctions, mcpFunction].length)
    const [apiId] = resourcesOf(stacks.api, 'AWS::ApiGatewayV2::Api')[0]!
    for (const { Principal, SourceArn } of permissions) {
      expect(Principal).toBe('apigateway.amazonaws.com')
      expect(JSON.stringify(SourceArn)).toContain(`{"Ref":"${apiId}"},"/*/*/*"`)
    }
  })

  it('logs neither addresses, headers nor bodies', () => {
    const [, stage] = resourcesOf(stacks.api, 'AWS::ApiGatewayV2::Stage')[0]!
    expect(stage.Properties.AccessLogSettings.Format).not.toMatch(/header|authori[sz]|query|path|body/i)
    expect(stage.Properties.DefaultRouteSettings.ThrottlingRateLimit).toBeGreaterThan(0)
  })
})

describe('the table', () => {
  const [, { Properties: table }] = resourcesOf(stacks.data, 'AWS::DynamoDB::GlobalTable')[0]!

  it('equals the definition in the store', () => {
    const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes, StreamSpecification } = tableDefinition('any')
    const byName = (a: { AttributeName: string }, b: { AttributeName: string }) =>
      a.AttributeName.localeCompare(b.AttributeName)
    expect(table.AttributeDefinitions.toSorted(byName)).toEqual(AttributeDefinitions.toSorted(byName))
    expect(table.KeySchema).toEqual(KeySchema)
    expect(table.GlobalSecondaryIndexes).toEqual(GlobalSecondaryIndexes)
    expect(table.StreamSpecification.StreamViewType).toBe(StreamSpecification.StreamViewType)
    expect(table.TimeToLiveSpecification).toEqual({ AttributeName: ttlAttribute, Enabled: true })
  })

  it('has point-in-time recovery and deletion protection', () => {
    expect(table.Replicas[0]).toMatchObject({
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    })
  })
})

describe('the outbox', () => {
  it('wakes its worker only for new outbox rows', () => {
    const [, mapping] = resourcesOf(stacks.events, 'AWS::Lambda::EventSourceMapping')[0]!
    expect(
      mapping.Properties.FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern)),
    ).toEqual([{ eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: [{ prefix: outboxPrefix }] } } } }])
    expect(mapping.Properties).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 25,
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRetryAttempts: 8,
      MaximumRecordAgeInSeconds: 3600,
      ParallelizationFactor: 4,
    })
  })
})

describe('media URLs', () => {
  it('expire from the cache a day after their object was removed, whatever its browser cache header says', () => {
    const [policyId, policy] = resourcesOf(stacks.data, 'AWS::CloudFront::CachePolicy')[0]!
    expect(policy.Properties.CachePolicyConfig).toMatchObject({ MaxTTL: 86_400, DefaultTTL: 86_400 })
    const [, distribution] = resourcesOf(stacks.data, 'AWS::CloudFront::Distribution')[0]!
    const { DefaultCacheBehavior, CacheBehaviors } = distribution.Properties.DistributionConfig
    expect(DefaultCacheBehavior.CachePolicyId).toEqual({ Ref: policyId })
    expect(CacheBehaviors).toBeUndefined()
  })
})

describe('the media bucket', () => {
  it('emits events for new objects, and only those of uploads wake its worker', () => {
    const told = resourcesOf(stacks.data, 'AWS::S3::Bucket').filter(
      ([, { Properties }]) => Properties.NotificationConfiguration,
    )
    expect(told.map(([, { Properties }]) => Properties.NotificationConfiguration)).toEqual([
      { EventBridgeConfiguration: { EventBridgeEnabled: true } },
    ])
    const [, rule] = resourcesOf(stacks.events, 'AWS::Events::Rule')[0]!
    expect(rule.Properties.EventPattern).toMatchObject({
      source: ['aws.s3'],
      'detail-type': ['Object Created'],
      detail: { object: { key: [{ wildcard: '*/sources/*' }] } },
    })
    expect(rule.Properties.Targets[0]).toMatchObject({ RetryPolicy: { MaximumRetryAttempts: 8 } })
    expect(JSON.stringify(rule.Properties.Targets[0].DeadLetterConfig)).toContain('LostWakeUps')
  })
})

describe('permissions', () => {
  interface Statement {
    Effect: string
    Action: string | string[]
    Resource: unknown
  }
  const documents = [
    ...everyResource('AWS::IAM::Policy').map(([, { Properties }]) => Properties.PolicyDocument),
    ...everyResource('AWS::IAM::Role').flatMap(([, { Properties }]) =>
      (Properties.Policies ?? []).map((policy: { PolicyDocument: unknown }) => policy.PolicyDocument),
    ),
  ]
  const statements: Statement[] = documents.flatMap((document) => document.Statement)

  it('name every action, and name the resource unless the action supports none', () => {
    const withoutResource = [
      /^ecr:GetAuthorizationToken$/,
      /^logs:(Create|Get|Update|Delete|List)LogDeliver(y|ies)$/,
      /^logs:(Describe|Put)Resource(Policy|Policies)$/,
      /^logs:DescribeLogGroups$/,
      /^xray:(PutTraceSegments|PutTelemetryRecords|GetSamplingRules|GetSamplingTargets)$/,
    ]
    expect(statements.length).toBeGreaterThan(functions.length)
    for (const { Action, Resource } of statements) {
      const actions = [Action].flat()
      expect(actions.filter((action) => action.includes('*'))).toEqual([])
      if (![Resource].flat().includes('*')) continue
      expect(actions.filter((action) => !withoutResource.some((pattern) => pattern.test(action)))).toEqual([])
    }
  })

  it('come from no managed policy', () => {
    for (const [id, { Properties }] of everyResource('AWS::IAM::Role')) {
      expect(Properties.ManagedPolicyArns, id).toBeUndefined()
    }
  })

  it('let only the intended roles start pipelines', () => {
    const starters = everyResource('AWS::IAM::Policy')
      .filter(([, policy]) => JSON.stringify(policy).includes('states:StartExecution'))
      .map(([id]) => id.replace(/Role.*/, ''))
    const waiting = apiFunctions.filter(({ routes: served }) =>
      Object.values(served).some(({ permissions }) => permissions?.includes('startPipeline')),
    )
    expect(waiting.map(({ name }) => name)).toEqual(['jobs'])
    // The tools of the MCP server include routes of `jobs`.
    expect(starters.toSorted()).toEqual(['DispatchOutbox', 'Sweep', 'jobs', 'mcp'])
  })
})

describe('a new account', () => {
  it('pays for no provisioned concurrency, and reserves a quarter of its quota for the media function alone', () => {
    const reserved = everyResource('AWS::Lambda::Function').flatMap(([id, { Properties }]) =>
      Properties.ReservedConcurrentExecutions
        ? [[id.replace(/[0-9A-F]{8}$/, ''), Properties.ReservedConcurrentExecutions]]
        : [],
    )
    expect(reserved).toEqual([['MediaFunction', 250]])
    expect(everyResource('AWS::Lambda::Alias')).toEqual([])
  })

  it('accepts the templates, with space for more routes', () => {
    // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html: 500 resources, 1 MB.
    for (const stack of all) {
      expect(resourcesOf(stack).length, stack.stackName).toBeLessThan(450)
      expect(JSON.stringify(Template.fromStack(stack).toJSON()).length, stack.stackName).toBeLessThan(900_000)
    }
  })

  it('gets each stack after those whose exports it imports', () => {
    for (const stack of all) {
      const text = JSON.stringify(Template.fromStack(stack).toJSON())
      const imported = new Set(Array.from(text.matchAll(/"Fn::ImportValue":"([\w-]+):/g), ([, name]) => name))
      const before = stack.dependencies.map(({ stackName }) => stackName)
      expect(before, stack.stackName).toEqual(expect.arrayContaining([...imported]))
    }
    expect(stacks.operations.dependencies).not.toEqual([])
  })

  it('lets schedules of no other account assume its roles', () => {
    const callers = everyResource('AWS::IAM::Role')
      .map(([, { Properties }]) => Properties.AssumeRolePolicyDocument.Statement[0])
      .filter(({ Principal }) => Principal.Service === 'scheduler.amazonaws.com')
    expect(callers.map(({ Condition }) => Condition)).toEqual(
      callers.map(() => ({ StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } })),
    )
    expect(callers.length).toBeGreaterThan(1)
  })
})

describe('persistent data', () => {
  it('is retained when its stack is deleted: the table, the buckets and the key', () => {
    const kept = everyResource('AWS::DynamoDB::GlobalTable')
      .concat(everyResource('AWS::S3::Bucket'), everyResource('AWS::KMS::Key'))
      .map(([, { DeletionPolicy, UpdateReplacePolicy }]) => [DeletionPolicy, UpdateReplacePolicy])
    expect(kept).toEqual([1, 2, 3, 4, 5].map(() => ['Retain', 'Retain']))
  })
})

describe('external checks', () => {
  it('AwsSolutions has no finding that is not acknowledged with a reason', () => {
    for (const stack of all) Template.fromStack(stack)
    const { violations } = new AwsSolutionsChecks(app).validateScope(app)
    expect(violations.map(({ ruleName, violatingResources }) => [ruleName, violatingResources])).toEqual([])
  })

  it('the validator of AWS finds no error in the templates', () => {
    // It is part of the CDK library, which runs it at each synthesis.
    const { CompositeEngine, TemplateContent } = createRequire(createRequire(import.meta.url).resolve('aws-cdk-lib'))(
      '@aws/cloudformation-validate',
    )
    const engine = new CompositeEngine()
    try {
      for (const stack of all) {
        const template = new TemplateContent(JSON.stringify(Template.fromStack(stack).toJSON()), stack.stackName)
        const found: { severity: string }[] = engine.validateTemplate(template).diagnostics
        expect(found.filter(({ severity }) => severity === 'FATAL' || severity === 'ERROR')).toEqual([])
      }
    } finally {
      engine.free()
    }
  }, 90_000)
})
