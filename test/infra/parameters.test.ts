import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { AwsSolutionsChecks } from 'cdk-nag'
import { describe, expect, it } from 'vitest'
import cdk from '../../cdk.json' with { type: 'json' }
import { parametersOf } from '../../lib/infra/parameters.ts'
import { deployment, resourcesOf } from './support.ts'

const certificate = 'arn:aws:acm:eu-west-1:123456789012:certificate/12345678-1234-1234-1234-123456789012'
const read = (context: object) => parametersOf(new App({ context: { ...cdk.context, ...context } }).node)

describe('the context', () => {
  it('has a default for everything in cdk.json', () => {
    expect(read({})).toMatchObject({
      stage: 'dev',
      region: undefined,
      domain: undefined,
      alarmAddress: undefined,
      logRetentionDays: 30,
    })
  })

  it('takes numbers as the command line gives them', () => {
    expect(read({ logRetentionDays: '90' }).logRetentionDays).toBe(90)
  })

  it.each([
    [{ stage: 'Prod' }, '`stage` is wrong: it must be a short word'],
    [{ region: 'Frankfurt' }, '`region` is wrong: it must be the name of a region'],
    [{ alarmAddress: 'nobody' }, '`alarmAddress` is wrong: it must be an email address'],
    [{ logRetentionDays: 31 }, '`logRetentionDays` is wrong: it must be one of 1, 3, 5, 7'],
    [{ logRetentionDays: '' }, '`logRetentionDays` is wrong'],
    [{ logRetentionDays: 9999 }, '`logRetentionDays` is wrong'],
    [{ domain: 'https://api.example.com', certificate }, '`domain` is wrong: it must be a domain name'],
    [{ domain: 'api.example.com', certificate: 'none' }, '`certificate` is wrong: it must be the ARN'],
    [{ domain: 'api.example.com' }, 'come together'],
    [{ certificate }, 'come together'],
    [{ domain: 'api.example.com', certificate, region: 'us-east-1' }, 'one of its own region, us-east-1'],
    [{ providers: { writer: 'nobody' } }, '`providers` is wrong at writer'],
  ])('%j is refused by name', (context, message) => {
    expect(() => read(context)).toThrow(message)
  })
})

describe('a deployment with a domain, a region and somebody who is told', async () => {
  const { app, stacks } = await deployment({
    region: 'eu-west-1',
    domain: 'api.example.com',
    certificate,
    alarmAddress: 'night@example.com',
    logRetentionDays: 90,
  })
  const all = Object.values(stacks)

  it('answers at its own name alone', () => {
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

  it('lies in the region, whole', () => {
    expect(all.map(({ region }) => region)).toEqual(all.map(() => 'eu-west-1'))
  })

  it('tells alarms to the address, over TLS only', () => {
    expect(resourcesOf(stacks.data, 'AWS::SNS::Subscription').map(([, { Properties }]) => Properties)).toMatchObject([
      { Protocol: 'email', Endpoint: 'night@example.com' },
    ])
    const [, policy] = resourcesOf(stacks.data, 'AWS::SNS::TopicPolicy')[0]!
    expect(policy.Properties.PolicyDocument.Statement).toMatchObject([
      { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      { Effect: 'Allow', Principal: { Service: 'cloudwatch.amazonaws.com' }, Action: 'sns:Publish' },
    ])
  })

  it('forgets every log after the days that were chosen', () => {
    const groups = all.flatMap((stack) => resourcesOf(stack, 'AWS::Logs::LogGroup'))
    expect(groups.length).toBeGreaterThan(10)
    expect(new Set(groups.map(([, { Properties }]) => Properties.RetentionInDays))).toEqual(new Set([90]))
    const expiring = resourcesOf(stacks.data, 'AWS::S3::Bucket').flatMap(
      ([, { Properties }]) => Properties.LifecycleConfiguration.Rules,
    )
    expect(expiring).toContainEqual({ ExpirationInDays: 90, Status: 'Enabled' })
  })

  it('leaves AwsSolutions nothing that is not acknowledged with a reason', () => {
    for (const stack of all) Template.fromStack(stack)
    const { violations } = new AwsSolutionsChecks(app).validateScope(app)
    expect(violations.map(({ ruleName, violatingResources }) => [ruleName, violatingResources])).toEqual([])
  })
})

describe('two deployments', () => {
  it('share no name', async () => {
    const { stacks } = await deployment()
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
})
