// Secrets Manager: GetSecretValue of the AWS wire protocol (AWS JSON 1.1). It stores nothing; the caller supplies the values.

import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen, type RunningServer } from '../listen.ts'
import { withClientGuard } from '../loopback-guard.ts'
import { namedError } from './named-error.ts'

/** Values by secret name, read again for every request. */
export type SecretValues = Readonly<Record<string, () => string>>

interface SecretsManagerOptions {
  readonly port: number
  readonly secrets: SecretValues
}

/** The ARN of a secret. */
export const secretArn = (name: string): string => `arn:aws:secretsmanager:us-east-1:000000000000:secret:${name}`

export async function startSecretsManager({ port, secrets }: SecretsManagerOptions): Promise<RunningServer> {
  const listener: RequestListener = async (request, response) => {
    response.setHeader('content-type', 'application/x-amz-json-1.1')
    try {
      response.end(JSON.stringify(await answer(request, secrets)))
    } catch (error) {
      const { name, message } = error as Error
      response.statusCode = name.endsWith('Exception') ? 400 : 500
      response.end(JSON.stringify({ __type: name, message }))
    }
  }
  return listen(createServer(withClientGuard(listener)), port)
}

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
async function answer(request: IncomingMessage, secrets: SecretValues): Promise<object> {
  const { SecretId }: { SecretId?: string } = JSON.parse(await text(request))
  const target = request.headers['x-amz-target']
  if (target !== 'secretsmanager.GetSecretValue')
    throw namedError('InvalidRequestException', `The local Secrets Manager knows no ${target}.`)
  const [name, read] = Object.entries(secrets).find(([name]) => SecretId === name || SecretId === secretArn(name)) ?? []
  if (!name || !read) throw namedError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.")
  return { ARN: secretArn(name), Name: name, SecretString: read(), VersionStages: ['AWSCURRENT'] }
}
