/** One deployment: four stacks that begin with its name, so that several fit one account. */
import { type App, Tags } from 'aws-cdk-lib'
import { ApiStack } from './api-stack.ts'
import { DataStack } from './data-stack.ts'
import { EventsStack } from './events-stack.ts'
import { PipelinesStack } from './pipelines-stack.ts'
import { providersIn } from './vendors.ts'

/** The stage and who makes what come from the context: `cdk.json`, or `-c stage=NAME` and `-c providers=JSON`. */
export function reelsmith(app: App) {
  const stage: unknown = app.node.getContext('stage')
  if (typeof stage !== 'string' || !/^[a-z][a-z0-9]{0,15}$/.test(stage)) {
    throw new Error('The context value `stage` must be a short word of small letters and digits.')
  }
  const name = `${stage}-reelsmith`
  const providers = providersIn(app.node.tryGetContext('providers'))
  const data = new DataStack(app, `${name}-data`)
  const shared = { name, stores: data.stores, providers }
  const stacks = {
    data,
    api: new ApiStack(app, `${name}-api`, shared),
    pipelines: new PipelinesStack(app, `${name}-pipelines`, shared),
    events: new EventsStack(app, `${name}-events`, shared),
  }
  Tags.of(app).add('application', name)
  return stacks
}
