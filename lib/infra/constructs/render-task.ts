/** The ffmpeg container as a Fargate task: one task definition for all of its commands. */
import { Aws, Duration, Validations } from 'aws-cdk-lib'
import type { DockerImageAsset } from 'aws-cdk-lib/aws-ecr-assets'
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
import { type DeploymentContext, functionEnvironment } from '../deployment-context.ts'
import { containerGrants } from '../iam/function-grants.ts'
import { acknowledgeWildcards, attachGrants } from '../iam/grants.ts'
import { logGroup } from './log-group.ts'
import { RenderNetwork } from './render-network.ts'

interface RenderTaskProps extends DeploymentContext {
  readonly image: DockerImageAsset
}

export class RenderTask extends Construct {
  /** Substitutions for `${...}` in the ASL files, in addition to the functions. */
  readonly placeholders: Record<string, string>
  private readonly cluster: Cluster
  private readonly definition: FargateTaskDefinition

  constructor(scope: Construct, id: string, { image, ...deployment }: RenderTaskProps) {
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
    // Without the init process of ECS: the image has its own.
    const linux = new LinuxParameters(this, 'Linux')
    linux.dropCapabilities(Capability.ALL)
    this.definition.addVolume({ name: 'scratch' })
    const container = this.definition.addContainer('render', {
      containerName: 'render',
      image: ContainerImage.fromDockerImageAsset(image),
      environment: functionEnvironment(deployment),
      user: 'node',
      readonlyRootFilesystem: true,
      linuxParameters: linux,
      // The notice of a Spot interruption is two minutes.
      stopTimeout: Duration.seconds(120),
      logging: LogDriver.awsLogs({ streamPrefix: 'render', logGroup: logGroup(this, 'Logs') }),
    })
    // The task's ephemeral disk, the only writable path.
    container.addMountPoints({ containerPath: '/scratch', sourceVolume: 'scratch', readOnly: false })
    attachGrants(this.definition.taskRole, containerGrants(deployment))
    acknowledgeWildcards(
      this.definition.obtainExecutionRole(),
      ['*'],
      'ecr:GetAuthorizationToken does not support resource-level permissions; pulling is limited to one repository.',
    )
    Validations.of(this.definition).acknowledge({
      id: 'AwsSolutions-ECS2',
      reason: 'The variables are names and URLs of this deployment, no secrets.',
    })
    const [subnetA, subnetB] = vpc.publicSubnets
    this.placeholders = {
      Cluster: this.cluster.clusterArn,
      // The family resolves to its newest revision, so that running executions survive a deployment.
      TaskDefinition: this.definition.family,
      SubnetA: subnetA!.subnetId,
      SubnetB: subnetB!.subnetId,
      SecurityGroup: securityGroup.securityGroupId,
    }
  }

  /** Grants for `ecs:runTask.sync`: run the task definition, monitor its tasks, pass their roles. */
  grantRun(role: IRole): void {
    const region = `${Aws.REGION}:${Aws.ACCOUNT_ID}`
    const tasks = `arn:${Aws.PARTITION}:ecs:${region}:task/${this.cluster.clusterName}/*`
    const rule = `arn:${Aws.PARTITION}:events:${region}:rule/StepFunctionsGetEventsForECSTaskRule`
    attachGrants(role, [
      {
        actions: ['ecs:RunTask'],
        resources: [`arn:${Aws.PARTITION}:ecs:${region}:task-definition/${this.definition.family}:*`],
        wildcard: 'Revisions of one family: each deployment creates a new one.',
      },
      {
        actions: ['ecs:StopTask', 'ecs:DescribeTasks', 'ecs:TagResource'],
        resources: [tasks],
        wildcard: 'The id of a task is assigned at its start; the cluster is fixed and runs only this definition.',
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
