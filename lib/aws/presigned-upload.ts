/** Presigned URLs with which clients upload source files directly to the bucket. */
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { env } from '../env.ts'
import { s3 } from './media-bucket.ts'

interface PresignedUpload {
  url: string
  /** Headers that the client must send. `Content-Length` is signed as well; HTTP clients send it anyway. */
  headers: Record<string, string>
}

/**
 * A URL for one file of exactly this type and length, usable once: `If-None-Match` prevents a second upload from
 * replacing the first. The transfer must start within `seconds` from `now`.
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
    // By default the signature covers only the host.
    signableHeaders: new Set(['content-length', 'content-type', 'host', 'if-none-match']),
  })
  return { url, headers: { 'Content-Type': contentType, 'If-None-Match': '*' } }
}
