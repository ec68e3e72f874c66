/**
 * The ffmpeg container as a Lambda function: it starts within seconds and does what fits its limits. The task of
 * `render-task.ts` does the rest, and whatever a function fails at.
 */
import { Duration, Size } from 'aws-cdk-lib'
import type { DockerImageAsset } from 'aws-cdk-lib/aws-ecr-assets'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  Architecture,
  DockerImageCode,
  DockerImageFunction,
  LoggingFormat,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { type DeploymentContext, functionEnvironment } from '../deployment-context.ts'
import { containerGrants } from '../iam/function-grants.ts'
import { attachGrants } from '../iam/grants.ts'
import { logGroup } from './log-group.ts'

interface MediaFunctionProps extends DeploymentContext {
  readonly image: DockerImageAsset
}

/** Of an invocation. A state of the ASL files that allows less passes a shorter limit to it, as `timeoutSeconds`. */
export const mediaFunctionSeconds = 180
/** Its states have so much more: their time includes the cold start, and the function must end first. */
export const mediaColdStartSeconds = 20

export class MediaFunction extends Construct {
  readonly lambda: DockerImageFunction

  constructor(scope: Construct, id: string, { image, ...deployment }: MediaFunctionProps) {
    super(scope, id)
    const { reserved } = deployment.renderFunctions
    const logs = logGroup(this, 'Logs')
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    attachGrants(role, [
      { actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: [logs.logGroupArn] },
      ...containerGrants(deployment),
    ])
    this.lambda = new DockerImageFunction(this, 'Function', {
      description: 'Everything that needs ffmpeg, where it fits a function',
      code: DockerImageCode.fromEcr(image.repository, {
        tagOrDigest: image.imageTag,
        entrypoint: ['tini', '--', 'node', '--disable-warning=ExperimentalWarning', 'containers/media/function.ts'],
      }),
      architecture: Architecture.ARM_64,
      memorySize: deployment.renderFunctions.memoryMb,
      // A limit for all renders together: what it throttles goes to tasks, and requests keep the other executions.
      ...(reserved > 0 && { reservedConcurrentExecutions: reserved }),
      // The media of a render, its segments and its result.
      ephemeralStorageSize: Size.gibibytes(4),
      timeout: Duration.seconds(mediaFunctionSeconds),
      // The only writable directory of a function.
      environment: { ...functionEnvironment(deployment), TMPDIR: '/tmp' },
      role,
      logGroup: logs,
      loggingFormat: LoggingFormat.JSON,
      systemLogLevelV2: SystemLogLevel.WARN,
    })
  }
}
