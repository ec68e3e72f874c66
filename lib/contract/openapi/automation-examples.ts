/** The life of an automation for the examples of the OpenAPI document: made, generated, set up, and at its first clip. */
import * as v from 'valibot'
import { createAutomation } from '../../domain/automations/automation.ts'
import { blockersOf } from '../../domain/automations/blockers.ts'
import type { Blueprint } from '../../domain/automations/blueprint.ts'
import { runAutomation } from '../../domain/automations/clip-runs.ts'
import { editAutomation } from '../../domain/automations/edit-automation.ts'
import { slotsAfter } from '../../domain/automations/slot-times.ts'
import { defaultSchedule } from '../../domain/records/schedule.ts'
import type { Video } from '../../domain/records/video.ts'
import { editAutomationRequest } from '../requests/automations.ts'
import { createAutomationRequest } from '../requests/videos.ts'
import { automationHealthView, automationItemView, automationView } from '../views/automations.ts'
import { videoView } from '../views/index.ts'
import { exampleProfile } from './publish-examples.ts'
import type { ExampleScenario } from './webhook-examples.ts'

export const exampleAutomationBodies = {
  createAutomation: { prompt: 'One small habit that makes mornings calm', voiceId: 'en-clara' },
  editAutomation: {
    schedule: {
      frequency: 'twice-daily',
      timezone: 'Europe/Berlin',
      times: [{ time: '09:00' }, { time: '18:30', mode: 'random' }],
    },
    platforms: ['tiktok', 'youtube'],
    autoRefill: true,
  },
  promoteVideo: { enabled: true },
}

/** What the routes about automations answer, by the name of the row. */
export function exampleAutomationResponses({
  workspace,
  ready,
  at,
  addressOf,
}: ExampleScenario): Record<string, unknown> {
  const wish = v.parse(createAutomationRequest, exampleAutomationBodies.createAutomation)
  const ids = { videoId: 'vid_01kbexampleblueprint', runId: 'run_7' }
  const made = createAutomation(workspace, wish, ids, at(0)).video
  const generated = asGenerated(made, ready)
  const { profile, accounts } = exampleProfile(workspace.id, at(0))
  const request = v.parse(editAutomationRequest, exampleAutomationBodies.editAutomation)
  const edit = { ...request, profileId: profile.id }
  const edited = editAutomation(workspace, generated, edit, { accounts, clip: undefined }, at(30)).video as Blueprint
  const view = { workspace, blueprint: edited, clip: undefined, spare: undefined, profile, accounts }
  const { clip } = runAutomation(view, true, at(40))
  const missing = blockersOf(workspace, made, [], at(0))
  const [slot] = slotsAfter(defaultSchedule, made.id, '2026-11-01T00:00:00.000Z', 1)
  const outcome = {
    ...slot!,
    automationId: made.id,
    outcome: 'published' as const,
    clipId: clip.id,
    decidedAt: slot!.at,
  }
  const set = automationView(edited, [], addressOf)
  return {
    createAutomation: automationView(made, missing, addressOf),
    listAutomations: { data: [automationItemView(edited, [])], paging: { limit: 50, offset: 0, total: 1 } },
    getAutomation: set,
    editAutomation: set,
    deleteAutomation: { ok: true, deletedClips: 12, deletedBytes: 104_331_207 },
    runAutomation: videoView(clip, addressOf),
    getAutomationHealth: automationHealthView(edited, [], [outcome]),
    promoteVideo: automationView(generated, blockersOf(workspace, generated, [], at(60)), addressOf),
  }
}

/** The blueprint when its first generation is done: it shows what the other video of the examples shows. */
const asGenerated = (made: Blueprint, { process, media, durationSeconds, title }: Video): Blueprint => ({
  ...made,
  title,
  process,
  durationSeconds,
  media: { ...media, renderKey: null, thumbnailKey: null, bytes: null },
})
