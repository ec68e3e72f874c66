/** The list of a workspace's videos as it was at a time: one compressed object, which is written over. */
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { GetObjectCommand, NoSuchKey, PutObjectCommand } from '@aws-sdk/client-s3'
import { libraryKey } from '../domain/artefact.ts'
import type { Library } from '../domain/library.ts'
import { env } from '../env.ts'
import { s3 } from './media.ts'

type Workspace = Parameters<typeof libraryKey>[0]

const place = (workspace: Workspace) => ({ Bucket: env.bucketName(), Key: libraryKey(workspace) })
/** Fast rather than small: it is read with every search. */
const level = 1

/** Undefined where nothing was remembered yet. */
export async function readLibrary(workspace: Workspace): Promise<Library | undefined> {
  try {
    const { Body } = await s3.send(new GetObjectCommand(place(workspace)))
    const bytes = await promisify(gunzip)(await Body!.transformToByteArray())
    return JSON.parse(bytes.toString('utf8')) as Library
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined
    throw error
  }
}

export async function writeLibrary(workspace: Workspace, library: Library): Promise<void> {
  const Body = await promisify(gzip)(JSON.stringify(library), { level })
  const headers = { ContentType: 'application/gzip', CacheControl: 'private, no-store' }
  await s3.send(new PutObjectCommand({ ...place(workspace), Body, ...headers }))
}
