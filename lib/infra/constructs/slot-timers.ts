/** Slot timers, one-time EventBridge schedules: their group, the worker that they invoke, and their role. */
import { Aws, Duration } from 'aws-cdk-lib'
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations'
import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import type { DeploymentContext } from '../deployment-context.ts'
import { workerGrants } from '../iam/function-grants.ts'
import type { Grant } from '../iam/grants.ts'
import { ReelsmithFunction } from './reelsmith-function.ts'
import { schedulerRole } from './scheduler-role.ts'

interface SlotTimersProps extends DeploymentContext {
  /** Receives events on which the worker failed, and invocations that did not reach it. */
  readonly deadLetters: Queue
}

export class SlotTimers extends Construct {
  /** The variables of `env.slotSchedules`, for functions that create schedules. */
  readonly environment: Record<string, string>
  /** Grants of functions that create schedules. */
  readonly grants: readonly Grant[]

  constructor(scope: Construct, id: string, props: SlotTimersProps) {
    super(scope, id)
    const { lambda } = new ReelsmithFunction(this, 'FireSlot', {
      ...props,
      entry: 'workers-run-due-slot',
      description: 'Processes a due slot of an automation',
      grants: workerGrants['run-due-slot'](props),
      timeoutSeconds: 60,
    })
    // The sweeper checks the same slot within a minute.
    lambda.configureAsyncInvoke({
      retryAttempts: 2,
      maxEventAge: Duration.minutes(5),
      onFailure: new SqsDestination(props.deadLetters),
    })
    const caller = schedulerRole(this, 'Caller', { worker: lambda, deadLetters: props.deadLetters })
    // No schedule is created before the role may invoke the worker.
    const group = new CfnScheduleGroup(this, 'Group')
    group.node.addDependency(caller)

    this.environment = {
      SLOT_SCHEDULE_GROUP: group.ref,
      SLOT_WORKER_ARN: lambda.functionArn,
      SLOT_CALLER_ROLE_ARN: caller.roleArn,
      SLOT_DEAD_LETTERS_ARN: props.deadLetters.queueArn,
    }
    this.grants = [
      {
        actions: ['scheduler:CreateSchedule'],
        resources: [`arn:${Aws.PARTITION}:scheduler:${Aws.REGION}:${Aws.ACCOUNT_ID}:schedule/${group.ref}/*`],
        wildcard:
          'A schedule is named after its automation and slot, which are known only at run time; the group is fixed.',
      },
      {
        actions: ['iam:PassRole'],
        resources: [caller.roleArn],
        conditions: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
      },
    ]
  }
}
