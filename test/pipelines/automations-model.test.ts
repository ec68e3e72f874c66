/**
 * Model-based test of automations: for random command sequences the service, with its rules on the real store, behaves
 * as the model. Wake-ups may be lost, and may arrive several times concurrently. `RUNS=500 vitest run
 * test/pipelines/automations-model` tries more sequences.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getVideo, listClipIds } from '../../lib/store/videos.ts'
import { advanceWorkspaceClock, getWorkspace } from '../../lib/store/workspaces.ts'
import { reconcileAutomation } from '../../lib/use-cases/automations/reconcile-automation.ts'
import { removeVideo } from '../../lib/use-cases/videos/remove-videos.ts'
import { finishJobs } from '../support/finish-jobs.ts'
import { AutomationDriver, dailyTimes, expectMatchesModel, schedule, startTime } from './automation-driver.ts'
import { AutomationModel } from './automation-model.ts'

type Life = fc.AsyncCommand<AutomationModel, AutomationDriver>

/** A command that compares the service with the model when it has run. */
const command = (
  name: string,
  check: (model: AutomationModel) => boolean,
  run: (model: AutomationModel, service: AutomationDriver) => Promise<unknown>,
): Life => ({
  check: (model) => model.exists && check(model as AutomationModel),
  run: async (model, service) => {
    await run(model, service)
    await expectMatchesModel(model, service)
  },
  toString: () => name,
})

const edits: [name: string, edit: Parameters<AutomationModel['edit']>[0]][] = [
  ['pause', { status: 'paused' }],
  ['activate', { status: 'active' }],
  ['set up', { isConfigured: true }],
  ['refill', { autoRefill: true }],
  ['do not refill', { autoRefill: false }],
  ...dailyTimes.map((times) => [`publish at ${times}`, { times }] as [string, { times: string[] }]),
]

const editing = fc.constantFrom(...edits).map(([name, edit]) =>
  command(
    name,
    (model) => model.isBlueprint && !(edit.status === 'active' && model.isBlocked()),
    async (model, service) => {
      const { isConfigured, times, ...rest } = edit
      const place = { profileId: service.profileId, platforms: ['bluesky' as const] }
      await service.edit({ ...rest, ...(times ? { schedule: schedule(times) } : {}), ...(isConfigured ? place : {}) })
      model.edit(edit)
    },
  ),
)

const open = (model: AutomationModel) =>
  [...model.clips.values()].filter(({ job, publish }) => job === 'making' || publish === 'open')

const publishable = (model: AutomationModel) =>
  [...model.clips.values()].filter(({ job, publish, isPosted }) => job === 'ready' && publish !== 'open' && !isPosted)

const commands = [
  editing,
  fc.boolean().map((isWanted) =>
    command(
      isWanted ? 'promote' : 'demote',
      (model) => !isWanted || model.isGenerated,
      async (model, service) => {
        await service.promote(isWanted)
        model.promote(isWanted)
      },
    ),
  ),
  fc.constant(
    command(
      'generate',
      (model) => !model.isGenerated,
      async (model, service) => {
        await service.generate()
        model.isGenerated = true
      },
    ),
  ),
  fc.constant(
    command(
      'run',
      (model) => model.isBlueprint && !model.isBlocked(),
      async (model, service) => {
        await service.run()
        model.run(true)
      },
    ),
  ),
  ...[0, 1, 2].map(() =>
    fc.tuple(fc.nat(5), fc.integer({ min: 0, max: 3 })).map(([nth, luck]) =>
      command(
        `end ${nth} ${luck > 0 ? 'well' : 'badly'}`,
        (model) => open(model).length > 0,
        async (model, service) => {
          const clip = open(model)[nth % open(model).length]!
          await finishJobs(await getVideo(service.workspaceId, service.clipId(clip)), luck > 0)
          model.end(clip, luck > 0)
        },
      ),
    ),
  ),
  ...[0, 1].map(() =>
    fc.constantFrom(7, 30, 60, 9 * 60, 24 * 60, 50 * 60).map((minutes) =>
      command(
        `advance ${minutes} min`,
        () => true,
        async (model, service) => {
          model.now = new Date(Date.parse(model.now) + minutes * 60_000).toISOString()
          await advanceWorkspaceClock(service.workspaceId, model.now)
        },
      ),
    ),
  ),
  ...[0, 1].map(() =>
    fc.nat(5).map((nth) =>
      command(
        `publish ${nth} by hand`,
        (model) => model.isConnected && publishable(model).length > 0,
        async (model, service) => {
          const clip = publishable(model)[nth % publishable(model).length]!
          await service.publish(clip)
          model.publishManually(clip)
        },
      ),
    ),
  ),
  fc.boolean().map((isConnected) =>
    command(
      isConnected ? 'connect' : 'expire',
      () => true,
      async (model, service) => {
        await service.connect(isConnected)
        model.isConnected = isConnected
      },
    ),
  ),
  fc.nat(5).map((nth) =>
    command(
      `remove clip ${nth}`,
      (model) => model.clips.size > 0,
      async (model, service) => {
        const clip = [...model.clips.values()][nth % model.clips.size]!
        await removeVideo(service.workspaceId, service.clipId(clip))
        model.clips.delete(clip.number)
      },
    ),
  ),
  ...[0, 1, 2, 3].map(() =>
    fc
      .array(fc.tuple(fc.option(fc.nat(5)), fc.integer({ min: 1, max: 3 })), { minLength: 1, maxLength: 4 })
      .map((calls) =>
        command(
          `wake ${JSON.stringify(calls)}`,
          () => true,
          async (model, service) => {
            for (const [nth, times] of calls) {
              const clip = nth === null ? undefined : [...model.clips.values()][nth % model.clips.size]
              await service.wake(clip, times, model.isGenerated)
              model.wake(clip?.number ?? null)
            }
          },
        ),
      ),
  ),
]

