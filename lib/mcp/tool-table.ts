/**
 * The MCP tools: which operation each one runs, and what a model must know to choose it. Arguments follow from the rows of the
 * route table (`scripts/mcp/input-schema.ts`), which writes `tools.json`; no function loads this file.
 */

import type { Route } from '../contract/route.ts'
import { isPaid, splitSignature } from '../contract/route.ts'
import * as routes from '../contract/routes.ts'
import { themeConfig } from '../domain/records/theme.ts'
import type { JobName, Toolset } from './tool.ts'

export interface ToolDefinition {
  readonly name: string
  readonly title: string
  readonly toolset: Toolset
  /** When to use it, and what to do next. */
  readonly description: string
  /** The name of a row of the route table. */
  readonly operation: keyof typeof routes
  /** Further rows that the tool runs. */
  readonly alsoRuns?: readonly (keyof typeof routes)[]
  /** The offered fields of query and body, in this order. Default: all. */
  readonly fields?: readonly string[]
  /** Fields of the body that are inside an object of this name. */
  readonly inside?: Readonly<Record<string, string>>
  /** Required fields, where the row cannot tell: one of several, or an array. */
  readonly required?: readonly string[]
  /** Descriptions of arguments, which replace those of the row; an empty one removes it. */
  readonly notes?: Readonly<Record<string, string>>
  /** Replaces the schema of all arguments: the tool composes its requests itself. */
  readonly arguments?: object
  /** The jobs that the operation queues, in order; with the argument `render` also a render. */
  readonly jobs?: readonly JobName[]
  /** The annotations, where they do not follow from the row. */
  readonly isReadOnly?: true
  /** Cannot be undone by another call. */
  readonly isIrreversible?: true
  /** Values of arguments that need a confirmation, and what the user must know before. */
  readonly confirmedWith?: Readonly<Record<string, unknown>>
  readonly warning?: string
  /** Replaces nothing that a user made. A row that creates a record is additive anyway. */
  readonly isAdditive?: true
  readonly isOpenWorld?: true
}

const videoFields = [
  'prompt',
  'text',
  'title',
  'type',
  'subType',
  'videoDuration',
  'language',
  'voiceId',
  'aspectRatio',
  'imageStyle',
  'mood',
  'showSubtitles',
  'connectedBRolls',
  'description',
  'customStyleText',
  'targetDuration',
  'presentationAssets',
  'presenter',
  'characterImageUrl',
  'characterDescription',
]

const videoNotes = {
  prompt: 'The idea; a script is written from it.',
  text: 'The script to speak, word for word.',
  type: 'faceless: narration over pictures. ai: scenes with generated images.',
  subType: 'presentation: slides. ugc, generic: other looks.',
  videoDuration: 'At most 60, 180 or 600 seconds.',
  language: 'Code of a language that list_voices has.',
  voiceId: 'An id from list_voices.',
  mood: 'energetic, inspiring, …',
  description: 'The caption for publishing.',
  targetDuration: 'Seconds.',
  render: 'Also render the mp4.',
}

/** Colours are described once, in the description of the tool. */
const themeNotes = Object.fromEntries(
  Object.keys(themeConfig.entries)
    .filter((name) => /Color|Background/.test(name))
    .map((name) => [name, '']),
)

const words = { type: 'string' }
const milliseconds = { type: 'integer', minimum: 0 }

