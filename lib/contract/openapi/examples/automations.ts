/** Example responses of the routes in `routes/automations.ts`: an automation after creation, setup and its first clip. */
import * as v from 'valibot'
import { createAutomation } from '../../../domain/automations/automation-lifecycle.ts'
import { blockersOf } from '../../../domain/automations/blockers.ts'
import type { Blueprint } from '../../../domain/automations/blueprint.ts'
import { runAutomation } from '../../../domain/automations/clip-runs.ts'
import { editAutomation } from '../../../domain/automations/edit-automation.ts'
import { slotsAfter } from '../../../domain/automations/slot-times.ts'
import { defaultSchedule } from '../../../domain/records/schedule.ts'
import type { Video } from '../../../domain/records/video.ts'
import { editAutomationRequest } from '../../requests/automations.ts'
import { createAutomationRequest } from '../../requests/videos.ts'
import * as routes from '../../routes/automations.ts'
import { automationHealthView, automationItemView, automationView } from '../../views/automations.ts'
import { videoView } from '../../views/index.ts'
import { exampleProfile } from './publishing.ts'
import { type ExampleScenario, examplePage } from './scenario.ts'

export function automationExamples({ workspace, ready, at, mediaUrl }: ExampleScenario) {
  const input = v.parse(createAutomationRequest, routes.createAutomation.bodyExample)
  const ids = { videoId: 'vid_01kbexampleblueprint', runId: 'run_7' }
  const created = createAutomation(workspace, input, ids, at(0)).video
  const generated = withGenerationOf(created, ready)
  const { profile, accounts } = exampleProfile(workspace.id, at(0))
  const edit = { ...v.parse(editAutomationRequest, routes.editAutomation.bodyExample), profileId: profile.id }
  const edited = editAutomation(workspace, generated, edit, { accounts, clip: undefined }, at(30)).video as Blueprint
  const context = { workspace, blueprint: edited, clip: undefined, spare: undefined, profile, accounts }
  const { clip } = runAutomation(context, true, at(40))
  const missing = blockersOf(workspace, created, [], at(0))
  const [slot] = slotsAfter(defaultSchedule, created.id, '2026-11-01T00:00:00.000Z', 1)
  const outcome = {
    ...slot!,
    automationId: created.id,
    outcome: 'published' as const,
    clipId: clip.id,
    decidedAt: slot!.at,
  }
  const editedView = automationView(edited, [], mediaUrl)
  return {
    createAutomation: automationView(created, missing, mediaUrl),
    listAutomations: examplePage(automationItemView(edited, [])),
    getAutomation: editedView,
    editAutomation: editedView,
    deleteAutomation: { ok: true, deletedClips: 12, deletedBytes: 104_331_207 },
    runAutomation: videoView(clip, mediaUrl),
    getAutomationHealth: automationHealthView(edited, [], [outcome]),
    promoteVideo: automationView(generated, blockersOf(workspace, generated, [], at(60)), mediaUrl),
  }
}

/** The blueprint after its first generation, with the result of another video and without a render. */
const withGenerationOf = (blueprint: Blueprint, { process, media, durationSeconds, title }: Video): Blueprint => ({
  ...blueprint,
  title,
  process,
  durationSeconds,
  media: { ...media, renderKey: null, thumbnailKey: null, bytes: null },
})
