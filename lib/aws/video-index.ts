/** The cached index of a workspace's videos for searches: one compressed object per workspace, overwritten in place. */
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { NoSuchKey, PutObjectCommand } from '@aws-sdk/client-s3'
import { videoIndexKey } from '../domain/core/artefact.ts'
import type { VideoIndex } from '../domain/videos/video-index.ts'
import { isVideoIndex } from '../domain/videos/video-index.ts'
import { env } from '../env.ts'
import { log } from '../log.ts'
import { getObject, s3 } from './media-bucket.ts'

type Workspace = Parameters<typeof videoIndexKey>[0]

const objectLocation = (workspace: Workspace) => ({ Bucket: env.bucketName(), Key: videoIndexKey(workspace) })
/** Speed over size: read by every search. */
const gzipLevel = 1

/** Undefined if there is no index yet or it is unreadable; the caller rebuilds it. */
export async function readVideoIndex(workspace: Workspace): Promise<VideoIndex | undefined> {
  const stored = await readStoredIndex(workspace)
  if (!stored) return undefined
  try {
    const index: unknown = JSON.parse((await promisify(gunzip)(stored)).toString('utf8'))
    if (isVideoIndex(index)) return index
    throw new TypeError('The object is not a video index.')
  } catch (error) {
    log.error('library.unreadable', { workspaceId: workspace.id, error: error as Error })
    return undefined
  }
}

async function readStoredIndex(workspace: Workspace): Promise<Uint8Array | undefined> {
  try {
    return await getObject(videoIndexKey(workspace))
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined
    throw error
  }
}

export async function writeVideoIndex(workspace: Workspace, index: VideoIndex): Promise<void> {
  const Body = await promisify(gzip)(JSON.stringify(index), { level: gzipLevel })
  const headers = { ContentType: 'application/gzip', CacheControl: 'private, no-store' }
  await s3.send(new PutObjectCommand({ ...objectLocation(workspace), Body, ...headers }))
}