export const toolDefinitions: readonly ToolDefinition[] = [
  {
    name: 'get_account',
    title: 'Get account',
    toolset: 'account',
    description: 'Plan, credits left and limits. Use it before spending, or when a tool reports a limit.',
    operation: 'getAccount',
  },
  {
    name: 'quote_price',
    title: 'Quote price',
    toolset: 'account',
    description:
      'The credits that a tool call would cost; charges nothing. Pass the returned `id` as `quote` to the same tool with the same arguments, to pay exactly that within 15 minutes.',
    operation: 'createQuote',
    arguments: {
      properties: {
        tool: { enum: ['create_video', 'regenerate_video', 'create_clip', 'create_automation', 'draw_scene_image'] },
        arguments: { type: 'object', description: 'The arguments of that call.' },
      },
      required: ['tool'],
    },
    isReadOnly: true,
  },
  {
    name: 'list_videos',
    title: 'List videos',
    toolset: 'videos',
    description: 'Videos, latest activity first. Use it to find a video by title, type or status.',
    operation: 'listVideos',
    fields: ['search', 'status', 'type', 'limit', 'offset'],
    notes: { search: 'Part of the title.', status: '', type: '', limit: 'Default 10.' },
  },
  {
    name: 'get_video',
    title: 'Get video',
    toolset: 'videos',
    description:
      'One video with its brief, media and jobs. Include a timeline to edit it: `captions` has the word ids for edit_captions.',
    operation: 'getVideo',
    notes: { include: 'What to add to it.' },
  },
  {
    name: 'wait_for_video',
    title: 'Wait for video',
    toolset: 'videos',
    description:
      'Returns when no job of the video runs, at the latest after 20 seconds. Call it again while the result has `nextPollMs`.',
    operation: 'getVideo',
    arguments: {
      properties: { videoId: words, waitSeconds: { type: 'integer', minimum: 0, maximum: 20 } },
      required: ['videoId'],
    },
  },
  {
    name: 'list_voices',
    title: 'List voices',
    toolset: 'videos',
    description: 'Narration voices. Use it to choose the `voiceId` of a video.',
    operation: 'listVoices',
    notes: { provider: 'standard or expressive.', language: 'Two-letter code.' },
  },
  {
    name: 'create_video',
    title: 'Create video',
    toolset: 'videos',
    description:
      'Generates a video from an idea (`prompt`) or a script (`text`): script, voice, captions, pictures; takes minutes. Costs 10 credits per started minute, 16 with an expressive voice. Then wait_for_video.',
    operation: 'createVideo',
    fields: [...videoFields, 'render'],
    inside: { render: 'process' },
    notes: videoNotes,
    jobs: ['process'],
  },
  {
    name: 'create_clip',
    title: 'Create clip or variation',
    toolset: 'videos',
    description:
      'Makes another video from a finished one: a free clip, or with `regenerate` a new variation, which costs credits.',
    operation: 'createClip',
    notes: { regenerate: 'Write and illustrate it again.', render: videoNotes.render },
    jobs: ['process'],
  },
  {
    name: 'edit_video',
    title: 'Edit video',
    toolset: 'editing',
    description: 'Changes title and brief. Nothing is generated: call regenerate_video to apply a changed brief.',
    operation: 'editVideo',
    fields: [
      'title',
      'prompt',
      'description',
      'scriptPrompt',
      'videoDuration',
      'voiceId',
      'aspectRatio',
      'imageStyle',
      'showSubtitles',
      'connectedBRolls',
      'presenter',
    ],
    notes: { ...videoNotes, scriptPrompt: 'Instructions for the script writer.' },
  },
  {
    name: 'regenerate_video',
    title: 'Regenerate video',
    toolset: 'editing',
    description:
      'Generates a video again from its current brief and timelines; only what changed is made anew. Costs credits like create_video.',
    operation: 'processVideo',
    notes: {
      transcribe: 'Make the captions again.',
      addBRolls: 'Fetch missing pictures, plan unedited ones again.',
      render: videoNotes.render,
    },
    jobs: ['process'],
  },
  {
    name: 'edit_captions',
    title: 'Edit captions',
    toolset: 'editing',
    description:
      'Corrects, retimes or removes single caption words by their ids (get_video with include captions). Then render_video.',
    operation: 'replaceCaptions',
    alsoRuns: ['getVideo'],
    arguments: {
      properties: {
        videoId: words,
        edits: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              id: words,
              text: { type: 'string', description: 'As shown, with punctuation.' },
              startMs: milliseconds,
              endMs: milliseconds,
              remove: { type: 'boolean' },
            },
            required: ['id'],
          },
        },
      },
      required: ['videoId', 'edits'],
    },
  },
  {
    name: 'replace_brolls',
    title: 'Replace pictures',
    toolset: 'editing',
    description:
      'Replaces the whole list of b-roll segments (pictures over time). Read it first with include bRolls and keep the ids; segments left out are removed. Then regenerate_video fetches missing media.',
    operation: 'replaceBRolls',
    required: ['bRolls'],
  },
  {
    name: 'edit_scene',
    title: 'Edit scene',
    toolset: 'editing',
    description:
      'Changes a scene of an `ai` video (get_video with include scenes); its clip and the render are cleared. Then render_video.',
    operation: 'editScene',
  },
  {
    name: 'draw_scene_image',
    title: 'Draw scene image',
    toolset: 'editing',
    description: 'Draws a new image for a scene of an `ai` video. Costs 2 credits.',
    operation: 'drawSceneImage',
    notes: { prompt: 'Replaces the stored imagePrompt.' },
  },
  {
    name: 'edit_theme',
    title: 'Edit theme',
    toolset: 'editing',
    description: 'Changes the look of captions and slides; colours as #rrggbb. The next render shows it.',
    operation: 'mergeConfig',
    notes: themeNotes,
  },
  {
    name: 'render_video',
    title: 'Render video',
    toolset: 'videos',
    description: 'Renders the mp4 of the current state. Free. Then wait_for_video and download_video.',
    operation: 'renderVideo',
    jobs: ['render'],
    isAdditive: true,
  },
  {
    name: 'download_video',
    title: 'Get download link',
    toolset: 'videos',
    description: 'A link to the mp4 of a rendered video, for the user or to fetch it.',
    operation: 'downloadVideo',
    isReadOnly: true,
  },
  {
    name: 'delete_video',
    title: 'Delete video',
    toolset: 'editing',
    description:
      'Deletes a video, its clips and all files, and stops their jobs. Cannot be undone; posts on platforms stay.',
    operation: 'deleteVideo',
    isIrreversible: true,
  },
  {
    name: 'list_profiles',
    title: 'List profiles',
    toolset: 'publishing',
    description:
      'Profiles with their connected social accounts. Use it before publish_video to see where a video can go.',
    operation: 'listProfiles',
    fields: ['limit', 'offset'],
  },
  {
    name: 'publish_video',
    title: 'Publish video',
    toolset: 'publishing',
    description:
      'Posts a rendered video publicly to connected accounts, at once. Ask the user first: a post cannot be undone here.',
    operation: 'publishVideo',
    notes: {
      profileId: 'An id from list_profiles.',
      platforms: 'Default: those of the last publication.',
      caption: 'Default: the description of the brief.',
    },
    jobs: ['publish'],
    isIrreversible: true,
    isOpenWorld: true,
  },
  {
    name: 'list_automations',
    title: 'List automations',
    toolset: 'automations',
    description: 'Automations with schedule, destination and what blocks them.',
    operation: 'listAutomations',
    notes: { limit: 'Default 10.' },
  },
  {
    name: 'create_automation',
    title: 'Create automation',
    toolset: 'automations',
    description:
      'Creates a series that makes and posts a new video on a timetable, from one brief. Costs credits like create_video. Then set its destination with edit_automation.',
    operation: 'createAutomation',
    fields: ['prompt', 'text', 'title', 'type', 'videoDuration', 'language', 'voiceId'],
    notes: videoNotes,
    jobs: ['process'],
  },
  {
    name: 'edit_automation',
    title: 'Edit automation',
    toolset: 'automations',
    description:
      'Sets timetable, destination and refill of an automation, pauses or activates it. Active ones spend and post on their own.',
    operation: 'editAutomation',
    notes: { profileId: 'An id from list_profiles.', autoRefill: 'Make the next clip after each slot.' },
    confirmedWith: { status: 'active', autoRefill: true },
    warning: 'It then spends credits and posts on its own.',
    isOpenWorld: true,
  },
  {
    name: 'run_automation',
    title: 'Run automation now',
    toolset: 'automations',
    description:
      'Makes, renders and posts one clip of an automation now. Costs credits like create_video; a post cannot be undone.',
    operation: 'runAutomation',
    jobs: ['process', 'render', 'publish'],
    isIrreversible: true,
    isOpenWorld: true,
  },
]

