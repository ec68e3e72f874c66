/** One deployment: six stacks with its name as prefix, so that an account can hold several deployments. */
import { type App, Tags } from 'aws-cdk-lib'
import { concurrencyShares } from '../concurrency-shares.ts'
import { readConfig } from '../config.ts'
import { pipelineNames, stateMachineArn } from '../deployment-context.ts'
import { ApiStack } from './api-stack.ts'
import { ConsoleStack } from './console-stack.ts'
import { DataStack } from './data-stack.ts'
import { EventsStack } from './events-stack.ts'
import { OperationsStack } from './operations-stack.ts'
import { PipelinesStack } from './pipelines-stack.ts'

/** Configured by CDK context (`lib/infra/config.ts`). */
export function createStacks(app: App) {
  const { stage, region, providers, concurrency, renderFunctionMb, renderFunctionsMax } = readConfig(app.node)
  const name = `${stage}-reelsmith`
  const stackProps = region === undefined ? {} : { env: { region } }
  const data = new DataStack(app, `${name}-data`, { name, stackProps })
  const shares = concurrencyShares(concurrency)
  const deployment = {
    name,
    stackProps,
    resources: data.resources,
    providers,
    waitSecondsMax: shares.waitSecondsMax,
    renderFunctions: {
      max: renderFunctionsMax ?? shares.renderFunctions,
      reserved: shares.mediaFunctions,
      memoryMb: renderFunctionMb,
    },
  }
  const api = new ApiStack(app, `${name}-api`, deployment)
  const pipelines = new PipelinesStack(app, `${name}-pipelines`, deployment)
  const events = new EventsStack(app, `${name}-events`, deployment)
  const operations = new OperationsStack(app, `${name}-operations`, {
    ...deployment,
    ...events.monitored,
    apiId: api.apiId,
    deliveries: data.deliveries,
    stateMachineArns: pipelineNames.map((pipeline) => stateMachineArn(deployment, pipeline)),
  })
  const console = new ConsoleStack(app, `${name}-console`, {
    ...deployment,
    apiHost: api.apiHost,
    logBucketName: data.logBucketName,
  })
  // The CDK derives no order of stacks from exported values that are passed as text.
  for (const stack of [api, pipelines, events, console]) stack.addStackDependency(data)
  console.addStackDependency(api)
  for (const stack of [data, api, events]) operations.addStackDependency(stack)
  Tags.of(app).add('application', name)
  return { data, api, pipelines, events, operations, console }
}
