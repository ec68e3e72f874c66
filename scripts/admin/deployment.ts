/** Configures this process for the deployment that a command targets. */
import { resolve } from 'node:path'
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
import { localEnvironment } from '../../local/environment.ts'
import { dataDirectory, findRuntime } from '../../local/runtime.ts'

/** The environment variable that each output of the data stack fills. */
export const stackOutputs = {
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
  /** Set for the local run, which holds no customer data. */
  isLocal?: boolean
}

/** Reads the outputs of the stack `<name>-data`. Without a name it selects the local run, which must be running. */
export async function selectDeployment(stackName: string | undefined): Promise<Deployment> {
  if (stackName === undefined) {
    const directory = resolve(dataDirectory())
    const runtime = findRuntime(directory)
    if (!runtime) throw new Error(`No local run uses ${directory}. Start it with npm start, or pass --stack NAME.`)
    Object.assign(process.env, localEnvironment(runtime.endpoints, runtime))
    return { apiUrl: async () => runtime.baseUrl, isLocal: true }
  }
  const found = await outputsOf(`${stackName}-data`)
  for (const [output, variable] of Object.entries(stackOutputs)) process.env[variable] = requireOutput(found, output)
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
    throw new Error('No AWS region is configured. Set AWS_REGION, or AWS_PROFILE to a profile with a region.')
  })
  const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName: stack }))
  const values = (Stacks?.[0]?.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue])
  return { stack, values: Object.fromEntries(values) }
}

function requireOutput({ stack, values }: Outputs, output: string): string {
  const value = values[output]
  if (!value) throw new Error(`The stack ${stack} has no output ${output}. Deploy this version first.`)
  return value
}