const rows: Readonly<Record<keyof typeof routes, Route>> = { ...routes }

/** The rows that the tools run, by name. */
export const toolRoutes: Readonly<Record<string, Route>> = Object.fromEntries(
  toolDefinitions
    .flatMap(({ operation, alsoRuns = [] }) => [operation, ...alsoRuns])
    .map((name) => [name, rows[name]] as const),
)

/** What follows from the row of a tool, and the hints for clients. */
export function traitsOf(tool: ToolDefinition) {
  const row = rows[tool.operation]
  const { method } = splitSignature(row.signature)
  const isReadOnly = tool.isReadOnly ?? method === 'GET'
  // A run of an automation generates, which its row does not say.
  const isCharged = isPaid(row) || tool.operation === 'runAutomation'
  const isAdditive = tool.isAdditive ?? row.status === 201
  return {
    row,
    isCharged,
    isConfirmed: isCharged || (tool.isIrreversible ?? false),
    confirmedWith: tool.confirmedWith ?? {},
    warning: tool.warning ?? (tool.isIrreversible ? 'It cannot be undone.' : ''),
    annotations: {
      title: tool.title,
      readOnlyHint: isReadOnly,
      destructiveHint: !isReadOnly && (!isAdditive || (tool.isIrreversible ?? false)),
      idempotentHint: isReadOnly || method !== 'POST',
      openWorldHint: tool.isOpenWorld ?? false,
    },
  }
}
