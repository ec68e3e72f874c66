/** Addresses at which clients put files into storage themselves. */
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { env } from '../env.ts'
import { s3 } from './media-bucket.ts'

export interface PresignedUpload {
  url: string
  /** What the client has to send with the file; the length of the body is signed too, every client sends it by itself. */
  headers: Record<string, string>
}

/**
 * An address that takes one file of exactly this type and length, once: `If-None-Match` keeps a second one from replacing what was
 * received. Valid for `seconds` from `now`, counted where the transfer begins.
 */
export async function presignUpload(
  { sourceKey, contentType, bytes }: { sourceKey: string; contentType: string; bytes: number },
  now: string,
  seconds: number,
): Promise<PresignedUpload> {
  const command = new PutObjectCommand({
    Bucket: env.bucketName(),
    Key: sourceKey,
    ContentType: contentType,
    ContentLength: bytes,
    IfNoneMatch: '*',
  })
  const url = await getSignedUrl(s3, command, {
    expiresIn: seconds,
    signingDate: new Date(now),
    // Left alone, the signature would cover the host and nothing else.
    signableHeaders: new Set(['content-length', 'content-type', 'host', 'if-none-match']),
  })
  return { url, headers: { 'Content-Type': contentType, 'If-None-Match': '*' } }
}
