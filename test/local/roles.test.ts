/**
 * Functions and the container have the permissions of their AWS roles here, too. Requests without permission never
 * leave the process.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { StartExecutionCommand } from '@aws-sdk/client-sfn'
import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { keys } from '../../lib/store/core/keys.ts'
import type { LambdaHandler } from '../../local/emulators/lambda.ts'
import { requiredPermissions } from '../../local/required-permissions.ts'
import { isAllowed, withRole } from '../../local/role-enforcement.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const object = { Bucket: 'media', Key: 'ws_1/vid_1/renders/film.mp4' }
const may = (role: string, command: Parameters<typeof requiredPermissions>[0]) =>
  requiredPermissions(command).every((ask) => isAllowed(role, ask))
const row = (pk: string) => ({ TableName: 'table', Item: { pk, sk: 'A' } })

describe('a role', () => {
  it('allows what one of its statements allows', () => {
    expect(may('pipelines-generate-convert', new GetObjectCommand(object))).toBe(true)
    expect(may('workers-dispatch-outbox', new PutCommand(row('WS#1#OUTBOX')))).toBe(true)
  })

  it('allows no other action, no other object and no other machine', () => {
    expect(may('api-videos-get', new PutCommand(row('WS#1')))).toBe(false)
    expect(may('pipelines-generate-convert', new GetObjectCommand({ ...object, Key: 'ws_1/vid_1/scripts/a' }))).toBe(
      false,
    )
    const start = new StartExecutionCommand({ stateMachineArn: 'arn:aws:states:us-east-1:0:stateMachine:refund' })
    expect(may('workers-dispatch-outbox', start)).toBe(false)
  })

  it('allows only the rows of its condition, in any part of a transaction', () => {
    const [own, other] = [row('WS#1#DLV#2'), row('WS#1')]
    expect(may('workers-deliver-webhook', new PutCommand(own))).toBe(true)
    expect(may('workers-deliver-webhook', new PutCommand(other))).toBe(false)
    const both = { TransactItems: [{ Put: own }, { Delete: { TableName: 'table', Key: { pk: 'WS#1', sk: 'A' } } }] }
    expect(may('workers-deliver-webhook', new TransactWriteCommand(both))).toBe(false)
    const key = { TableName: 'table', Key: { pk: 'WS#1#OUTBOX', sk: 'A' } }
    expect(may('workers-deliver-webhook', new UpdateCommand(key))).toBe(true)
    expect(may('api-profiles-get', new DeleteCommand(key))).toBe(false)
  })

  it('allows only the partition that a query or a read names', () => {
    const query = (pk: string) =>
      new QueryCommand({
        TableName: 'table',
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': pk, ':prefix': 'A' },
      })
    const get = (pk: string) => new GetCommand({ TableName: 'table', Key: { pk, sk: 'A' } })
    const workspaceId = mintId('wsp', '2026-11-23T00:00:00.000Z')
    const { pk: video } = keys.video(workspaceId, 'vid_1')
    for (const read of [query, get]) {
      expect(may('container', read(video))).toBe(true)
      expect(may('container', read(keys.workspace(workspaceId).pk))).toBe(true)
      const others = [keys.tokens(workspaceId, '').pk, keys.profile(workspaceId, '').pk, keys.apiKey('0a').pk]
      expect(others.filter((pk) => may('container', read(pk)))).toEqual([])
      expect(others.filter((pk) => may('container', new PutCommand(row(pk))))).toEqual([])
      expect(may('workers-deliver-webhook', read(video))).toBe(false)
    }
  })

  it('allows nothing if it is unknown', () => {
    expect(may('api-nobody', new GetObjectCommand(object))).toBe(false)
  })
})

describe('in its role', () => {
  const client = new S3Client({
    region: 'us-east-1',
    endpoint: 'http://127.0.0.1:1',
    maxAttempts: 1,
    credentials: { accessKeyId: 'A', secretAccessKey: 'B' },
  })
  /** The result of the handler of this path. */
  const calling = async (path: string, handler: LambdaHandler) => withRole(path, handler)({} as never, {} as never)
  const refusal = { name: 'AccessDeniedException' }

  it('a handler is denied what its role does not allow, with the role, the action and the resource', async () => {
    const put = () => client.send(new PutObjectCommand({ ...object, Body: 'x' }))
    await expect(calling('api/videos/get', put)).rejects.toMatchObject({
      ...refusal,
      message: expect.stringMatching(/api-videos-get .* s3:PutObject on \{Media\}\/ws_1\/vid_1\/renders\/film\.mp4/),
    })
  })

  it('a handler with permission reaches the service, and so does a caller without a role', async () => {
    const look = () => client.send(new HeadObjectCommand(object))
    await expect(calling('pipelines/generate/convert', look)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await expect(look()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('the container is denied what its role does not allow, at any time', async () => {
    const program = `
      import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
      const key = { accessKeyId: 'A', secretAccessKey: 'B' }
      const client = new S3Client({ region: 'us-east-1', endpoint: 'http://127.0.0.1:1', maxAttempts: 1, credentials: key })
      const put = (Key) => client.send(new PutObjectCommand({ Bucket: 'media', Key, Body: 'x' })).catch((error) => error.code ?? error.name)
      await new Promise(setImmediate)
      console.log(await put('ws_1/vid_1/renders/film.mp4'), await put('ws_1/vid_1/scripts/a'))`
    const node = [
      '--disable-warning=ExperimentalWarning',
      '--import',
      './local/assume-container-role.ts',
      '--input-type=module',
    ]
    const { stdout } = await promisify(execFile)(process.execPath, [...node, '-e', program], { cwd: root })
    expect(stdout).toBe('ECONNREFUSED AccessDeniedException\n')
  })

  it('S3 hides that an object is missing from callers that may not list the bucket', async () => {
    const missing = new S3Client({
      region: 'us-east-1',
      credentials: { accessKeyId: 'A', secretAccessKey: 'B' },
      requestHandler: { handle: () => Promise.reject(Object.assign(new Error('no such key'), { name: 'NoSuchKey' })) },
    })
    const get = () => missing.send(new GetObjectCommand({ ...object, Key: 'ws_1/vid_1/timelines/a' }))
    await expect(calling('pipelines/generate/convert', get)).rejects.toMatchObject({ name: 'NoSuchKey' })
    await expect(calling('api/videos/get', get)).rejects.toMatchObject(refusal)
  })
})

it('an unlisted command is an error that says where to list it', () => {
  expect(() =>
    requiredPermissions(
      new (class ScanCommand {
        input = {}
      })(),
    ),
  ).toThrow(/required-permissions\.ts.*ScanCommand/)
})
