/**
 * The descriptions of the properties in the OpenAPI document. They stand here and not in the schemas, which the functions
 * of the API load, so that a cold start does not load them. A test fails for each property without one.
 */
import { eventTypes } from '../../domain/records/event.ts'
import { eventSchemaName, type OpenApiObject } from './schemas.ts'

/**
 * By property name, or by the end of its path, such as `presenter.name` or `ThemeConfig.layoutMode`. The first name may be
 * that of the schema. The longest key that fits a property wins.
 */
const descriptions: Readonly<Record<string, string>> = {
  // Envelopes and errors
  data: 'The result of the operation.',
  'SetBRollPictureRequest.data': 'A PNG, JPEG or WebP file of at most 2 MB, in base64.',
  paging: 'The position of this page in the whole list.',
  warnings: 'What was accepted but is probably a typing error, at most 20. Absent if there is nothing.',
  'Warning.path': 'The field, as sent: `body.subType` or `query.status`.',
  'Warning.message': 'What happens with it.',
  didYouMean: 'The name or value that was probably meant.',
  'Paging.limit': 'Maximum number of records in the page.',
  'Paging.offset': 'Number of records in front of the page.',
  'Paging.total': 'Number of records in all pages.',
  'Error.error': 'Why the request was refused or failed.',
  'error.status': 'The HTTP status.',
  'error.code': 'Identifies the reason, for programs. A code never changes its meaning.',
  'error.message': 'The reason in one sentence, for people. Its wording may change.',
  requestId: 'Identifies the request in the log of the service; equal to the header `X-Request-Id`.',
  details: 'The invalid fields of the request, at most 50.',
  'details.path': 'The field, as sent: `body.presenter.name` or `query.limit`.',
  'details.message': 'What is wrong with the field.',
  'details.allowed': 'All values that the field accepts, if they are few.',
  'Error.error.blockers': 'What must be configured before the request can succeed.',
  validEvents: 'All events that a webhook endpoint can subscribe to.',
  action: 'What resolves the error: upgrade the plan, buy credits, or connect an account.',
  blocked: 'Whether a paid resource is missing, so that a retry alone cannot succeed.',
  error: 'Why it failed; null otherwise.',
  'JobError.code': 'Identifies the reason, for programs, such as `render-failed`.',
  'JobError.message': 'The reason in one sentence, for people.',

  // Quotes
  'CreateQuoteRequest.action': 'The operation id of the paid action.',
  'CreateQuoteRequest.id': 'The id in the path of the action, where it has one.',
  'CreateQuoteRequest.sceneId': 'The id of the scene in the path of the action, where it has one.',
  'CreateQuoteRequest.brollId': 'The id of the b-roll segment in the path of the action, where it has one.',
  'CreateQuoteRequest.body': 'The body of the action. Default: empty.',
  'Quote.id': 'The value of the header `Quote`.',
  'Quote.action': 'The quoted action.',
  'Quote.credits': 'What the action costs; 0 for a free one.',
  'Quote.unit': 'Which balance pays: `video` credits, or `avatar` credits for presenters.',
  'Quote.seconds':
    'The longest duration of the generated video, or what the presenter speaks; null where nothing of a known duration is made.',
  vendorUsd:
    'About what the vendors of this deployment charge its operator, in US dollars at list prices; null where the price of one is not known.',
  'Quote.expiresAt': 'When the quote expires.',

  // Identity and time
  id: 'The opaque id of the record.',
  createdAt: 'When the record was created.',
  updatedAt: 'When the record last changed.',
  workspaceId: 'The workspace that the event belongs to.',
  name: 'The name, for display.',
  label: 'A short text for people.',
  title: 'The title. A new video has a working title from its brief until the script gives a better one.',
  'CreateVideoFields.title': 'The title. Default: given by the script.',
  'CreateVideoRequest.title': 'The title. Default: given by the script.',
  'CreateAutomationFields.title': 'The title of the blueprint. Default: given by the script.',
  'CreateAutomationRequest.title': 'The title of the blueprint. Default: given by the script.',
  'CreateUploadRequest.title': 'The title of the video. Default: from the name of the file.',
  'Automation.title': 'The title of the blueprint.',
  'AutomationItem.title': 'The title of the blueprint.',
  'sources.title': 'The title of the page.',

  // The workspace
  'Account.workspace': 'The workspace that the API key acts on.',
  'workspace.id': 'The id of the workspace.',
  'workspace.name': 'The name of the workspace.',
  organizationId: 'The organization that the workspace belongs to; null without one.',
  plan: 'The plan of the workspace.',
  'plan.id': 'The id of the plan, such as `pro`.',
  'plan.name': 'The name of the plan, for display.',
  renewsAt: 'When the credits and the monthly limits are renewed; null for a plan that never renews.',
  credits: 'Credits of the current month. Null values belong to a plan without a balance.',
  'credits.balance': 'Credits that can still be spent, without those reserved by running jobs.',
  'credits.granted': 'Credits granted for the current month.',
  'credits.used': 'Credits spent in the current month.',
  avatar: 'Avatar credits, which pay talking presenters: one for five seconds.',
  'avatar.balance': 'Avatar credits that can still be spent; null on a plan without a balance.',
  limits: 'What the plan allows and how much of it is used. A null limit means unlimited.',
  used: 'How many are in use.',
  limit: 'The maximum; null means unlimited.',
  generations: 'Generations in the current month.',
  'generations.used': 'Generations of the current month.',
  resetsAt: 'When the count starts again at zero.',
  storage: 'Storage of all files of the workspace.',
  usedBytes: 'Bytes that are stored, or reserved by an upload that waits for its file.',
  limitBytes: 'Maximum number of stored bytes; null means unlimited.',
  automations: 'Automations of the workspace.',
  maxDurationSeconds: 'The longest video that a brief may request, in seconds; null means unlimited.',
  maxRenderSeconds: 'The longest time that a render may take, in seconds; null means unlimited.',
  'limits.publishing': 'Whether the plan allows publishing.',
  webhooks: 'Webhook endpoints of the workspace.',
  apiKeys: 'API keys of the workspace.',

  // Ledger
  'LedgerEntry.kind':
    '`reserve`: work was accepted. `capture`: it ended, and its credits are spent. `release`: they are not. `grant`: of the plan or of the operator.',
  'LedgerEntry.runId':
    'The run of the work, which has one reservation and one capture or release; of a grant of the operator, its id. Null for the grant of the plan.',
  'LedgerEntry.credits': 'The number of credits.',
  'LedgerEntry.unit': 'Whether they are video or avatar credits.',
  'LedgerEntry.metered': 'False where the plan has no balance: the entry only records the usage.',
  'LedgerEntry.at': 'When the entry was made.',

  // Videos
  video: 'The video that the event is about.',
  type: '`faceless`: narration over pictures. `ai`: generated scenes. `video`: made from an uploaded file.',
  'CreateVideoFields.type': '`faceless` (default): narration over pictures. `ai`: generated scenes.',
  'CreateVideoRequest.type': '`faceless` (default): narration over pictures. `ai`: generated scenes.',
  'CreateAutomationFields.type': '`faceless` (default): narration over pictures. `ai`: generated scenes.',
  'CreateAutomationRequest.type': '`faceless` (default): narration over pictures. `ai`: generated scenes.',
  subType:
    'The kind within the type: `presentation` (slides) of `faceless`, `ugc` (a person speaks to the camera) of `ai`. Open: another name gives the generic look. Null: none.',
  'Video.status':
    'Derived from the jobs. `draft`: nothing to show yet. `processing`: being generated. `rendering`: being rendered. `ready`: the mp4 exists. `failed`: the last generation or render failed.',
  'VideoItem.status':
    'Derived from the jobs. `draft`: nothing to show yet. `processing`: being generated. `rendering`: being rendered. `ready`: the mp4 exists. `failed`: the last generation or render failed.',
  isAutomation: 'Whether the video is the blueprint of an automation.',
  'CreateVideoFields.isAutomation': 'Must be false or absent: `POST /automations` creates a blueprint.',
  'CreateVideoRequest.isAutomation': 'Must be false or absent: `POST /automations` creates a blueprint.',
  'CreateAutomationFields.isAutomation': 'Has no effect: the video becomes a blueprint in any case.',
  'CreateAutomationRequest.isAutomation': 'Has no effect: the video becomes a blueprint in any case.',
  isClip: 'Whether the video was made from another one.',
  parentVideoId: 'The video that this one was made from; null if none.',
  mood: 'The mood of pictures and music, such as `calm`. Open: an unknown name gives the generic look. Null: none.',
  presentationMood: 'The mood of slides, in place of `mood`. Open: an unknown name gives the generic look. Null: none.',
  durationSeconds: 'The duration of the video in seconds; null until it is known.',
  config: 'The theme config: the look of captions and slides, and the mood of the music.',
  'Video.captions': 'The caption words, with `include=captions`.',
  'Video.captionsPages': 'The caption pages, with `include=captionsPages`.',
  'Video.bRolls': 'The b-roll segments, with `include=bRolls`.',
  'Video.presentationScenes': 'The slides of a presentation, with `include=presentationScenes`.',
  'Video.scenes': 'The scenes of an `ai` video, with `include=scenes`.',
  'Video.script':
    'What is spoken, who wrote it and from which sources, with `include=script`; null where no script exists.',
  'Script.text': 'The narration.',
  sources: 'The pages that the script takes facts from.',
  'sources.url': 'The address of the page.',

  // Media
  media: 'The files of the video. A URL is null until its file exists.',
  sourceUrl: 'The uploaded file, of a video of type `video`.',
  audioUrl: 'The narration or the sound of the source.',
  captionsUrl: 'The captions as WebVTT.',
  thumbnailUrl: 'The thumbnail, a picture of the render.',
  renderUrl: 'The rendered mp4.',
  'media.bytes': 'The size of the mp4 in bytes.',
  'Media.bytes': 'The size of the mp4 in bytes.',
  'Download.url': 'The address of the mp4.',
  'Download.bytes': 'The size of the mp4 in bytes.',
  'Download.contentType': 'The media type, `video/mp4`.',
  'Download.expiresAt': 'When the URL expires; null if it stays valid as long as the render is stored.',

  // The brief
  brief: 'What the video is to be: idea or script, format, voice and look.',
  prompt: 'The idea of the video. A script is written from it where `inputMode` says so.',
  text: 'The script that is spoken. A generation from an idea writes it here.',
  scriptPrompt: 'Instructions for the writer of the script.',
  'Brief.description': 'The caption that the video is published with.',
  'BriefItem.description': 'The caption that the video is published with.',
  description: 'The caption that the video is published with.',
  descriptionPrompt: 'Instructions for the writer of `description`.',
  inputMode:
    '`idea`: a script is written from `prompt`. `script`: `text` is spoken. `auto` (default): `script` if `text` is given, else `idea`.',
  videoDuration:
    'The longest narration: `subminute` (default) 60 seconds, `short` 180 seconds, `medium` 600 seconds. `targetDuration` takes precedence.',
  targetDuration: 'The longest narration in seconds, in place of `videoDuration`; null: that of `videoDuration`.',
  language: 'The language of script and voice, as a two-letter code. Default: that of `voiceId`, else `en`.',
  'Voice.language': 'The language that the voice speaks, as a two-letter code.',
  aspectRatio:
    'Width to height of the frame: `9:16` (default) is 1080×1920 pixels, `16:9` 1920×1080, `1:1` 1080×1080, `4:5` 1080×1350.',
  imageStyle:
    'The pictures of the narration: `stock_footage`, `ai_image` (generated stills) or `mixed` (default), which chooses for each.',
  connectedBRolls: 'Whether a generated picture continues the scene of the one before. Default: false.',
  customStyleText: 'Words about the style, added to the prompt of each generated picture.',
  voiceId: 'The voice, an id of `GET /voices`. Default: the first standard voice of the language.',
  voiceProvider:
    '`standard` or `expressive`, which costs more. It must be the provider of `voiceId`. Default: derived from `voiceId`.',
  showSubtitles: 'Whether the render shows captions. Default: true.',
  presentationTone: 'The tone of the first slides: `light`, `dark` or `accent`. Open: an unknown name means none.',
  presentationAssets: 'Pictures that the slides of a presentation may show, at most 50.',
  'PresentationAsset.type': 'The kind of the asset, such as `image`. Open.',
  'presentationAssets.type': 'The kind of the asset, such as `image`. Open.',
  'PresentationAsset.url': 'The address of the file.',
  'presentationAssets.url': 'The address of the file.',
  'PresentationAsset.description': 'What the picture shows.',
  'presentationAssets.description': 'What the picture shows. Default: empty.',
  characterImageUrl: 'The portrait of the person in the scenes.',
  characterDescription: 'The person in the scenes, in words, added to the prompt of each generated picture.',
  presenter: 'The person who speaks some of the b-roll segments; null: none.',
  'BRoll.presenter': 'The talking presenter that was generated for the segment.',
  'Presenter.imageUrl': 'The portrait that speaks.',
  'presenter.imageUrl': 'The portrait that speaks.',
  'MakePresenterRequest.imageUrl': 'The portrait that speaks. Default: that of the brief.',
  avatarId: 'The id of a ready-made avatar of the presenter provider.',
  'MakePresenterRequest.avatarId':
    'The id of a ready-made avatar of the presenter provider. Default: that of the brief.',
  'Presenter.name': 'The name of the presenter.',
  'presenter.name': 'The name of the presenter.',
  'MakePresenterRequest.name': 'The name of the presenter. Default: that of the brief.',
  placement:
    'The segments that the presenter speaks: `first` (default), `last` or `random` ones, as many as `occurrences`, or `all`.',
  occurrences: 'How many segments the presenter speaks. Default: 1. Without effect where `placement` is `all`.',
  'BRoll.presenter.bytes': 'The size of the generated clip in bytes.',
  'BRoll.presenter.generatedAt': 'When the clip was generated.',
  'CreateVideoRequest.brief': 'The same fields, nested. They take precedence.',
  'CreateAutomationRequest.brief': 'The same fields, nested. They take precedence.',

  // Jobs
  process: 'The last generation; null where there was none.',
  'CreateVideoFields.process': 'What the first generation does.',
  'CreateVideoRequest.process': 'What the first generation does.',
  'CreateAutomationFields.process': 'What the first generation of the blueprint does.',
  'CreateAutomationRequest.process': 'What the first generation of the blueprint does.',
  'CreateUploadRequest.process': 'What is done with the file once it is received.',
  transcribe: 'Whether captions are generated. Default: true.',
  addBRolls: 'Whether pictures for the narration are planned and fetched. Default: true.',
  render: 'The last render; null where there was none.',
  'process.render': 'Whether a render follows when the generation is complete. Default: false.',
  'ProcessVideoRequest.render': 'Whether a render follows when the generation is complete. Default: false.',
  'CreateClipRequest.render': 'Whether a render follows when the clip is ready. Default: false.',
  regenerate: 'Whether script and visuals are generated again, at the price of a generation. Default: false.',
  'ProcessDocument.status': 'The state of the job: `QUEUED`, `PROCESSING`, then `COMPLETED` or `FAILED`.',
  'RenderDocument.status': 'The state of the job: `QUEUED`, `PROCESSING`, then `COMPLETED` or `FAILED`.',
  progress: 'Percent, 0 to 100. It never falls within a run.',
  statusText: 'The current stage, for people; null where no job runs.',
  'RenderDocument.statusText':
    'The place of a render that waits for others of its workspace, for people; absent once it starts.',
  queuedAt: 'When the job was accepted.',
  startedAt: 'When the job began; null until then.',
  'ProcessDocument.quality':
    'The checks of what was generated; null before the job completes, and where nothing was generated.',
  'RenderDocument.quality': 'The checks of the mp4; absent before the job completes.',
  passed: 'Whether every check passed.',
  'checks.passed': 'Whether `measured` is within `limit`.',
  checks: 'The measured quantities.',
  measured: 'The measured value, in the unit that `name` gives.',
  stale:
    'Whether the video was edited after the render at `media.renderUrl` started: it would be rendered differently now. Also while another render is queued or running, and after it failed.',
  inputsHash: 'SHA-256 of all inputs, in hex. Equal hashes give identical mp4 files.',
  sha256: 'SHA-256 of the mp4, in hex.',
  reuse: 'How much of earlier renders was reused.',
  segments: 'Number of segments of the render.',
  reused: 'Number of segments taken from earlier renders.',
  secondsRendered: 'Seconds of video that were rendered.',
  'WriteScriptRequest.prompt':
    'Instructions for the writer, stored as `brief.scriptPrompt`. Default: `brief.scriptPrompt`.',
  'DescribeVideoRequest.prompt':
    'Instructions for the writer, stored as `brief.descriptionPrompt`. Default: `brief.descriptionPrompt`.',
  'VideoDescription.videoId': 'The video.',
  'VideoDescription.description': 'The caption, also stored as `brief.description`.',

  // Publishing
  publish: 'The last publication; null where there was none.',
  'PublishDocument.status':
    '`SCHEDULED` for a slot, or the state of the job: `QUEUED`, `PROCESSING`, `COMPLETED`, `FAILED`.',
  'publish.status': '`SCHEDULED` for a slot, or the state of the job: `QUEUED`, `PROCESSING`, `COMPLETED`, `FAILED`.',
  'PublishDocument.scheduledAt': 'The slot of the automation; null where it is published on request.',
  publishedAt: 'When the video was published; null until then.',
  failedAt: 'When the publication failed; null otherwise.',
  platforms: 'The platforms to publish to.',
  'PublishVideoRequest.platforms':
    'The platforms to publish to. Default: those of the last publication, or of the blueprint for a clip.',
  'Publication.platforms': 'The platforms with an account to publish to.',
  'VideoPublishedEvent.data.platforms': 'The platforms that the video was posted to.',
  missingPlatforms: 'Requested platforms for which the profile has no account.',
  unhealthyPlatforms: 'Requested platforms whose account must be reconnected.',
  caption: 'The text of the posts.',
  'PublishVideoRequest.caption': 'The text of the posts. Default: `brief.description`.',
  'PublishDocument.results': 'The outcome for each account.',
  accountId: 'The social account.',
  platform: 'The id of the platform, as in `GET /platforms`.',
  'results.status': 'The state of the post.',
  'results.url': 'The address of the post; null until it is known, and where the platform reports none.',
  'PublishDocument.results.error': 'Why the post failed; null otherwise.',
  'Publication.videoId': 'The video.',
  profileId: 'The profile whose accounts are published to; null: none is chosen.',
  'PublishVideoRequest.profileId':
    'The profile. Default: that of the last publication, or of the blueprint for a clip.',

  // Captions, b-roll segments and slides
  startMs: 'Start on the timeline, in milliseconds.',
  endMs: 'End on the timeline, in milliseconds; not before `startMs`.',
  'BRoll.id': 'The id of the segment.',
  'ReplaceBRollsItems.id': 'The id of a stored segment, which keeps what is left out. Absent: a new segment.',
  'captions.id': 'The id of the word. Absent: minted.',
  'captionsPages.id': 'The id of a stored page, which keeps its emoji and audio effect. Absent: minted.',
  'ReplacePresentationScenesItems.id': 'The id of a stored scene, which keeps what is left out. Absent: a new scene.',
  'Captions.captions': 'The words.',
  'Captions.captionsPages': 'The pages.',
  'ReplaceCaptionsRequest.captions': 'The words, in place of all stored ones.',
  'ReplaceCaptionsRequest.captionsPages': 'The pages, in place of all stored ones.',
  'CaptionWord.text': 'The word in lower case without punctuation, for search.',
  'captions.text': 'The word in lower case without punctuation, for search.',
  punctuated_word: 'The word as displayed.',
  confidence: 'How certain the transcription is, 0 to 1.',
  hidden: 'Whether the render leaves it out. Default: false.',
  emoji: 'The emoji of the page and its look.',
  audioEffect: 'The sound effect and its settings.',
  'ReplaceBRollsRequest.bRolls': 'The segments, in place of all stored ones.',
  'BRoll.text': 'The narration during the segment.',
  'ReplaceBRollsItems.text': 'The narration during the segment. Default: as stored, else empty.',
  'BRoll.prompt': 'What the picture is to show.',
  'ReplaceBRollsItems.prompt': 'What the picture is to show. Default: as stored, else empty.',
  keywords: 'Words to search footage with.',
  mediaType: 'How the picture is made: `ai_image`, `stock_footage` or `ai_video`. Default: `ai_image`.',
  'BRoll.url': 'The picture or clip; null until it exists.',
  'BRoll.type': 'The kind of file behind `url`; null until it exists.',
  qualityUrls: 'The same file in other sizes, by name.',
  animation: 'The movement of the picture.',
  transition: 'The transition to the segment.',
  layout: '`presenter` if the segment is reserved for the presenter of the brief.',
  scale: 'The enlargement of the picture.',
  'ReplacePresentationScenesRequest.presentationScenes': 'The scenes, in place of all stored ones.',
  'ReplacePresentationScenesRequest.scenes': 'The same, under a shorter name.',
  'PresentationScene.text': 'The narration during the slide.',
  'ReplacePresentationScenesItems.text':
    'The narration during the slide. Default: as stored, else that of the transcript.',
  emphasis: 'The part of the text that stands out.',
  template: 'The design of the slide.',
  tone: 'The colours of the slide: `light`, `dark` or `accent`.',
  'PresentationScene.caption': 'Whether captions are shown on the slide.',
  'ReplacePresentationScenesItems.caption': 'Whether captions are shown on the slide.',
  visual: 'The graphic next to the text.',
  'visual.type': 'The kind of graphic. Open.',
  'visual.items': 'Number of its items.',
  anchors: 'The words at which the items appear.',
  content: 'The content of the slide, as its template defines it.',
  params: 'Parameters of the template.',
  direction: 'Entry and exit animations.',
  composed: 'A manual composition by an editor.',

  // Scenes of ai videos
  imagePrompt: 'What the image of the scene shows.',
  animationPrompt: 'How the image moves.',
  narration: 'What is spoken in the scene.',
  voiceDescription: 'How it is spoken.',
  'Scene.duration': 'Seconds. A render extends the scene if its narration is longer.',
  'EditSceneRequest.duration': 'Seconds, 5 to 20. A render extends the scene if its narration is longer.',
  'Scene.status': '`ready` once the scene has an image, else `draft`; a render then continues the previous picture.',
  'Scene.imageUrl': 'The image of the scene; null until it exists.',
  videoUrl: 'The clip of the scene; null until it exists.',
  afterSceneId: 'The scene after which the new one is inserted. Default: the last one.',
  'DrawSceneImageRequest.prompt': 'What the image shows. Default: the `imagePrompt` of the scene.',

  // Theme config
  captionsFontFamily: 'The typeface of captions, in any case and with or without spaces. An unknown one is replaced.',
  captionsFontWeight: 'The weight of captions, by name or number: `thin` is `100`, `black` is `900`.',
  captionsAnimation: 'How a page of captions enters.',
  captionsWordEffects: 'The effect on a word while it is spoken; empty: only its colour changes.',
  captionsTextTransform: 'The case in which captions are shown.',
  layoutMode:
    '`wrap`: as few lines as needed. `single-line`: one line, scaled down to fit. `word`: one word at a time.',
  captionsPrimaryColor: 'The colour of the spoken word.',
  captionsSecondaryColor: 'The colour of the words that are not being spoken.',
  captionsAccentColor: 'The colour of the keyword of a page. The default, `#0000ff`, means none.',
  captionsStrokeColor: 'The colour of the outline of all words.',
  captionsSecondaryStrokeColor:
    'The outline of words that are not being spoken. The default, `#ffffff`, means `captionsStrokeColor`.',
  captionsAccentStrokeColor: 'The outline of the keyword. The default, `#0000ff`, means `captionsStrokeColor`.',
  captionsShadowColor: 'The colour of a soft shadow; absent: no shadow.',
  captionsFirstWordColor: 'The first word of a page while it is not being spoken.',
  captionsHighlightBackground: 'The colour of a box behind the spoken word, with any word effect.',
  captionsFontSize: 'The size in pixels of a screen 720 pixels wide. Too wide words are drawn smaller.',
  captionsVerticalPosition: 'The middle of the words, from 0 (top) to 100 (bottom).',
  captionsTextStroke: 'The width of the outline.',
  captionsActiveWordStroke: 'The width of the outline of the spoken word; absent: that of all words.',
  captionsLetterSpacing: 'The space between letters.',
  presentationAccentColor: 'The accent colour of slides.',
  presentationAccentColorB: 'The second accent colour of slides; absent: the first one.',
  presentationInkColor: 'The colour of text on slides.',
  presentationInkSoftColor: 'The colour of secondary text on light slides.',
  presentationBackgroundColor: 'The background colour of slides.',
  presentationPillTextColor: 'The colour of text on the accent colour.',
  presentationFontFamily: 'The typeface of slides.',
  presentationBackground: 'The pattern of the background. Open: an unknown name gives `gradient`.',
  presentationLogoUrl: 'A PNG, JPEG or WebP in the upper left corner of every slide.',
  presentationIconUrl: 'A PNG, JPEG or WebP above headlines and calls to action.',
  musicMood: 'The mood of the music; `auto` follows `mood`, `none` gives no music.',

  // Automations
  automation: 'The automation that the event is about.',
  'Automation.id': 'The id of the automation, which is that of its blueprint video.',
  'AutomationItem.id': 'The id of the automation, which is that of its blueprint video.',
  'automation.id': 'The id of the automation, which is that of its blueprint video.',
  'Automation.status': '`active`: slots are published. `paused`: nothing is created or published on schedule.',
  'AutomationItem.status': '`active`: slots are published. `paused`: nothing is created or published on schedule.',
  'automation.status': '`active`: slots are published. `paused`: nothing is created or published on schedule.',
  'EditAutomationRequest.status': '`active` starts, `paused` stops creating and publishing on schedule.',
  statusUpdatedAt: 'When `status` last changed.',
  schedule: 'When clips are published.',
  frequency: 'How often: `daily` frequencies use `times`, `weekly` ones use `days`, one item for each slot.',
  timezone: 'IANA time zone of the times, such as `Europe/Berlin`.',
  times: 'The slots of each day; empty with a weekly frequency.',
  days: 'The slots of the week; empty with a daily frequency.',
  day: 'The day of the week.',
  time: 'Local time, `HH:MM`.',
  mode: '`fixed` (default): at `time`. `random`: within the hour after it, on the same day.',
  publishing: 'Where clips are published.',
  autoRefill: 'Whether the next clip is created when one was published. Default: true.',
  lastRunAt: 'When the last clip was created; null if none was.',
  stopped: 'Why the service stopped the automation; null otherwise.',
  reason: 'Identifies why it was stopped, such as `no_credits`.',
  'stopped.kind': '`config`: something must be configured. `transient`: it can be activated again.',
  kind: '`config`: something must be configured. `transient`: it can be activated again.',
  detail: 'What happened, for people.',
  stoppedAt: 'When it was stopped.',
  health: 'Whether the automation can publish, and what it still needs.',
  'health.ready': 'Whether nothing blocks the automation.',
  'AutomationHealth.ready': 'Whether nothing blocks the automation.',
  blockers: 'What the automation still needs.',
  'blockers.id': 'Identifies the precondition, such as `no-accounts`.',
  'blockers.label': 'What is missing, for people.',
  nextScheduledAt: 'The next slot; null while paused.',
  upcoming: 'The next five slots.',
  recent: 'The latest slots, newest first.',
  'recent.scheduledAt': 'The time of the slot.',
  'recent.outcome': 'What happened to the slot.',
  clipId: 'The clip that was assigned to the slot; null if none was.',
  'Automation.source': 'The blueprint. Its `isAutomation` is false once it was turned back into a plain video.',
  'VideoScheduledEvent.data.scheduledAt': 'The slot that the clip is published at.',
  'PromoteVideoRequest.enabled': 'Whether the video is to be the blueprint of an automation.',
  'EditAutomationRequest.platforms': 'The platforms to publish to, in place of the stored ones.',
  'EditAutomationRequest.profileId': 'The profile whose accounts are published to; null: none.',

  // Uploads and deletions
  fileName: 'The name of the file.',
  contentType: 'The media type of the file.',
  bytes: 'The size of the file in bytes.',
  'NewUpload.status': '`waiting` for the file, `received`, or `failed`.',
  'Upload.status': '`waiting` for the file, `received`, or `failed`.',
  'NewUpload.expiresAt': 'The transfer of the file must start before this time.',
  'Upload.expiresAt': 'The transfer of the file must start before this time.',
  videoId: 'The video created from the file; null until it is received.',
  method: 'The HTTP method to send the file with.',
  uploadUrl: 'The presigned URL to send the file to, without the API key.',
  headers: 'Headers that the request with the file must carry, exactly as given.',
  ok: 'Always true: the record is gone.',
  deletedClips: 'Number of clips that were deleted with it.',
  deletedBytes: 'Storage that was released, in bytes.',
  droppedDeliveries: 'Number of queued deliveries that were dropped.',

  // Voices, platforms and profiles
  'Voice.id': 'The id that `voiceId` takes.',
  provider: '`standard`, or `expressive`, which costs more.',
  gender: 'How the voice sounds.',
  previewUrl: 'A sample of the voice; null if there is none.',
  'Platform.id': 'The id that `platforms` takes.',
  color: 'The colour for display, `#rrggbb`.',
  'Profile.description': 'A note of the owner.',
  isDefault: 'Whether it is the default profile of the workspace.',
  accounts: 'The connected social accounts.',
  username: 'The name of the account on the platform.',
  displayName: 'The name that the platform shows.',
  pictureUrl: 'The picture of the account; null if there is none.',
  'BeginConnectionRequest.platform': 'The platform of the account to connect.',
  'data.expiresAt': 'When the URL expires.',

  // Keys
  'ApiKey.name': 'What the key is for: the client or the connection that has it.',
  'NewApiKey.name': 'What the key is for: the client or the connection that has it.',
  'CreateKeyRequest.name': 'What the key is for: name it after the client or the connection that gets it.',
  scope: '`standard`: every route but those of keys. `admin`: these, too.',
  prefix: 'The beginning of every key.',
  lastFour: 'The last four characters of the key, which tell keys apart.',
  isCurrent: 'Whether this is the key of the request.',
  lastUsedAt: 'When the key was last used, to the hour; null if no use in the last 400 days is known.',
  revokedAt: 'When the key was revoked; null while it is valid.',
  'NewApiKey.key': 'The key itself. It is shown only once: a hash of it is stored.',

  // Webhooks
  event: 'The event.',
  sequence: 'Counts the events of the workspace, without gaps: order events by it.',
  ...Object.fromEntries(
    eventTypes.map((type) => [`${eventSchemaName(type)}.id`, 'The id of the event. Only in `GET /events`.']),
  ),
  'EventPaging.limit': 'Maximum number of events in the page.',
  nextAfter: 'The value of `after` for the next page.',
  lastSequence: 'The `sequence` of the newest event of the workspace; 0 before the first.',
  missed:
    'Whether events after `after` are older than seven days, and so missing, or no event has had this number; go on with `nextAfter`.',
  events: 'The events that the endpoint receives.',
  url: 'The address of the endpoint.',
  enabled: 'Whether events are delivered.',
  lastDeliveryAt: 'When a delivery was last acknowledged; null if none was.',
  failureCount: 'Failed attempts since the last success.',
  disabledReason: 'Why the service disabled the endpoint; null otherwise.',
  secret: 'The signing secret. It is shown only once.',
  webhookId: 'The endpoint.',
  'Delivery.status': '`pending`: queued or to be retried. `delivered`: acknowledged. `failed`: given up.',
  attempts: 'Attempts so far, at most six.',
  responseStatus: 'The HTTP status of the last response; null without one.',
  lastError: 'Why the last attempt failed; null otherwise.',
  nextAttemptAt: 'When the next attempt is due; null if there is none.',
  deliveredAt: 'When it was acknowledged; null until then.',
  'ReplayEventsRequest.from': 'The first event: a `sequence`, or a time.',
  'ReplayEventsRequest.to': 'The last event: a `sequence`, or a time.',
  'ReplayEventsRequest.events': 'Only these of the events that the endpoint subscribes to. Default: all of them.',
  'WebhookReplay.events': 'Number of events that are delivered again.',
  'WebhookReplay.firstSequence': 'The `sequence` of the first of them; null if there is none.',
  'WebhookReplay.lastSequence': 'The `sequence` of the last of them; null if there is none.',
  payload: 'The posted body.',
  delivered: 'Whether the endpoint acknowledged the test.',
  durationMs: 'Duration of the request in milliseconds.',
  'WebhookTest.error': 'Why the test failed; null otherwise.',
  'WebhookTestEvent.data.message': 'A text that says that this is a test.',
}

