/** The AWS resources behind webhooks: which roles may decrypt their secrets, and the queues that wake their worker. */
import { describe, expect, it } from 'vitest'
import type { Route } from '../../lib/contract/route.ts'
import { webhookSecretSealingContext } from '../../lib/domain/webhooks/webhook-lifecycle.ts'
import { apiFunctions } from '../../lib/infra/api-functions.ts'
import { resourcesOf, synthesizeDeployment } from './synthesized-stacks.ts'

const { stacks } = await synthesizeDeployment()

interface Statement {
  Action: string | string[]
  Resource: unknown
  Condition?: Record<string, Record<string, string>>
}

/** The statements of every role, by the name of the construct that it belongs to. */
const roles = Object.values(stacks).flatMap((stack) =>
  resourcesOf(stack, 'AWS::IAM::Policy').map(([id, { Properties }]): [string, Statement[]] => [
    id.replace(/Role.*/, ''),
    Properties.PolicyDocument.Statement,
  ]),
)
/**
 * Which roles may perform the action on the secrets of endpoints: those of accounts have another encryption context.
 */
const may = (action: string) =>
  roles
    .flatMap(([name, statements]) => (actionsOf(statements.filter(isForEndpoints)).includes(action) ? [name] : []))
    .toSorted()
const isForEndpoints = ({ Condition }: Statement) =>
  Condition?.StringEquals?.['kms:EncryptionContext:purpose'] ===
  webhookSecretSealingContext({ workspaceId: '', id: '' }).purpose
const actionsOf = (statements: Statement[]) => statements.flatMap(({ Action }) => [Action].flat())
const functionsThat = (use: 'seal' | 'unseal') =>
  apiFunctions.flatMap(({ name, routes }) =>
    Object.values<Route>(routes).some(({ permissions }) => permissions?.includes(use)) ? [name] : [],
  )

const [keyId, key] = resourcesOf(stacks.data, 'AWS::KMS::Key')[0]!
const queues = new Map(resourcesOf(stacks.data, 'AWS::SQS::Queue'))
const queueNamed = (name: string) => [...queues].find(([id]) => id.startsWith(name))!
const usual = queueNamed('DeliveriesDeliveryQueue')
const slow = queueNamed('DeliveriesSlowDeliveryQueue')
const dead = queueNamed('DeliveriesDeadDeliveries')
const worker = resourcesOf(stacks.events, 'AWS::Lambda::Function').find(
  ([, { Properties }]) => Properties.Handler === 'workers-deliver-webhook.handler',
)!

describe('the secrets of endpoints', () => {
  it('are decrypted only by the worker and by the functions of the routes that post', () => {
    expect(may('kms:Decrypt')).toEqual(['DeliverWebhook', ...functionsThat('unseal')].toSorted())
  })

  it('are encrypted only by the functions of the routes that make endpoints', () => {
    expect(may('kms:GenerateDataKey')).toEqual(functionsThat('seal').toSorted())
  })

  it('are unreachable for roles that read stored files: roles that decrypt have no bucket', () => {
    const openers = roles.filter(([name]) => may('kms:Decrypt').includes(name))
    expect(openers.length).toBeGreaterThan(0)
    for (const [name, statements] of openers) {
      expect(
        actionsOf(statements).filter((action) => action.startsWith('s3:')),
        name,
      ).toEqual([])
    }
  })

  it('use a key that requires an encryption context, which separates them from the secrets of accounts and of operators', () => {
    const purposes = ['webhook', 'account', 'consent', 'api-key'].map((purpose) => ({
      'kms:EncryptionContext:purpose': purpose,
    }))
    const ofOperators = { 'kms:EncryptionContext:SecretARN': expect.anything() }
    const statements = roles.flatMap(([, all]) =>
      all.filter((statement) => actionsOf([statement]).some((action) => action.startsWith('kms:'))),
    )
    expect(statements.length).toBeGreaterThan(0)
    // The responses that show a new key are encrypted and decrypted by the function of keys alone.
    const withKeys = roles.filter(([, all]) => JSON.stringify(all).includes('"api-key"'))
    expect(withKeys.map(([name]) => name)).toEqual(['keys'])
    for (const { Action, Condition, Resource } of statements) {
      for (const action of [Action].flat()) expect(['kms:Decrypt', 'kms:GenerateDataKey']).toContain(action)
      expect(Object.keys(Condition ?? {})).toEqual(['StringEquals'])
      expect([...purposes, ofOperators]).toContainEqual(Condition?.StringEquals)
      expect(JSON.stringify(Resource)).toContain(keyId)
    }
  })

  it('can be decrypted for as long as they are stored: the key rotates and outlives the stack', () => {
    expect(key.Properties).toMatchObject({ EnableKeyRotation: true, RotationPeriodInDays: 2560 })
    expect(key).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' })
  })
})

