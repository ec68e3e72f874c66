/** The stored record of an upload, and the file formats that are accepted. */
import type { JobError } from '../core/failures.ts'
import type { ProcessOptions } from './jobs.ts'

export const uploadStatuses = ['waiting', 'received', 'failed'] as const

/** Accepted formats: file extension in storage, and magic bytes in hex. */
export const uploadFormats = {
  'video/mp4': { extension: 'mp4', begins: /^.{8}66747970/ },
  'video/quicktime': { extension: 'mov', begins: /^.{8}66747970/ },
  'video/webm': { extension: 'webm', begins: /^1a45dfa3/ },
} as const

export type UploadType = keyof typeof uploadFormats

export const uploadTypes = ['video/mp4', 'video/quicktime', 'video/webm'] as const satisfies UploadType[]

export interface Upload {
  id: string
  workspaceId: string
  version: number
  status: (typeof uploadStatuses)[number]
  fileName: string
  contentType: UploadType
  /** Size that the client declared. */
  bytes: number
  /**
   * What a waiting upload has reserved of the workspace's storage. Absent in rows of earlier versions, which reserved
   * nothing and are not counted as waiting.
   */
  reservedBytes?: number
  title: string | null
  /** The `process` options of the request, stored under this name: those of the job that the upload starts. */
  wishes: ProcessOptions
  /** The video that the file becomes; shown to the client once the file has arrived. */
  videoId: string
  /** Storage key of the file, which already belongs to the video. */
  sourceKey: string
  error: JobError | null
  createdAt: string
  /** Expiry of the presigned URL. Not named `expiresAt`, which is the table's TTL attribute. */
  addressEndsAt: string
  /** When the upload expires without a file. */
  closesAt: string
  dueAt: string | null
}
