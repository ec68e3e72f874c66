import type { JobError } from '../core/failures.ts'
import type { ProcessOptions } from './jobs.ts'

export const uploadStatuses = ['waiting', 'received', 'failed'] as const

/** What may be uploaded: the ending of its name in storage, and how the file begins, in hex. */
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
  /** What the client said that it would send. */
  bytes: number
  title: string | null
  wishes: ProcessOptions
  /** The video that the file becomes; made known when the file is there. */
  videoId: string
  /** Where the file is put: it belongs to the video already. */
  sourceKey: string
  /** Why it failed. */
  error: JobError | null
  createdAt: string
  /** Until when the address takes a file. Not `expiresAt`, by which the table forgets rows. */
  addressEndsAt: string
  /** Until when a file is waited for. */
  closesAt: string
  dueAt: string | null
}
