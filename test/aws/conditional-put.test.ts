/** Conditional writes of objects: what S3 answers where two of them meet, which the emulator never does. */
import { PutObjectCommand, S3ServiceException } from '@aws-sdk/client-s3'
import { mockClient } from 'aws-sdk-client-mock'
import { beforeEach, expect, it } from 'vitest'
import { putObjectIfAbsent, s3 } from '../../lib/aws/media-bucket.ts'

const bucket = mockClient(s3)
beforeEach(() => bucket.reset())

const failure = (name: string) => new S3ServiceException({ name, message: name, $fault: 'client', $metadata: {} })
const put = () => putObjectIfAbsent('a.json', Buffer.from('{}'), 'application/json')

it('an object that exists is not replaced', async () => {
  bucket.on(PutObjectCommand).rejects(failure('PreconditionFailed'))
  expect(await put()).toBe(false)
})

it('a write that meets another one is repeated, since the other one may fail', async () => {
  bucket.on(PutObjectCommand).rejectsOnce(failure('ConditionalRequestConflict')).resolves({})
  expect(await put()).toBe(true)
  const [first, second] = bucket.commandCalls(PutObjectCommand).map(({ args: [{ input }] }) => input)
  expect(second).toEqual(first)
  expect(first).toMatchObject({ Key: 'a.json', IfNoneMatch: '*' })
})

it('any other failure is a fault', async () => {
  bucket.on(PutObjectCommand).rejects(failure('AccessDenied'))
  await expect(put()).rejects.toThrow('AccessDenied')
})
