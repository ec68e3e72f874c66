/** An example of a publication, as the rules decide it. */

import { requestPublish } from '../../domain/publishing/publish.ts'
import { beginPublish, endPublish } from '../../domain/publishing/publish-run.ts'
import type { Account } from '../../domain/records/account.ts'
import type { Profile } from '../../domain/records/profile.ts'
import type { Video } from '../../domain/records/video.ts'
import type { Workspace } from '../../domain/workspaces/workspace.ts'

export const examplePublishRequest = {
  profileId: 'prf_01kbexample',
  platforms: ['tiktok', 'youtube', 'instagram'],
  caption: 'Calm mornings begin in the evening.',
} as const

/** The profile that the examples publish to. */
export function exampleProfile(workspaceId: string, at: string): { profile: Profile; accounts: Account[] } {
  const times = { version: 1, createdAt: at, updatedAt: at }
  const id = examplePublishRequest.profileId
  const look = { name: 'Quiet Mornings', description: 'Habits, calmly', color: '#7c3aed', isDefault: true }
  const account = (platform: Account['platform'], externalId: string): Account => ({
    id: `acc_01kbexample${platform}`,
    workspaceId,
    profileId: id,
    platform,
    version: 1,
    externalId,
    username: 'quietmornings',
    displayName: 'Quiet Mornings',
    pictureUrl: 'https://media.reelsmith.dev/quietmornings.jpg',
    settings: {},
    health: 'connected',
    connectedAt: at,
    updatedAt: at,
  })
  return {
    profile: { id, workspaceId, ...look, ...times },
    accounts: [account('tiktok', '7001'), account('youtube', 'UCexample')],
  }
}

/** The video after it was published: two platforms were reached, one has no account. */
export function examplePublishedVideo(workspace: Workspace, ready: Video, at: (second: number) => string): Video {
  const runId = 'run_6'
  const target = { ...exampleProfile(workspace.id, at(0)), platforms: examplePublishRequest.platforms }
  const queued = requestPublish(workspace, ready, target, examplePublishRequest, runId, at(51)).video
  const begun = beginPublish(queued, runId, at(52))!.video
  const ends = begun.publish!.results.map(({ accountId, platform }) => ({
    accountId,
    end: { status: 'COMPLETED' as const, externalId: '1', url: `https://${platform}.com/quietmornings/1` },
  }))
  return endPublish(begun, runId, ends, at(56)).video
}
