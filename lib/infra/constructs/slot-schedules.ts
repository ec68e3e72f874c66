/** What wakes automations in time: the group of their one-time schedules, the worker that each of them calls, and the role that calls it. */
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

export interface SlotSchedulesProps extends DeploymentContext {
  /** Is told what the worker failed on, and of calls that never reached it. */
  readonly deadLetters: Queue
}

export class SlotSchedules extends Construct {
  /** What `env.slotSchedules` reads, for whoever plans slots. */
  readonly environment: Record<string, string>
  /** What whoever plans slots may do. */
  readonly grants: readonly Grant[]

  constructor(scope: Construct, id: string, props: SlotSchedulesProps) {
    super(scope, id)
    const { lambda } = new ReelsmithFunction(this, 'FireSlot', {
      ...props,
      file: 'functions/workers/run-due-slot.ts',
      description: 'Decides on the slot of an automation that is due',
      grants: workerGrants['run-due-slot'](props),
      timeoutSeconds: 60,
    })
    // The sweeper looks at the same slot within the minute.
    lambda.configureAsyncInvoke({
      retryAttempts: 2,
      maxEventAge: Duration.minutes(5),
      onFailure: new SqsDestination(props.deadLetters),
    })
    const caller = schedulerRole(this, 'Caller', { worker: lambda, lost: props.deadLetters })
    // Nothing is planned before the role may call the worker.
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
          'A schedule is named after its automation and its slot, which are known at run time only; the group is fixed.',
      },
      {
        actions: ['iam:PassRole'],
        resources: [caller.roleArn],
        conditions: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
      },
    ]
  }
}
