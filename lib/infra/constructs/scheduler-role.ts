/** The role with which EventBridge Scheduler invokes a worker and sends failed invocations to a dead-letter queue. */
import { Aws } from 'aws-cdk-lib'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { attachGrants } from '../iam/grants.ts'

/** `deadLetters` receives invocations that did not reach the worker. */
export function schedulerRole(
  scope: Construct,
  id: string,
  { worker, deadLetters }: { worker: IFunction; deadLetters: IQueue },
): Role {
  const role = new Role(scope, id, {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      // Prevents schedules of other accounts from using it (confused deputy):
      // https://docs.aws.amazon.com/scheduler/latest/UserGuide/cross-service-confused-deputy-prevention.html
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  })
  attachGrants(role, [
    { actions: ['lambda:InvokeFunction'], resources: [worker.functionArn] },
    { actions: ['sqs:SendMessage'], resources: [deadLetters.queueArn] },
  ])
  return role
}
