/** A state machine from its ASL file, with one function for each file of its folder under `functions/pipelines`. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ILayerVersion } from 'aws-cdk-lib/aws-lambda'
import { DefinitionBody, LogLevel, StateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import { Construct } from 'constructs'
import type { Pipeline } from '../../domain/core/pipeline.ts'
import { bundleEntryName, repositoryRoot, streamingNodeOptions } from '../bundle-paths.ts'
import { type DeploymentContext, stateMachineName } from '../deployment-context.ts'
import { stepGrants } from '../iam/function-grants.ts'
import { acknowledgeWildcards, attachGrants } from '../iam/grants.ts'
import { logGroup } from './log-group.ts'
import type { MediaFunction } from './media-function.ts'
import { ReelsmithFunction } from './reelsmith-function.ts'
import type { RenderTask } from './render-task.ts'

interface PipelineStateMachineProps extends DeploymentContext {
  readonly pipeline: Pipeline
  readonly mediaFunction: MediaFunction
  readonly renderTask: RenderTask
  /** The layer with the speech engines, for the speech steps. */
  readonly voices: ILayerVersion
}

interface Definition {
  Comment: string
  States: Record<string, State>
}

interface State {
  Comment: string
  TimeoutSeconds?: number
  /** For a Map: its states are steps as well. */
  ItemProcessor?: Pick<Definition, 'States'>
}

/** All states at any depth; names are unique within a state machine. */
const statesIn = ({ States }: Pick<Definition, 'States'>): [name: string, state: State][] =>
  Object.entries(States).flatMap(([name, state]) => [
    [name, state] as [string, State],
    ...(state.ItemProcessor ? statesIn(state.ItemProcessor) : []),
  ])

/** `write-script` becomes `WriteScript`, the name of the state and of the ASL placeholder. */
export const stateNameOf = (step: string) => step.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())

const speechSteps = ['narrate', 'narrate-scenes']
const streamingSteps = ['take-step']
/** Speech synthesis is CPU-bound, and more memory gives more CPU. */
const speechMemoryMb = 2048

/** Allowance for a cold start, which the function's timeout does not include. */
const coldStartSeconds = 5

export class PipelineStateMachine extends Construct {
  constructor(scope: Construct, id: string, props: PipelineStateMachineProps) {
    super(scope, id)
    const { pipeline, mediaFunction, renderTask, voices } = props
    const file = join(repositoryRoot, 'state-machines', `${pipeline}.asl.json`)
    const text = readFileSync(file, 'utf8')
    const definition: Definition = JSON.parse(text)
    const runsTasks = text.includes('${TaskDefinition}')
    const name = stateMachineName(props, pipeline)

    const states = new Map(statesIn(definition))
    const steps = globSync('*.ts', { cwd: join(repositoryRoot, 'functions/pipelines', pipeline) }).toSorted()
    const functions = steps.map((source) => {
      const step = basename(source, '.ts')
      const state = states.get(stateNameOf(step))
      const grantsFor = stepGrants[`${pipeline}/${step}`]
      if (!state?.TimeoutSeconds || !grantsFor)
        throw new Error(`The step ${pipeline}/${step} has no state or no grants.`)
      const { lambda } = new ReelsmithFunction(this, stateNameOf(step), {
        ...props,
        entry: bundleEntryName(`functions/pipelines/${pipeline}/${source}`),
        description: `${pipeline}: ${state.Comment}`,
        grants: grantsFor(props),
        // The function's timeout starts later than that of its state, but must end first: otherwise it would run on
        // after the state failed.
        timeoutSeconds: state.TimeoutSeconds - coldStartSeconds,
        ...(speechSteps.includes(step) ? { layers: [voices], memoryMb: speechMemoryMb } : {}),
        ...(streamingSteps.includes(step) ? { nodeOptions: streamingNodeOptions } : {}),
      })
      return [stateNameOf(step), lambda.functionArn] as const
    })

    const invoked = functions.map(([, functionArn]) => functionArn)
    if (runsTasks) invoked.push(mediaFunction.lambda.functionArn)
    const media = { ...renderTask.placeholders, MediaFunction: mediaFunction.lambda.functionArn }
    const stateMachine = new StateMachine(this, 'StateMachine', {
      stateMachineName: name,
      comment: definition.Comment,
      definitionBody: DefinitionBody.fromFile(file),
      definitionSubstitutions: { ...Object.fromEntries(functions), ...(runsTasks ? media : {}) },
      tracingEnabled: true,
      logs: {
        // Log groups with this prefix need no entry in the account's resource policy, whose size is limited.
        destination: logGroup(this, 'Logs', `/aws/vendedlogs/states/${name}`),
        level: LogLevel.ALL,
        includeExecutionData: false,
      },
    })
    attachGrants(stateMachine.role, [{ actions: ['lambda:InvokeFunction'], resources: invoked }])
    if (runsTasks) renderTask.grantRun(stateMachine.role)
    acknowledgeWildcards(
      stateMachine.role,
      ['*'],
      'CloudWatch log delivery and X-Ray do not support resource-level permissions: AWS documents both with "*".',
    )
  }
}