/** Moves to the next slot or somewhat later, and triggers a reconciliation. */
const toSlot = fc.constantFrom(0, 0, 0, 20, 61).map((minutes) =>
  command(
    `${minutes} min after the slot`,
    (model) => model.next !== null,
    async (model, service) => {
      const at = Date.parse(model.next!.at) + minutes * 60_000
      model.now = new Date(Math.max(at, Date.parse(model.now))).toISOString()
      await advanceWorkspaceClock(service.workspaceId, model.now)
      await service.wake(undefined, 2, model.isGenerated)
      model.wake(null)
    },
  ),
)

/** Ends every open job of the clips, mostly with success, and reports the results. */
const work = fc.integer({ min: 0, max: 4 }).map((luck) =>
  command(
    `work ${luck > 0 ? 'well' : 'badly'}`,
    (model) => open(model).length > 0,
    async (model, service) => {
      for (const clip of open(model)) {
        await finishJobs(await getVideo(service.workspaceId, service.clipId(clip)), luck > 0)
        model.end(clip, luck > 0)
        await service.wake(clip, 1, model.isGenerated)
        model.wake(clip.number)
      }
    },
  ),
)

const removal: Life = {
  check: (model) => model.exists,
  run: async (model, { workspaceId, id }) => {
    model.exists = false
    const { deletedClips } = await removeVideo(workspaceId, id)
    expect(deletedClips).toBe(model.clips.size)
    await reconcileAutomation(workspaceId, id, null)
    expect(await listClipIds(workspaceId, id)).toEqual([])
    expect((await getWorkspace(workspaceId)).automationsUsed).toBe(0)
  },
  toString: () => 'remove',
}

/** Most sequences begin with a complete setup. */
async function setUp(model: AutomationModel, service: AutomationDriver): Promise<void> {
  await service.generate()
  model.isGenerated = true
  await service.edit({ profileId: service.profileId, platforms: ['bluesky'] })
  model.edit({ isConfigured: true })
}

const runs = Number(process.env.RUNS ?? 8)

describe('the life cycle of an automation', () => {
  it(`equals the model in ${runs} sequences of up to 60 commands`, async () => {
    // Few sequences end early.
    const usual = Array.from({ length: 8 }, () => [toSlot, work]).flat()
    const choices = [...commands, ...commands, ...usual, ...usual, fc.constant(removal)]
    const lives = fc.commands(choices, { maxCommands: 60, size: 'max' })
    const ends: Record<string, number> = {}
    await fc.assert(
      fc.asyncProperty(fc.nat(3), lives, async (luck, life) => {
        const service = await AutomationDriver.start()
        const model = new AutomationModel(startTime)
        if (luck > 0) await setUp(model, service)
        await fc.asyncModelRun(() => ({ model, real: service }), life)
        for (const one of [...model.slots.map((slot) => slot.slice(25)), model.stopped ?? 'not stopped'])
          ends[one] = (ends[one] ?? 0) + 1
      }),
      { numRuns: runs, endOnFailure: true, ...(process.env.SEED ? { seed: Number(process.env.SEED) } : {}) },
    )
    if (process.env.RUNS) process.stdout.write(`${JSON.stringify(ends)}\n`)
  }, 3_600_000)
})
