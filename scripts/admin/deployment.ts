/** Points this process at the deployment that a command is for. */
import { resolve } from 'node:path'
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
import { localEnvironment } from '../../local/environment.ts'
import { dataDirectory, findRuntime } from '../../local/runtime.ts'

/** The environment variable that each output of the data stack fills. */
const outputs = {
  TableName: 'TABLE_NAME',
  BucketName: 'BUCKET_NAME',
  MediaUrl: 'MEDIA_URL',
  SealingKeyArn: 'SEALING_KEY_ID',
  PlatformClientsArn: 'PLATFORM_CLIENTS_ID',
  DeliveryQueueUrl: 'DELIVERY_QUEUE_URL',
  SlowDeliveryQueueUrl: 'SLOW_DELIVERY_QUEUE_URL',
  StateMachineArnPrefix: 'STATE_MACHINE_ARN_PREFIX',
} as const

export interface Deployment {
  /** Base address of the API, without a slash at the end. */
  apiUrl: () => Promise<string>
  /** Set where it is a developer's own: nobody's customers are in it. */
  isLocal?: boolean
}

/** The stack whose outputs are read is `<name>-data`. Without a name: the local run, which must be up. */
export async function selectDeployment(stackName: string | undefined): Promise<Deployment> {
  if (stackName === undefined) {
    const directory = resolve(dataDirectory())
    const runtime = findRuntime(directory)
    if (!runtime) throw new Error(`No local run is up in ${directory}: start it with npm start, or name a --stack.`)
    Object.assign(process.env, localEnvironment(runtime.endpoints, runtime))
    return { apiUrl: async () => runtime.baseUrl, isLocal: true }
  }
  const found = await outputsOf(`${stackName}-data`)
  for (const [output, variable] of Object.entries(outputs)) process.env[variable] = requireOutput(found, output)
  Object.assign(process.env, { DEPLOYMENT: stackName, PLATFORM_URLS: '{}', ALLOW_LOOPBACK: 'false' })
  return { apiUrl: async () => requireOutput(await outputsOf(`${stackName}-api`), 'ApiUrl') }
}

interface Outputs {
  stack: string
  values: Record<string, string | undefined>
}

async function outputsOf(stack: string): Promise<Outputs> {
  const cloudFormation = new CloudFormationClient({})
  await cloudFormation.config.region().catch(() => {
    throw new Error('Which region is the deployment in? Set AWS_REGION, or name a profile that has one in AWS_PROFILE.')
  })
  const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName: stack }))
  const values = (Stacks?.[0]?.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue])
  return { stack, values: Object.fromEntries(values) }
}

function requireOutput({ stack, values }: Outputs, output: string): string {
  const value = values[output]
  if (!value) throw new Error(`The stack ${stack} has no output ${output}: deploy it again.`)
  return value
}
