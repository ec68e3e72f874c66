/** A Lambda function of the service: bundled code, its own log group, and a role with exactly the given grants. */
import { Duration } from 'aws-cdk-lib'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  Architecture,
  Code,
  type ILayerVersion,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { bundleFolder, functionsFolder } from '../bundle-paths.ts'
import { type DeploymentContext, functionEnvironment } from '../deployment-context.ts'
import { attachGrants, type Grant } from '../iam/grants.ts'
import { logGroup } from './log-group.ts'

interface ReelsmithFunctionProps extends DeploymentContext {
  /** The name of its entry in the bundle, such as `workers-sweep`. */
  readonly entry: string
  readonly description: string
  readonly grants: readonly Grant[]
  readonly timeoutSeconds: number
  readonly memoryMb?: number
  /** Additional environment variables of this function. */
  readonly environment?: Record<string, string>
  /** NODE_OPTIONS. */
  readonly nodeOptions?: string
  readonly layers?: ILayerVersion[]
  /** True for a function whose messages invoke it again by design, within a limit of its own. */
  readonly allowsRecursion?: true
}

/** Lambda assigns CPU by memory: half of this doubles the cold start. */
const defaultMemoryMb = 1024

export class ReelsmithFunction extends Construct {
  readonly lambda: LambdaFunction
  readonly role: Role

  constructor(scope: Construct, id: string, props: ReelsmithFunctionProps) {
    super(scope, id)
    const logs = logGroup(this, 'Logs')
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    attachGrants(this.role, [
      { actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: [logs.logGroupArn] },
      ...props.grants,
    ])
    this.lambda = new LambdaFunction(this, 'Function', {
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(functionsFolder(bundleFolder)),
      handler: `${props.entry}.handler`,
      memorySize: props.memoryMb ?? defaultMemoryMb,
      timeout: Duration.seconds(props.timeoutSeconds),
      environment: {
        ...functionEnvironment(props),
        ...props.environment,
        ...(props.nodeOptions && { NODE_OPTIONS: props.nodeOptions }),
      },
      role: this.role,
      logGroup: logs,
      loggingFormat: LoggingFormat.JSON,
      // Without a start, an end and a report line for each successful invocation; failures are still logged.
      systemLogLevelV2: SystemLogLevel.WARN,
      ...(props.allowsRecursion && { recursiveLoop: RecursiveLoop.ALLOW }),
      layers: props.layers,
    })
  }
}
