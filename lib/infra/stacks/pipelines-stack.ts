/** The state machines, their steps, and the media container as a function and as a task. */
import { Stack } from 'aws-cdk-lib'
import { DockerImageAsset, Platform } from 'aws-cdk-lib/aws-ecr-assets'
import { Architecture, Code, LayerVersion, Runtime } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { bundleFolder, repositoryRoot, voicesLayerFolder } from '../bundle-paths.ts'
import { MediaFunction } from '../constructs/media-function.ts'
import { PipelineStateMachine, stateNameOf } from '../constructs/pipeline-state-machine.ts'
import { RenderTask } from '../constructs/render-task.ts'
import { type DeploymentContext, pipelineNames } from '../deployment-context.ts'

export class PipelinesStack extends Stack {
  constructor(scope: Construct, id: string, deployment: DeploymentContext) {
    super(scope, id, { ...deployment.stackProps, description: 'Reelsmith: generation and rendering' })
    const image = new DockerImageAsset(this, 'MediaImage', {
      directory: repositoryRoot,
      file: 'containers/media/Dockerfile',
      platform: Platform.LINUX_ARM64,
    })
    const mediaFunction = new MediaFunction(this, 'MediaFunction', { ...deployment, image })
    const renderTask = new RenderTask(this, 'RenderTask', { ...deployment, image })
    const voices = new LayerVersion(this, 'Voices', {
      description: 'Speech engines: flite (BSD) and, as a program of its own, espeak-ng (GPL-3.0)',
      code: Code.fromAsset(voicesLayerFolder(bundleFolder)),
      compatibleRuntimes: [Runtime.NODEJS_24_X],
      compatibleArchitectures: [Architecture.ARM_64],
    })
    for (const pipeline of pipelineNames)
      new PipelineStateMachine(this, stateNameOf(pipeline), {
        ...deployment,
        pipeline,
        mediaFunction,
        renderTask,
        voices,
      })
  }
}