/** The key of the table for a property by its path, such as `['Video', 'media', 'bytes']`. */
const keyOf = (path: readonly string[]): string | undefined =>
  path.map((_, index) => path.slice(index).join('.')).find((end) => Object.hasOwn(descriptions, end))

/** The keys of the table that describe none of the given properties. */
export function unusedDescriptions(paths: readonly (readonly string[])[]): string[] {
  const used = new Set(paths.map(keyOf))
  return Object.keys(descriptions).filter((key) => !used.has(key))
}

/**
 * Adds descriptions to all properties below a part of the document, in place. `name` is that of the schema or operation. A
 * description of the schema itself stays; one that only states a constraint (`A value …`) follows that of the table.
 */
export function describeProperties(part: unknown, name: string): void {
  visitProperties(part, [name], (property, path) => {
    const own = property.description as string | undefined
    const described = descriptions[keyOf(path) ?? '']
    if (own === undefined) property.description = described
    else if (own.startsWith('A value ') && described) property.description = `${described} ${own}`
  })
}

/** Keys whose values are data or are visited elsewhere. */
const skippedKeys = new Set(['properties', 'example', 'examples', 'default', 'const', 'enum', 'required'])

/** Calls `visit` with each property schema at any depth, and with its path; list and union levels have no name. */
export function visitProperties(
  part: unknown,
  path: readonly string[],
  visit: (property: OpenApiObject, path: readonly string[]) => void,
): void {
  if (typeof part !== 'object' || part === null) return
  if (Array.isArray(part)) {
    for (const item of part) visitProperties(item, path, visit)
    return
  }
  const { properties } = part as { properties?: Record<string, OpenApiObject> }
  for (const [name, property] of Object.entries(properties ?? {})) {
    visit(property, [...path, name])
    visitProperties(property, [...path, name], visit)
  }
  for (const [key, inner] of Object.entries(part)) if (!skippedKeys.has(key)) visitProperties(inner, path, visit)
}
