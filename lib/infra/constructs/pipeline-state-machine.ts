/** One state machine from its ASL file, with one function for each file of its folder. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ILayerVersion } from 'aws-cdk-lib/aws-lambda'
import { DefinitionBody, LogLevel, StateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import { Construct } from 'constructs'
import { repositoryRoot, streamingNodeOptions } from '../bundle-paths.ts'
import { type DeploymentContext, type PipelineName, stateMachineName } from '../deployment-context.ts'
import { stepGrants } from '../iam/function-grants.ts'
import { acknowledgeWildcards, attachGrants } from '../iam/grants.ts'
import { logGroup } from './log-group.ts'
import { ReelsmithFunction } from './reelsmith-function.ts'
import type { RenderTask } from './render-task.ts'

export interface PipelineStateMachineProps extends DeploymentContext {
  readonly machine: PipelineName
  readonly renderTask: RenderTask
  /** The speech engines, for the steps that speak. */
  readonly voices: ILayerVersion
}

interface Definition {
  Comment: string
  States: Record<string, State>
}

interface State {
  Comment: string
  TimeoutSeconds?: number
  /** Of a Map: its states are steps like those around it. */
  ItemProcessor?: Pick<Definition, 'States'>
}

/** By name, at any depth: names are unique within a machine. */
const statesIn = ({ States }: Pick<Definition, 'States'>): [name: string, state: State][] =>
  Object.entries(States).flatMap(([name, state]) => [
    [name, state] as [string, State],
    ...(state.ItemProcessor ? statesIn(state.ItemProcessor) : []),
  ])

/** `write-script` as `WriteScript`, the name of its state and of its placeholder. */
export const stateNameOf = (step: string) => step.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())

const speechSteps = ['narrate', 'narrate-scenes']
const streamingSteps = ['take-step']
/** Speech is computed, and more memory is more CPU. */
const speechMemoryMb = 2048

/** How long a cold start may take before a function's own clock runs. */
const coldStartSeconds = 5

export class PipelineStateMachine extends Construct {
  constructor(scope: Construct, id: string, props: PipelineStateMachineProps) {
    super(scope, id)
    const { machine, renderTask, voices } = props
    const file = join(repositoryRoot, 'state-machines', `${machine}.asl.json`)
    const text = readFileSync(file, 'utf8')
    const definition: Definition = JSON.parse(text)
    const runsTasks = text.includes('${TaskDefinition}')
    const name = stateMachineName(props, machine)

    const states = new Map(statesIn(definition))
    const steps = globSync('*.ts', { cwd: join(repositoryRoot, 'functions/pipelines', machine) }).toSorted()
    const functions = steps.map((source) => {
      const step = basename(source, '.ts')
      const state = states.get(stateNameOf(step))
      const needs = stepGrants[`${machine}/${step}`]
      if (!state?.TimeoutSeconds || !needs) throw new Error(`The step ${machine}/${step} has no state or no needs.`)
      const { lambda } = new ReelsmithFunction(this, stateNameOf(step), {
        ...props,
        file: `functions/pipelines/${machine}/${source}`,
        description: `${machine}: ${state.Comment}`,
        grants: needs(props),
        // The function's clock starts after its state's: it must end first, or it would go on when the state gave it up.
        timeoutSeconds: state.TimeoutSeconds - coldStartSeconds,
        ...(speechSteps.includes(step) ? { layers: [voices], memoryMb: speechMemoryMb } : {}),
        ...(streamingSteps.includes(step) ? { nodeOptions: streamingNodeOptions } : {}),
      })
      return [stateNameOf(step), lambda.functionArn] as const
    })

    const stateMachine = new StateMachine(this, 'StateMachine', {
      stateMachineName: name,
      comment: definition.Comment,
      definitionBody: DefinitionBody.fromFile(file),
      definitionSubstitutions: { ...Object.fromEntries(functions), ...(runsTasks ? renderTask.placeholders : {}) },
      tracingEnabled: true,
      logs: {
        // Under this prefix AWS does not write every log group into one resource policy, which is soon full.
        destination: logGroup(this, 'Logs', `/aws/vendedlogs/states/${name}`),
        level: LogLevel.ALL,
        includeExecutionData: false,
      },
    })
    attachGrants(stateMachine.role, [
      { actions: ['lambda:InvokeFunction'], resources: functions.map(([, functionArn]) => functionArn) },
    ])
    if (runsTasks) renderTask.grantRun(stateMachine.role)
    acknowledgeWildcards(
      stateMachine.role,
      ['*'],
      'The log deliveries of CloudWatch and the segments of X-Ray know no resources: AWS documents both with "*".',
    )
  }
}
