/** A profile and a publication for the examples of several routes and events. */
import { requestPublish } from '../../../domain/publishing/publish.ts'
import { beginPublish, endPublish } from '../../../domain/publishing/publish-run.ts'
import type { Account } from '../../../domain/records/account.ts'
import type { Profile } from '../../../domain/records/profile.ts'
import type { Video } from '../../../domain/records/video.ts'
import type { Workspace } from '../../../domain/workspaces/workspace.ts'
import { publishVideo } from '../../routes/jobs.ts'

/** A profile with two of the three platforms that the example of `publishVideo` names. */
export function exampleProfile(workspaceId: string, at: string): { profile: Profile; accounts: Account[] } {
  const times = { version: 1, createdAt: at, updatedAt: at }
  const id = publishVideo.bodyExample.profileId
  const fields = { name: 'Quiet Mornings', description: 'Habits, calmly', color: '#7c3aed', isDefault: true }
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
    profile: { id, workspaceId, ...fields, ...times },
    accounts: [account('tiktok', '7001'), account('youtube', 'UCexample')],
  }
}

/** The video after publication: posted to two platforms; the third has no account. */
export function examplePublishedVideo(workspace: Workspace, ready: Video, at: (second: number) => string): Video {
  const runId = 'run_6'
  const target = { ...exampleProfile(workspace.id, at(0)), platforms: publishVideo.bodyExample.platforms }
  const queued = requestPublish(workspace, ready, target, publishVideo.bodyExample, runId, at(51)).video
  const publishing = beginPublish(queued, runId, at(52))!.video
  const results = publishing.publish!.results.map(({ accountId, platform }) => ({
    accountId,
    end: { status: 'COMPLETED' as const, externalId: '1', url: `https://${platform}.com/quietmornings/1` },
  }))
  return endPublish(publishing, runId, results, at(56)).video
}
