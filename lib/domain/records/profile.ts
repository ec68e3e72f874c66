/** The stored record of a profile, and the destination that videos and automations name. */
import type { PlatformId } from '../core/platform.ts'

export interface Profile {
  id: string
  workspaceId: string
  version: number
  name: string
  description: string
  /** `#rrggbb`. */
  color: string
  /** Used if a request names none: the workspace's first profile. */
  isDefault: boolean
  createdAt: string
  updatedAt: string
}

/** Where a video is published unless the request says otherwise. */
export interface Destination {
  /** Null: the workspace's default profile. */
  profileId: string | null
  platforms: PlatformId[]
}
