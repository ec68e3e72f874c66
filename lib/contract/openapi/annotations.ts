/** What the OpenAPI document says that no schema can say, and that stands nowhere else. */

import type { RefusalCode } from '../../domain/core/refusal.ts'
import { eventTypes } from '../../domain/records/event.ts'
import { timelineNames } from '../../domain/records/video.ts'
import type * as routes from '../routes.ts'
import type { OpenApiObject } from './schemas.ts'

type RouteName = keyof typeof routes

const promptOrText = {
  anyOf: ['prompt', 'text'].map((name) => ({
    required: [name],
    properties: { [name]: { type: 'string', pattern: '\\S' } },
  })),
}

/** Holds for the items of every timeline. */
const timelineItemRules = 'A missing id is minted, an id that occurs twice is refused, any other key is dropped.'

/** The schema lets any text through: what is no event is refused by name. */
const eventNames = `Events are ${eventTypes.map((type) => `\`${type}\``).join(', ')}; one that is named twice counts once.`

/** What no schema says: the refusals of the rules behind a route, the meaning of parameters, of transforms and of checks. */
export const annotations: {
  refusals: Partial<Record<RouteName, RefusalCode[]>>
  tags: Record<string, string>
  parameters: Record<string, OpenApiObject>
  bodies: Partial<Record<RouteName, OpenApiObject>>
} = {
  refusals: {
    createUpload: ['warning-plan-storage'],
    createVideo: ['warning-no-credits', 'warning-plan-generations', 'warning-plan-storage', 'warning-plan-duration'],
    createClip: [
      'warning-source-not-ready',
      'warning-invalid-input',
      'warning-no-credits',
      'warning-plan-generations',
      'warning-plan-storage',
      'warning-plan-duration',
    ],
    processVideo: [
      'job-in-progress',
      'warning-invalid-input',
      'warning-no-credits',
      'warning-plan-generations',
      'warning-plan-storage',
      'warning-plan-duration',
    ],
    writeScript: [
      'job-in-progress',
      'warning-invalid-input',
      'warning-no-credits',
      'warning-plan-generations',
      'warning-plan-storage',
    ],
    renderVideo: ['warning-source-not-ready', 'job-in-progress'],
    publishVideo: [
      'warning-plan-publish',
      'warning-publish-not-configured',
      'warning-publish-no-accounts',
      'warning-publish-auth',
      'warning-publish-duplicate',
      'job-in-progress',
      'limit-reached',
    ],
    describeVideo: ['warning-no-credits', 'job-in-progress', 'idempotency-in-progress'],
    replaceCaptions: ['warning-plan-storage'],
    replaceBRolls: ['warning-plan-storage'],
    listPresentationScenes: ['wrong-video-type'],
    replacePresentationScenes: ['wrong-video-type', 'warning-source-not-ready', 'warning-plan-storage'],
    recutPresentation: [
      'wrong-video-type',
      'warning-source-not-ready',
      'warning-no-credits',
      'warning-plan-storage',
      'job-in-progress',
      'idempotency-in-progress',
    ],
    addScene: ['wrong-video-type', 'limit-reached', 'warning-plan-storage', 'job-in-progress'],
    editScene: ['wrong-video-type', 'warning-plan-storage', 'job-in-progress'],
    removeScene: ['wrong-video-type', 'warning-plan-storage', 'job-in-progress'],
    drawSceneImage: [
      'wrong-video-type',
      'warning-invalid-input',
      'warning-no-credits',
      'warning-plan-storage',
      'job-in-progress',
    ],
    makePresenter: [
      'warning-source-not-ready',
      'warning-invalid-input',
      'conflict',
      'warning-no-credits',
      'warning-plan-storage',
      'job-in-progress',
      'idempotency-in-progress',
    ],
    downloadVideo: ['warning-source-not-ready', 'job-in-progress', 'warning-plan-render-time', 'warning-plan-storage'],
    convertVideo: ['already-converted', 'warning-source-not-ready', 'job-in-progress'],
    createAutomation: [
      'warning-plan-automations',
      'warning-no-credits',
      'warning-plan-generations',
      'warning-plan-storage',
      'warning-plan-duration',
    ],
    editAutomation: ['warning-publish-not-configured'],
    runAutomation: ['warning-publish-not-configured', 'warning-source-not-ready', 'warning-invalid-input'],
    promoteVideo: ['warning-source-not-ready', 'warning-plan-automations', 'warning-invalid-input'],
    beginConnection: ['warning-invalid-input', 'warning-publish-not-configured'],
    createWebhook: ['warning-invalid-events', 'limit-reached'],
    editWebhook: ['warning-invalid-events'],
    resendDelivery: ['conflict'],
  },
  tags: {
    account: 'The workspace that a key stands for.',
    videos: 'From a brief to a finished film.',
    automations: 'Blueprints of which clips are made and published by a timetable.',
    uploads: 'From a file of your own to a video.',
    publishing: 'What a brief and a publication can choose from.',
    profiles: 'Groups of accounts on social platforms: where videos are published.',
    connections: 'How a user connects an account of a platform to a profile.',
    webhooks: 'Where events are posted, and what became of each.',
  },
  parameters: {
    limit: { description: 'How many records a page holds.' },
    offset: { description: 'How many records of the list are passed over.' },
    type: { description: 'The pipeline. A value that is not listed is ignored.' },
    event: { description: 'Deliveries of one event only. A value that is not listed is ignored.' },
    webhookId: {
      description: 'Deliveries to one endpoint only, also where it was deleted. What cannot be an id is ignored.',
    },
    subType: { description: 'The variant, matched exactly.' },
    status: { description: 'The status. A value that is not listed is ignored.' },
    search: { description: 'Part of the title, in any case.' },
    provider: { description: 'Voices of one provider only. A provider without a voice selects nothing.' },
    language: {
      description: 'Voices of one language only (two-letter code). A language without a voice selects nothing.',
    },
    refresh: {
      description:
        '`true` or `1`: the platforms are asked first who the connected accounts are now. One that does not answer leaves its account as it ' +
        'was; one that refuses us leaves it `expired`. It takes 20 seconds at most.',
    },
    include: {
      description: 'Heavy arrays to include, separated by commas. A name that is not listed is dropped.',
      explode: false,
      schema: { type: 'array', items: { type: 'string', enum: timelineNames } },
    },
  },
  bodies: {
    createClip: {
      description:
        'With `regenerate` script and visuals are made anew, at the price of a generation; an uploaded video cannot be. Without it the ' +
        'clip shows what its source shows now, free of charge. `render` queues the film when the clip is ready.',
    },
    publishVideo: {
      description:
        'What is not named is the video’s own: its destination is the one that it was published to before, a clip’s is that of its blueprint; the ' +
        'caption is `brief.description`. A platform without an account is told in `missingPlatforms`, one whose account has to be connected ' +
        'again in `publish.unhealthyPlatforms`; neither fails the call while another one is left. A post is made at most once: where a ' +
        'platform does not say whether it took it, its result is `publish-outcome-unknown`. The same caption cannot be posted to the same ' +
        'account again within 24 hours.',
    },
    processVideo: {
      description:
        'Only what changed is made again. `transcribe` makes the captions anew, else they stay. `addBRolls` makes the media that b-roll ' +
        'segments lack; segments that were not edited, or were made for other words, are planned anew. Without it they stay.',
    },
    writeScript: {
      description:
        'The script lands in `brief.text`; an `inputMode` of `idea` becomes `auto`, so that the next generation speaks it. `prompt` ' +
        'briefs the writer and is kept as `brief.scriptPrompt`. Sound, captions and film stay as they are.',
    },
    replaceCaptions: {
      description:
        'At least one half is needed; it replaces the stored one as a whole. A page is laid over the stored one of its id and keeps ' +
        `its emoji and its audio effect. Without words there is no captions file. ${timelineItemRules} An \`endMs\` lies at or after its \`startMs\`.`,
      anyOf: ['captions', 'captionsPages'].map((name) => ({ required: [name] })),
    },
    replaceBRolls: {
      description:
        'Replaces the whole timeline. A segment keeps the media and the look of the stored one of its id, and what it leaves out; ' +
        `one with an unknown id has no media. ${timelineItemRules} An \`endMs\` lies at or after its \`startMs\`.`,
    },
    replacePresentationScenes: {
      description:
        'Replaces the whole timeline. Scenes are clamped to the transcript (without one to the duration), dropped where they end at ' +
        `or before their start, and sorted. What a scene leaves out stays as stored under its id. ${timelineItemRules}`,
    },
    createWebhook: {
      description: `The address is public and begins with https://. ${eventNames}`,
    },
    editWebhook: {
      description:
        'At least one of the fields is needed; other keys are ignored. `events` replaces the whole list. `enabled` set to true on a ' +
        `disabled endpoint clears \`failureCount\` and \`disabledReason\`; set to false it drops what is queued. ${eventNames}`,
      anyOf: ['url', 'events', 'enabled'].map((name) => ({ required: [name] })),
    },
    editScene: {
      description:
        'At least one of the fields is needed. Other keys are ignored, so that a scene that was read can be sent back.',
      anyOf: ['imagePrompt', 'animationPrompt', 'narration', 'voiceDescription', 'duration'].map((name) => ({
        required: [name],
      })),
    },
    createVideo: {
      description:
        'A non-empty `prompt` or `text` is needed: `text` with inputMode `script`, `prompt` with `idea`. `voiceProvider` has to be ' +
        'the one of `voiceId`. Unknown keys are ignored, so that a video that was read can be posted back.',
      anyOf: [...promptOrText.anyOf, { required: ['brief'], properties: { brief: promptOrText } }],
    },
    createAutomation: {
      description:
        'The brief of the blueprint, as `POST /videos` takes it. Its first generation is queued and charged at once. The automation is ' +
        'active, and `health.blockers` tells what it still needs; until a schedule is given it is daily at 09:00 UTC.',
      anyOf: [...promptOrText.anyOf, { required: ['brief'], properties: { brief: promptOrText } }],
    },
    editAutomation: {
      description:
        'At least one of the fields is needed; other keys are ignored, and a field that is absent stays. `schedule` is the whole timetable: ' +
        'a daily frequency needs as many `times` as it has slots, a weekly one as many `days`, and the other list is emptied. With `status` ' +
        '`active` nothing may be missing after the edit; `paused` takes the slot from the clip that waits for it.',
      anyOf: ['schedule', 'profileId', 'platforms', 'autoRefill', 'status'].map((name) => ({ required: [name] })),
    },
    promoteVideo: {
      description:
        'True makes a generated video a blueprint, false makes it a plain video again: then it is paused, and the clip that waits loses its ' +
        'slot. What the video is already, it stays.',
    },
  },
}
