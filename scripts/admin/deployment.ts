/** Points this process at the deployment that a command is for. */
import { resolve } from 'node:path'
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
import { environment } from '../../local/environment.ts'
import { dataDirectory, findRuntime } from '../../local/runtime.ts'

/** The environment variable that each output of the data stack fills. */
const outputs = { TableName: 'TABLE_NAME', BucketName: 'BUCKET_NAME', MediaUrl: 'MEDIA_URL' } as const

/** The stack whose outputs are read is `<name>-data`. Without a name: the local run, which must be up. */
export async function useDeployment(stackName: string | undefined): Promise<void> {
  if (stackName === undefined) {
    const directory = resolve(dataDirectory())
    const runtime = findRuntime(directory)
    if (!runtime) throw new Error(`No local run is up in ${directory}: start it with npm start, or name a --stack.`)
    Object.assign(process.env, environment(runtime.endpoints))
    return
  }
  const client = new CloudFormationClient({})
  const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: `${stackName}-data` }))
  const found = Object.fromEntries((Stacks?.[0]?.Outputs ?? []).map((output) => [output.OutputKey, output.OutputValue]))
  for (const [output, variable] of Object.entries(outputs)) {
    if (!found[output]) throw new Error(`The stack ${stackName}-data has no output ${output}.`)
    process.env[variable] = found[output]
  }
}
