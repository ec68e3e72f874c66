/** A log group with the configured retention, deleted with its stack. */
import { RemovalPolicy } from 'aws-cdk-lib'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { readConfig } from '../config.ts'

/** `logGroupName` only if AWS requires a name. */
export const logGroup = (scope: Construct, id: string, logGroupName?: string) =>
  new LogGroup(scope, id, {
    logGroupName,
    retention: readConfig(scope.node).logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  })
