/** The sentences of the specification: the rows of `docs/reference/conformance.md`. One test shows each (`rule.ts`). */
import * as automations from './automations.ts'
import * as calls from './calls.ts'
import * as jobs from './jobs.ts'
import * as limits from './limits.ts'
import * as mcp from './mcp.ts'
import * as publishing from './publishing.ts'
import * as timelines from './timelines.ts'
import * as videos from './videos.ts'
import * as webhooks from './webhooks.ts'

export const sections = {
  'Every call': calls.calls,
  'Idempotency-Key': calls.idempotency,
  Account: calls.account,
  'Videos: list': videos.listVideos,
  'Videos: create': videos.createVideo,
  'Videos: read': videos.getVideo,
  'Videos: edit': videos.editVideo,
  'Videos: delete': videos.deleteVideo,
  Clips: videos.clips,
  Conversion: videos.convert,
  Jobs: jobs.jobs,
  Uploads: jobs.uploads,
  Voices: jobs.voices,
  'Theme config': jobs.config,
  Captions: timelines.captions,
  'B-rolls': timelines.bRolls,
  'Presentation scenes': timelines.presentation,
  'AI scenes': timelines.scenes,
  Limits: limits.limits,
  'Plans and prices': limits.plansAndPrices,
  Quotes: limits.quotes,
  Publishing: publishing.publishing,
  Automations: automations.automations,
  Webhooks: webhooks.webhooks,
  'Webhook deliveries': webhooks.deliveries,
  Events: webhooks.events,
  'Event journal': webhooks.journal,
  'How events are delivered': webhooks.delivering,
  'MCP server': mcp.mcp,
} as const

type Sections = typeof sections
export type RuleId = { [Title in keyof Sections]: keyof Sections[Title] }[keyof Sections]

export interface Rule {
  id: RuleId
  section: string
  statement: string
}

/** The whole table, in the order of the document. */
export const rules: Rule[] = Object.entries(sections).flatMap(([section, stated]) =>
  Object.entries<string>(stated).map(([id, statement]) => ({ id: id as RuleId, section, statement })),
)
