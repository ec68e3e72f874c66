/** The state machines, their steps, and the render container. */
import { Stack } from 'aws-cdk-lib'
import { Architecture, Code, LayerVersion, Runtime } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { bundleFolder, voicesLayerFolder } from '../bundle-paths.ts'
import { PipelineStateMachine, stateNameOf } from '../constructs/pipeline-state-machine.ts'
import { RenderTask } from '../constructs/render-task.ts'
import { type DeploymentContext, pipelineNames } from '../deployment-context.ts'

export class PipelinesStack extends Stack {
  constructor(scope: Construct, id: string, deployment: DeploymentContext) {
    super(scope, id, { ...deployment.stackProps, description: 'Reelsmith: generation and rendering' })
    const renderTask = new RenderTask(this, 'RenderTask', deployment)
    const voices = new LayerVersion(this, 'Voices', {
      description: 'Speech engines: flite (BSD) and, as a program of its own, espeak-ng (GPL-3.0)',
      code: Code.fromAsset(voicesLayerFolder(bundleFolder)),
      compatibleRuntimes: [Runtime.NODEJS_24_X],
      compatibleArchitectures: [Architecture.ARM_64],
    })
    for (const pipeline of pipelineNames)
      new PipelineStateMachine(this, stateNameOf(pipeline), { ...deployment, pipeline, renderTask, voices })
  }
}
