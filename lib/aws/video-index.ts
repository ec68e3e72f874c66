/** The list of a workspace's videos as it was at a time: one compressed object, which is written over. */
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
/** Fast rather than small: it is read with every search. */
const gzipLevel = 1

/** Undefined where nothing was remembered yet, or nothing that can be read: then it is made anew. */
export async function readVideoIndex(workspace: Workspace): Promise<VideoIndex | undefined> {
  const stored = await storedLibrary(workspace)
  if (!stored) return undefined
  try {
    const library: unknown = JSON.parse((await promisify(gunzip)(stored)).toString('utf8'))
    if (isVideoIndex(library)) return library
    throw new TypeError('It is no library.')
  } catch (error) {
    log.error('library.unreadable', { workspaceId: workspace.id, error: error as Error })
    return undefined
  }
}

async function storedLibrary(workspace: Workspace): Promise<Uint8Array | undefined> {
  try {
    return await getObject(videoIndexKey(workspace))
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined
    throw error
  }
}

export async function writeVideoIndex(workspace: Workspace, library: VideoIndex): Promise<void> {
  const Body = await promisify(gzip)(JSON.stringify(library), { level: gzipLevel })
  const headers = { ContentType: 'application/gzip', CacheControl: 'private, no-store' }
  await s3.send(new PutObjectCommand({ ...objectLocation(workspace), Body, ...headers }))
}
