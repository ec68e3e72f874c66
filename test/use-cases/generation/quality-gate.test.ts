/** Retakes of the quality gate: a rejected take is never ordered twice, wherever the job is interrupted. */
import { beforeAll, describe, expect, it } from 'vitest'
import { now } from '../../../lib/clock.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { ProviderBusy } from '../../../lib/domain/core/failures.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { pictureCheck } from '../../../lib/domain/generation/quality/checks.ts'
import { createVideo } from '../../../lib/domain/videos/create-video.ts'
import { commit } from '../../../lib/store/core/commit.ts'
import type { StorageOwner } from '../../../lib/store/storage-usage.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { withQualityGate } from '../../../lib/use-cases/generation/quality-gate.ts'
import { newWorld, videoInputOf } from '../../support/world.ts'

let owner: StorageOwner
beforeAll(async () => {
  const { workspaceId } = await newWorld()
  const workspace = await getWorkspace(workspaceId)
  const videoId = mintId('vid', now())
  await commit(createVideo(workspace, videoInputOf({ prompt: 'x' }), { videoId, runId: mintId('run', now()) }, now()))
  owner = { workspace, videoId }
})

/** Orders a picture of which only this take passes; returns the takes that were ordered. */
function studio(name: string, goodTake: number) {
  const target = { owner, key: artefactKey(owner, 'visuals', name, 'mp4') }
  const asked: number[] = []
  const vendor = { busyFor: 0 }
  const make = async (take: number) => {
    asked.push(take)
    if (take === vendor.busyFor) throw new ProviderBusy('busy')
    return take
  }
  const ask = () => withQualityGate('visuals-failed', target, make, (take) => [pictureCheck(take === goodTake ? 0 : 1)])
  return { asked, ask, vendor }
}

describe('a rejected take', () => {
  it('is not ordered again by a retry while the vendor is too busy for the next take', async () => {
    const { asked, ask, vendor } = studio('busy', 2)
    vendor.busyFor = 2
    await expect(ask()).rejects.toThrow('busy')
    await expect(ask()).rejects.toThrow('busy')
    vendor.busyFor = 0
    await expect(ask()).resolves.toMatchObject({ result: 2 })
    expect(asked).toEqual([1, 2, 2, 2])
  })

  it('is not reused by a new request of the client: two others are made', async () => {
    const { asked, ask } = studio('again', 4)
    await expect(ask()).rejects.toMatchObject({ code: 'visuals-failed' })
    expect(asked).toEqual([1, 2])
    await expect(ask()).resolves.toMatchObject({ result: 4 })
    expect(asked).toEqual([1, 2, 3, 4])
  })
})