describe('the queues of deliveries', () => {
  it('keep dead letters for two weeks after five receives, and all others for four days', () => {
    for (const [, { Properties }] of [usual, slow]) {
      expect(Properties.RedrivePolicy).toEqual({
        deadLetterTargetArn: { 'Fn::GetAtt': [dead[0], 'Arn'] },
        maxReceiveCount: 5,
      })
      expect(Properties.MessageRetentionPeriod).toBe(4 * 24 * 60 * 60)
    }
    expect(dead[1].Properties.MessageRetentionPeriod).toBe(14 * 24 * 60 * 60)
  })

  it('hide a message for six times the time-out of the worker', () => {
    expect(worker[1].Properties.Timeout).toBe(30)
    for (const [, { Properties }] of [usual, slow]) expect(Properties.VisibilityTimeout).toBe(180)
  })

  it('are encrypted, and refuse requests without TLS', () => {
    const closed = resourcesOf(stacks.data, 'AWS::SQS::QueuePolicy').flatMap(([, { Properties }]) =>
      JSON.stringify(Properties.PolicyDocument).includes('"aws:SecureTransport":"false"')
        ? Properties.Queues.map(({ Ref }: { Ref: string }) => Ref)
        : [],
    )
    expect(closed.toSorted()).toEqual([...queues.keys()].toSorted())
    for (const [, { Properties }] of queues) expect(Properties.SqsManagedSseEnabled).toBe(true)
  })

  it.each([
    ['the usual', usual, 100],
    ['the slow', slow, 5],
  ])('%s wakes the worker in batches of ten, with partial batch failures', (_name, [queueId], concurrency) => {
    const mappings = resourcesOf(stacks.events, 'AWS::Lambda::EventSourceMapping').filter(([, { Properties }]) =>
      JSON.stringify(Properties.EventSourceArn).includes(queueId),
    )
    expect(mappings.map(([, { Properties }]) => Properties)).toMatchObject([
      {
        FunctionName: { Ref: worker[0] },
        BatchSize: 10,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: concurrency },
      },
    ])
  })

  it('let the worker enqueue its own retries, which Lambda would stop after 16 of them', () => {
    expect(worker[1].Properties.RecursiveLoop).toBe('Allow')
    const others = Object.values(stacks).flatMap((stack) => resourcesOf(stack, 'AWS::Lambda::Function'))
    expect(others.filter(([, { Properties }]) => Properties.RecursiveLoop !== undefined)).toHaveLength(1)
  })

  it('receive messages from the dispatcher, the sweeper and the worker', () => {
    const senders = roles.flatMap(([name, statements]) => {
      const sent = statements.filter((statement) => actionsOf([statement]).includes('sqs:SendMessage'))
      return [usual, slow].every(([id]) => JSON.stringify(sent).includes(id)) ? [name] : []
    })
    expect(senders.toSorted()).toEqual(['DeliverWebhook', 'DispatchOutbox', 'Sweep'])
  })
})
