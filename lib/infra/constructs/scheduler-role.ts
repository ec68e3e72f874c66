/** The role in whose name EventBridge Scheduler calls a worker, and tells where a call never reached it. */
import { Aws } from 'aws-cdk-lib'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { attachGrants } from '../iam/grants.ts'

/** `lost` is told of calls that never reached the worker. */
export function schedulerRole(
  scope: Construct,
  id: string,
  { worker, lost }: { worker: IFunction; lost: IQueue },
): Role {
  const role = new Role(scope, id, {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      // Schedules of other accounts may not borrow it:
      // https://docs.aws.amazon.com/scheduler/latest/UserGuide/cross-service-confused-deputy-prevention.html
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  })
  attachGrants(role, [
    { actions: ['lambda:InvokeFunction'], resources: [worker.functionArn] },
    { actions: ['sqs:SendMessage'], resources: [lost.queueArn] },
  ])
  return role
}
