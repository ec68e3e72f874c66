/** What an automation lacks for publishing, in the order in which a client fixes it. */
import { describe, expect, it } from 'vitest'
import { blockersOf, publishingBlockers } from '../../../lib/domain/automations/blockers.ts'
import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import type { Account, AccountHealth } from '../../../lib/domain/records/account.ts'
import { briefWith, videoInputWith, videoThatIs, workspaceOn } from '../support/videos.ts'
import { profile } from './automation-harness.ts'

const workspace = workspaceOn('starter')
const account = (platform: PlatformId, health: AccountHealth = 'connected') => ({ platform, health }) as Account
const destination = (...platforms: PlatformId[]) => ({ profileId: profile.id, platforms, postSettings: {} })

describe('publishing is blocked', () => {
  it('by nothing where one account of the chosen platforms is connected', () => {
    const accounts = [account('bluesky', 'expired'), account('twitter')]
    expect(publishingBlockers(workspace, destination('bluesky', 'twitter'), accounts)).toEqual([])
  })

  it('by a plan without publishing', () => {
    expect(publishingBlockers(workspaceOn('free'), destination('twitter'), [account('twitter')])).toEqual([
      'plan-publish',
    ])
  })

  it('by a destination that is not set, without a word on its accounts', () => {
    expect(publishingBlockers(workspace, undefined, [])).toEqual(['no-profile', 'no-platforms'])
    expect(publishingBlockers(workspace, destination(), [])).toEqual(['no-platforms'])
    expect(publishingBlockers(workspace, { profileId: null, platforms: ['twitter'] }, [])).toEqual(['no-profile'])
  })

  it('where only accounts of other platforms are connected', () => {
    expect(publishingBlockers(workspace, destination('bluesky'), [account('twitter')])).toEqual(['no-accounts'])
  })

  it('where every account of the chosen platforms has expired, whatever those of others are', () => {
    const accounts = [account('bluesky', 'expired'), account('twitter')]
    expect(publishingBlockers(workspace, destination('bluesky'), accounts)).toEqual(['accounts-unhealthy'])
  })
})

describe('a clip is blocked', () => {
  const accounts = [account('twitter')]
  const blockers = (video: Parameters<typeof blockersOf>[1], on = workspace) =>
    blockersOf(on, { ...video, destination: destination('twitter') }, accounts, video.createdAt).map(({ id }) => id)

  it('until the blueprint is generated', () => {
    expect(blockers(videoThatIs.generating())).toEqual(['source-not-ready'])
    expect(blockers(videoThatIs.generated())).toEqual([])
  })

  it('by a brief without an idea', () => {
    const generated = videoThatIs.generated(videoInputWith())
    expect(blockers({ ...generated, brief: briefWith({ prompt: ' ', text: null }) })).toEqual(['source-not-ready'])
  })

  it('by credits that do not pay for another generation, but not where the source is an upload', () => {
    const poor = workspaceOn('starter', { creditsBalance: 0 })
    const generated = videoThatIs.generated()
    expect(blockers(generated, poor)).toEqual(['no-credits'])
    expect(blockers({ ...generated, type: 'video' }, poor)).toEqual([])
  })
})
