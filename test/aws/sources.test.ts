import { GetObjectCommand, HeadObjectCommand, NoSuchKey, NotFound, S3Client } from '@aws-sdk/client-s3'
import { mockClient } from 'aws-sdk-client-mock'
import { beforeEach, describe, expect, it } from 'vitest'
import { findSource } from '../../lib/aws/sources.ts'

const s3 = mockClient(S3Client)
beforeEach(() => void s3.reset())

const key = 'wsp_1/vid_1/sources/film.mp4'
const missing = { $metadata: {}, message: 'The specified key does not exist.' }

describe('the source of an upload', () => {
  it('is unknown before it has arrived', async () => {
    s3.on(HeadObjectCommand).rejects(new NotFound(missing))
    expect(await findSource(key)).toBeUndefined()
  })

  // A seed of the simulator: GET /uploads/{id} gave 500 while the worker refused the file.
  it('is unknown where a worker has refused and deleted it between the two requests', async () => {
    s3.on(HeadObjectCommand).resolves({ ContentLength: 100, ContentType: 'video/mp4' })
    s3.on(GetObjectCommand).rejects(new NoSuchKey(missing))
    expect(await findSource(key)).toBeUndefined()
  })

  it('is an error where storage does not answer', async () => {
    s3.on(HeadObjectCommand).rejects(new Error('timeout'))
    await expect(findSource(key)).rejects.toThrow('timeout')
  })
})
