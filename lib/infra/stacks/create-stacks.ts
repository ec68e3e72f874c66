/** One deployment: five stacks that begin with its name, so that several fit one account. */
import { type App, Tags } from 'aws-cdk-lib'
import { readConfig } from '../config.ts'
import { pipelineNames, stateMachineArn } from '../deployment-context.ts'
import { ApiStack } from './api-stack.ts'
import { DataStack } from './data-stack.ts'
import { EventsStack } from './events-stack.ts'
import { OperationsStack } from './operations-stack.ts'
import { PipelinesStack } from './pipelines-stack.ts'

/** What it is told comes from the context (`parameters.ts`): `cdk.json`, or `-c NAME=VALUE`. */
export function createStacks(app: App) {
  const { stage, region, providers } = readConfig(app.node)
  const name = `${stage}-reelsmith`
  const stackProps = region === undefined ? {} : { env: { region } }
  const data = new DataStack(app, `${name}-data`, { name, stackProps })
  const shared = { name, stackProps, resources: data.stores, providers }
  const api = new ApiStack(app, `${name}-api`, shared)
  const pipelines = new PipelinesStack(app, `${name}-pipelines`, shared)
  const events = new EventsStack(app, `${name}-events`, shared)
  const operations = new OperationsStack(app, `${name}-operations`, {
    ...shared,
    ...events.watched,
    apiId: api.apiId,
    deliveries: data.deliveries,
    machines: pipelineNames.map((machine) => stateMachineArn(shared, machine)),
  })
  // Exported values that are handed over as text do not tell the CDK who has to be deployed first, and destroyed last.
  for (const stack of [api, pipelines, events]) stack.addStackDependency(data)
  for (const stack of [data, api, events]) operations.addStackDependency(stack)
  Tags.of(app).add('application', name)
  return { data, api, pipelines, events, operations }
}
