/** The container that has ffmpeg, as the state machines run it: one task definition for both of its commands. */
import { Aws, Duration, Validations } from 'aws-cdk-lib'
import { Platform } from 'aws-cdk-lib/aws-ecr-assets'
import {
  Capability,
  Cluster,
  ContainerImage,
  ContainerInsights,
  CpuArchitecture,
  FargateTaskDefinition,
  LinuxParameters,
  LogDriver,
  OperatingSystemFamily,
} from 'aws-cdk-lib/aws-ecs'
import type { IRole } from 'aws-cdk-lib/aws-iam'
import { Construct } from 'constructs'
import { repositoryRoot } from '../bundle-paths.ts'
import { type DeploymentContext, functionEnvironment } from '../deployment-context.ts'
import { containerGrants } from '../iam/function-grants.ts'
import { acknowledgeWildcards, attachGrants } from '../iam/grants.ts'
import { logGroup } from './log-group.ts'
import { RenderNetwork } from './render-network.ts'

export class RenderTask extends Construct {
  /** What the ASL files write in `${...}` beside the names of functions. */
  readonly placeholders: Record<string, string>
  private readonly cluster: Cluster
  private readonly definition: FargateTaskDefinition

  constructor(scope: Construct, id: string, shared: DeploymentContext) {
    super(scope, id)
    const { vpc, securityGroup } = new RenderNetwork(this, 'Network')
    this.cluster = new Cluster(this, 'Cluster', {
      vpc,
      enableFargateCapacityProviders: true,
      containerInsightsV2: ContainerInsights.ENABLED,
    })
    this.definition = new FargateTaskDefinition(this, 'Definition', {
      cpu: 2048,
      memoryLimitMiB: 4096,
      ephemeralStorageGiB: 40,
      runtimePlatform: { cpuArchitecture: CpuArchitecture.ARM64, operatingSystemFamily: OperatingSystemFamily.LINUX },
    })
    // ffmpeg's children are reaped.
    const linux = new LinuxParameters(this, 'Linux', { initProcessEnabled: true })
    linux.dropCapabilities(Capability.ALL)
    this.definition.addVolume({ name: 'scratch' })
    const container = this.definition.addContainer('render', {
      containerName: 'render',
      image: ContainerImage.fromAsset(repositoryRoot, {
        file: 'containers/media/Dockerfile',
        platform: Platform.LINUX_ARM64,
      }),
      environment: functionEnvironment(shared),
      user: 'node',
      readonlyRootFilesystem: true,
      linuxParameters: linux,
      // A Spot interruption leaves the two minutes that AWS gives.
      stopTimeout: Duration.seconds(120),
      logging: LogDriver.awsLogs({ streamPrefix: 'render', logGroup: logGroup(this, 'Logs') }),
    })
    // The task's own disk: the one place that its user may write to, as the image says.
    container.addMountPoints({ containerPath: '/scratch', sourceVolume: 'scratch', readOnly: false })
    attachGrants(this.definition.taskRole, containerGrants(shared))
    acknowledgeWildcards(
      this.definition.obtainExecutionRole(),
      ['*'],
      'ecr:GetAuthorizationToken knows no resource; pulling is held to the one repository.',
    )
    Validations.of(this.definition).acknowledge({
      id: 'AwsSolutions-ECS2',
      reason: 'The variables are names and addresses of this deployment, none of them a secret.',
    })
    const [subnetA, subnetB] = vpc.publicSubnets
    this.placeholders = {
      Cluster: this.cluster.clusterArn,
      // The family means its newest revision: executions in flight outlive a deployment that replaces it.
      TaskDefinition: this.definition.family,
      SubnetA: subnetA!.subnetId,
      SubnetB: subnetB!.subnetId,
      SecurityGroup: securityGroup.securityGroupId,
    }
  }

  /** What Step Functions needs for `ecs:runTask.sync`: start the one definition, watch its tasks, hand over their roles. */
  grantRun(role: IRole): void {
    const region = `${Aws.REGION}:${Aws.ACCOUNT_ID}`
    const tasks = `arn:${Aws.PARTITION}:ecs:${region}:task/${this.cluster.clusterName}/*`
    const rule = `arn:${Aws.PARTITION}:events:${region}:rule/StepFunctionsGetEventsForECSTaskRule`
    attachGrants(role, [
      {
        actions: ['ecs:RunTask'],
        resources: [`arn:${Aws.PARTITION}:ecs:${region}:task-definition/${this.definition.family}:*`],
        wildcard: 'The revisions of one family: each deployment makes a new one.',
      },
      {
        actions: ['ecs:StopTask', 'ecs:DescribeTasks', 'ecs:TagResource'],
        resources: [tasks],
        wildcard: 'A task gets its id when it starts; the cluster is fixed and runs this one definition.',
      },
      {
        actions: ['iam:PassRole'],
        resources: [this.definition.taskRole.roleArn, this.definition.obtainExecutionRole().roleArn],
        conditions: { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } },
      },
      { actions: ['events:PutTargets', 'events:PutRule', 'events:DescribeRule'], resources: [rule] },
    ])
  }
}
