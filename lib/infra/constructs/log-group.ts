/** A log group of the deployment: it forgets after as many days as the deployment was told, and goes with its stack. */
import { RemovalPolicy } from 'aws-cdk-lib'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { readConfig } from '../config.ts'

/** `logGroupName` only where AWS wants one. */
export const logGroup = (scope: Construct, id: string, logGroupName?: string) =>
  new LogGroup(scope, id, {
    logGroupName,
    retention: readConfig(scope.node).logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  })
