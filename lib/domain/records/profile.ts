import type { PlatformId } from '../core/platform.ts'

export interface Profile {
  id: string
  workspaceId: string
  version: number
  name: string
  description: string
  /** `#rrggbb`. */
  color: string
  /** The one that is meant where none is named; a workspace's first. */
  isDefault: boolean
  createdAt: string
  updatedAt: string
}

/** Where a video is published when the request names nothing else. */
export interface Destination {
  /** Null: the workspace's default profile. */
  profileId: string | null
  platforms: PlatformId[]
}
