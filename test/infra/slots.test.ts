/** The AWS resources behind the slots of automations: which roles may schedule them, and what a schedule may invoke. */
import { describe, expect, it } from 'vitest'
import { bundle } from '../../bin/bundle.ts'
import { temporaryDirectoryOfFile } from '../support/temporary-directory.ts'
import {
  type PolicyStatement,
  resourcesOf,
  rolesByFunction,
  statementsByRole,
  synthesizeDeployment,
} from './synthesized-stacks.ts'

const { stacks } = await synthesizeDeployment()
const elsewhere = temporaryDirectoryOfFile()
const { functions } = await bundle(elsewhere)

const all = Object.values(stacks)
const lambdas = all.flatMap((stack) => resourcesOf(stack, 'AWS::Lambda::Function'))
const roles = rolesByFunction(stacks)
const statements = statementsByRole(stacks)
const statementsOf = (roleId: string): PolicyStatement[] => statements.get(roleId) ?? []
const roleOf = (name: string): string => roles.get(name)!
const rightsOf = (roleId: string, action: string) =>
  statementsOf(roleId).filter(({ Action }) => [Action].flat().includes(action))

const [workerId, worker] = lambdas.find(([, { Properties }]) => Properties.Handler === 'workers-run-due-slot.handler')!
const [groupId] = resourcesOf(stacks.events, 'AWS::Scheduler::ScheduleGroup')[0]!
const [callerId, caller] = resourcesOf(stacks.events, 'AWS::IAM::Role').find(([id]) => id.startsWith('SlotsCaller'))!
const planners = functions
  .filter(({ contains }) => contains.includes('lib/aws/slot-schedules.ts'))
  .map(({ name }) => name)

describe('slots of automations', () => {
  it('are scheduled only by the functions whose code does so', () => {
    expect(planners.toSorted()).toEqual(['workers-dispatch-outbox', 'workers-sweep'])
    const allowed = functions.filter(({ name }) => rightsOf(roleOf(name), 'scheduler:CreateSchedule').length > 0)
    expect(allowed.map(({ name }) => name).toSorted()).toEqual(planners.toSorted())
  })

  it('are scheduled only in their group, and only with the role of their caller', () => {
    for (const name of planners) {
      const [create, ...others] = rightsOf(roleOf(name), 'scheduler:CreateSchedule')
      expect(others).toEqual([])
      expect(JSON.stringify(create!.Resource)).toMatch(new RegExp(`:schedule/",\\{"Ref":"${groupId}"\\},"/\\*"`))
      expect(rightsOf(roleOf(name), 'iam:PassRole')).toMatchObject([
        {
          Resource: { 'Fn::GetAtt': [callerId, 'Arn'] },
          Condition: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
        },
      ])
    }
  })

  it('give their schedulers the group, the worker and its caller', () => {
    for (const name of planners) {
      const [, { Properties }] = lambdas.find(([, lambda]) => lambda.Properties.Handler === `${name}.handler`)!
      expect(Properties.Environment.Variables).toMatchObject({
        SLOT_SCHEDULE_GROUP: { Ref: groupId },
        SLOT_WORKER_ARN: { 'Fn::GetAtt': [workerId, 'Arn'] },
        SLOT_CALLER_ROLE_ARN: { 'Fn::GetAtt': [callerId, 'Arn'] },
        SLOT_DEAD_LETTERS_ARN: { 'Fn::GetAtt': [expect.stringMatching(/^LostWakeUps/), 'Arn'] },
      })
    }
  })

  it('may invoke their worker, report a failed invocation, and nothing else', () => {
    expect(caller.Properties.AssumeRolePolicyDocument.Statement).toMatchObject([
      {
        Principal: { Service: 'scheduler.amazonaws.com' },
        Action: 'sts:AssumeRole',
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      },
    ])
    expect(statementsOf(callerId)).toMatchObject([
      { Action: 'lambda:InvokeFunction', Resource: { 'Fn::GetAtt': [workerId, 'Arn'] } },
      { Action: 'sqs:SendMessage', Resource: { 'Fn::GetAtt': [expect.stringMatching(/^LostWakeUps/), 'Arn'] } },
    ])
  })

  it('go to the dead-letter queue if their worker failed', () => {
    expect(worker.Properties.Timeout).toBe(60)
    const [, config] = resourcesOf(stacks.events, 'AWS::Lambda::EventInvokeConfig').find(
      ([, { Properties }]) => Properties.FunctionName.Ref === workerId,
    )!
    expect(config.Properties).toMatchObject({ MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: 300 })
    expect(JSON.stringify(config.Properties.DestinationConfig.OnFailure)).toContain('LostWakeUps')
  })
})
