/** One Lambda function of the service: bundled code, its own log group, and a role that may do what it was given. */
import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  Architecture,
  Code,
  type ILayerVersion,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
} from 'aws-cdk-lib/aws-lambda'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { bundledName, bundleFolder, functionsIn } from './function-files.ts'
import { allow, type Grant } from './grants.ts'
import { environment, type Shared } from './shared.ts'

export interface ReelsmithFunctionProps extends Shared {
  /** The source under the repository's root, such as `functions/workers/sweep.ts`. */
  readonly file: string
  readonly description: string
  readonly grants: readonly Grant[]
  readonly timeoutSeconds: number
  readonly memoryMb?: number
  readonly layers?: ILayerVersion[]
}

/** Lambda gives CPU by memory: with half of this, a cold start takes twice as long. */
const memoryMbOfMost = 1024

export class ReelsmithFunction extends Construct {
  readonly lambda: LambdaFunction
  readonly role: Role

  constructor(scope: Construct, id: string, props: ReelsmithFunctionProps) {
    super(scope, id)
    const logGroup = new LogGroup(this, 'Logs', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    allow(this.role, [
      { actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: [logGroup.logGroupArn] },
      ...props.grants,
    ])
    this.lambda = new LambdaFunction(this, 'Function', {
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(functionsIn(bundleFolder)),
      handler: `${bundledName(props.file)}.handler`,
      memorySize: props.memoryMb ?? memoryMbOfMost,
      timeout: Duration.seconds(props.timeoutSeconds),
      environment: environment(props),
      role: this.role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      layers: props.layers,
    })
  }
}
