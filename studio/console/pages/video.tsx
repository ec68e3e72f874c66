/** One video: player, jobs with their errors, what can be done with it, brief, script, posts and clips. */
import { useState } from 'preact/hooks'
import type { JobError, Video } from '../../../packages/client/index.js'
import { useAction } from '../action.ts'
import {
  ActionProblem,
  Badge,
  Button,
  Confirm,
  Dialog,
  Facts,
  Field,
  Loaded,
  Page,
  Progress,
  type Tone,
} from '../components.tsx'
import { downloadRender } from '../download.ts'
import { formatBytes, formatDuration, formatRelative, formatTime, languageName, plural } from '../format.ts'
import { isBusy, kindText, platformName, statusText, statusTone } from '../labels.ts'
import { announce } from '../notices.tsx'
import { busyMs, idleMs, refresh, storeResult, useQuery } from '../queries.ts'
import { navigate } from '../router.ts'
import { Publish } from './publish.tsx'
import { VideoCard } from './videos.tsx'
import { VoiceName } from './voices.tsx'

const queryName = (id: string) => `video ${id}`
const interval = (video: Video) => (isBusy(video) ? busyMs : idleMs)

export function VideoPage({ id }: { id: string }) {
  const query = useQuery(
    queryName(id),
    (client, options) => client.videos.get(id, { include: ['script'] }, options),
    interval,
  )
  return (
    <Page
      title={query.data?.title ?? 'Video'}
      parent={{ href: '/', text: 'Videos' }}
      actions={query.data && <Actions video={query.data} />}
    >
      <Loaded query={query} name={queryName(id)}>
        {(video) => (
          <div class="video-page">
            <Player video={video} />
            <div class="stack">
              <Jobs video={video} />
              <Posts video={video} />
              <BriefFacts video={video} />
              <ScriptText video={video} />
            </div>
            <Clips id={id} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

/** Reads the video and the lists again after a change. */
const changed = (id: string) => {
  refresh(queryName(id))
  refresh('videos')
  refresh('clips')
}

const closesMenu = { popovertarget: 'more-actions', popovertargetaction: 'hide' } as const

function Actions({ video }: { video: Video }) {
  const { id, status, media, isAutomation } = video
  const [dialog, setDialog] = useState<'publish' | 'clip' | 'delete' | 'title'>()
  const close = () => setDialog(undefined)
  const render = useAction(
    (client, _, options) => client.videos.render(id, options),
    (result) => {
      storeResult(queryName(id), { ...video, ...result })
      announce('The render has started.')
    },
  )
  const download = useAction((client) => downloadRender(client, id, video.title), 'The file is saved.')
  const remove = useAction(
    (client) => client.videos.delete(id),
    () => {
      announce('The video is deleted.')
      navigate('/')
      refresh('videos')
    },
  )
  const promote = useAction(
    (client) => client.videos.promote(id, { enabled: true }),
    () => {
      announce('The video is now the blueprint of an automation.')
      navigate(`/automations/${id}`)
    },
  )
  const isRendered = media.renderUrl !== null
  const canRender = status !== 'processing' && status !== 'rendering' && !isRenderBlocked(video)
  return (
    <>
      {canRender && (
        <Button
          kind={isRendered && !video.render?.stale ? undefined : 'primary'}
          isRunning={render.isRunning}
          onClick={() => void render.run()}
        >
          {isRendered ? 'Render again' : 'Render'}
        </Button>
      )}
      {isRendered && (
        <>
          <Button isRunning={download.isRunning} onClick={() => void download.run()}>
            Download
          </Button>
          <Button kind={video.render?.stale ? undefined : 'primary'} onClick={() => setDialog('publish')}>
            Publish
          </Button>
        </>
      )}
      {media.audioUrl !== null && (
        <a class="button" href={`/videos/${id}/edit`}>
          Edit
        </a>
      )}
      <button type="button" popovertarget="more-actions">
        More
      </button>
      <div id="more-actions" popover="auto" class="menu-list">
        <Button {...closesMenu} onClick={() => setDialog('title')}>
          Rename
        </Button>
        <Button {...closesMenu} onClick={() => setDialog('clip')}>
          Make a clip
        </Button>
        {isAutomation ? (
          <a class="button" href={`/automations/${id}`}>
            Open its automation
          </a>
        ) : (
          <Button {...closesMenu} isRunning={promote.isRunning} onClick={() => void promote.run()}>
            Make it an automation
          </Button>
        )}
        <Button {...closesMenu} kind="danger" onClick={() => setDialog('delete')}>
          Delete
        </Button>
      </div>
      <ActionProblem action={render} />
      <ActionProblem action={download} />
      <ActionProblem action={promote} />
      {dialog === 'publish' && <Publish video={video} onClose={close} onDone={() => changed(id)} />}
      {dialog === 'clip' && <NewClip video={video} onClose={close} />}
      {dialog === 'title' && <Rename video={video} onClose={close} />}
      {dialog === 'delete' && (
        <Confirm
          title="Delete this video?"
          text="Its clips and all their files are deleted as well. This cannot be undone."
          verb="Delete"
          action={remove}
          onClose={close}
        />
      )}
    </>
  )
}

/** A generation that never completed has nothing to render. */
const isRenderBlocked = ({ process, type }: Video) =>
  process === null ? type !== 'video' : process.status !== 'COMPLETED'

function Player({ video: { media, brief, title, status, render } }: { video: Video }) {
  const shape = { aspectRatio: brief.aspectRatio.replace(':', ' / ') }
  return (
    <section class="player" aria-label="Player">
      {media.renderUrl ? (
        <video
          key={media.renderUrl}
          controls
          playsInline
          preload="metadata"
          crossOrigin="anonymous"
          src={media.renderUrl}
          poster={media.thumbnailUrl ?? undefined}
          aria-label={title}
          style={shape}
        >
          <track kind="captions" src={media.captionsUrl ?? undefined} srcLang={brief.language} label="Captions" />
        </video>
      ) : (
        <div class="no-video" style={shape}>
          {status === 'failed'
            ? 'Nothing to play: the last job failed.'
            : 'The player opens when the video is rendered.'}
        </div>
      )}
      {render?.stale && (
        <p class="banner">The video was edited after this render. Render again to see the changes here.</p>
      )}
    </section>
  )
}

const jobTone: Record<string, Tone> = {
  COMPLETED: 'good',
  FAILED: 'bad',
  QUEUED: 'busy',
  PROCESSING: 'busy',
  SCHEDULED: 'busy',
}
const jobText: Record<string, string> = {
  COMPLETED: 'Done',
  FAILED: 'Failed',
  QUEUED: 'Waiting',
  PROCESSING: 'Running',
  SCHEDULED: 'Scheduled',
}

function Jobs({ video }: { video: Video }) {
  const { id, status, process, render, publish } = video
  const generate = useAction(
    (client, _, options) => client.videos.process(id, {}, options),
    (result) => {
      storeResult(queryName(id), { ...video, ...result })
      announce('The generation has started.')
    },
  )
  const again = useAction(
    (client, _, options) => client.videos.render(id, options),
    (result) => {
      storeResult(queryName(id), { ...video, ...result })
      announce('The render has started.')
    },
  )
  return (
    <section class="panel">
      <h2>
        Jobs <Badge tone={statusTone[status]}>{statusText[status]}</Badge>
      </h2>
      {!process && !render && !publish && <p class="muted">No job has run yet.</p>}
      {process && (
        <Job name="Generation" {...process} time={process.startedAt ?? process.queuedAt}>
          {process.status === 'FAILED' && (
            <Button isRunning={generate.isRunning} onClick={() => void generate.run()}>
              Generate again
            </Button>
          )}
          <ActionProblem action={generate} />
        </Job>
      )}
      {render && (
        <Job name="Render" {...render} time={render.startedAt ?? render.queuedAt}>
          {render.status === 'FAILED' && (
            <Button isRunning={again.isRunning} onClick={() => void again.run()}>
              Render again
            </Button>
          )}
          <ActionProblem action={again} />
        </Job>
      )}
      {publish && (
        <Job
          name="Publication"
          status={publish.status}
          error={publish.error}
          time={publish.publishedAt ?? publish.failedAt ?? publish.startedAt ?? publish.scheduledAt}
        />
      )}
    </section>
  )
}

interface JobProps {
  name: string
  status: string
  progress?: number
  statusText?: string | null
  error: JobError | null
  time: string | null
  children?: preact.ComponentChildren
}
const Job = ({ name, status, progress = 0, statusText, error, time, children }: JobProps) => (
  <div class="job">
    <div class="row spread">
      <strong>{name}</strong>
      <span class="row">
        {time && (
          <time class="muted" dateTime={time} title={formatTime(time)}>
            {formatRelative(time)}
          </time>
        )}
        <Badge tone={jobTone[status] ?? 'plain'}>{jobText[status] ?? status}</Badge>
      </span>
    </div>
    {(status === 'QUEUED' || status === 'PROCESSING') && progress !== undefined && (
      <>
        <Progress value={progress} label={`${name}: progress`} />
        <small class="muted">
          {progress} %{statusText && ` · ${statusText}`}
        </small>
      </>
    )}
    {error && <JobProblem error={error} />}
    {children}
  </div>
)

const JobProblem = ({ error: { code, message, action } }: { error: JobError }) => (
  <div class="problem">
    <p>{message}</p>
    <div class="row">
      {action === 'connect' && (
        <a class="button" href="/accounts">
          Connect an account
        </a>
      )}
      {(action === 'credits' || action === 'upgrade') && (
        <a class="button" href="/usage">
          See usage and credits
        </a>
      )}
      <small class="muted">{code}</small>
    </div>
  </div>
)

function Posts({ video: { publish } }: { video: Video }) {
  if (!publish) return null
  const { caption, results, missingPlatforms, unhealthyPlatforms, scheduledAt, status } = publish
  return (
    <section class="panel">
      <h2>Posts</h2>
      {status === 'SCHEDULED' && scheduledAt && <p>It is published at {formatTime(scheduledAt)}.</p>}
      {caption && <p class="quote">{caption}</p>}
      <ul class="lines">
        {results.map(({ accountId, platform, status, url, error }) => (
          <li key={accountId}>
            <div class="row spread">
              <span>{platformName(platform)}</span>
              <span class="row">
                {url && (
                  <a href={url} target="_blank" rel="noreferrer">
                    Open the post
                  </a>
                )}
                <Badge tone={jobTone[status] ?? 'plain'}>{jobText[status]}</Badge>
              </span>
            </div>
            {error && <JobProblem error={error} />}
          </li>
        ))}
      </ul>
      {missingPlatforms.length > 0 && (
        <p class="muted">
          Without an account: {missingPlatforms.map(platformName).join(', ')}. <a href="/accounts">Connect one</a>
        </p>
      )}
      {unhealthyPlatforms.length > 0 && (
        <p class="muted">
          To be reconnected: {unhealthyPlatforms.map(platformName).join(', ')}. <a href="/accounts">Reconnect</a>
        </p>
      )}
    </section>
  )
}

const styleNames = { stock_footage: 'Footage', ai_image: 'Stills', mixed: 'Footage and stills' }

const BriefFacts = ({ video }: { video: Video }) => {
  const { id, brief, type, subType, createdAt, durationSeconds, media, mood } = video
  return (
    <section class="panel">
      <h2>Brief</h2>
      <Facts
        rows={[
          ['Kind', kindText(video)],
          brief.prompt !== null && ['Idea', brief.prompt],
          durationSeconds !== null && ['Length', formatDuration(durationSeconds)],
          ['Format', brief.aspectRatio],
          type !== 'video' && [
            'Voice',
            <>
              <VoiceName id={brief.voiceId} /> ({languageName(brief.language)})
            </>,
          ],
          type === 'faceless' && subType === null && ['Pictures', styleNames[brief.imageStyle]],
          mood !== null && ['Mood', mood],
          brief.customStyleText !== null && ['Style', brief.customStyleText],
          ['Captions', brief.showSubtitles ? 'Shown' : 'Hidden'],
          media.bytes !== null && ['File', formatBytes(media.bytes)],
          ['Created', formatTime(createdAt)],
          ['Id', <code>{id}</code>],
        ]}
      />
    </section>
  )
}

function ScriptText({ video: { script } }: { video: Video }) {
  if (!script?.text) return null
  return (
    <section class="panel">
      <h2>Script</h2>
      <p class="script">{script.text}</p>
      {script.sources.length > 0 && (
        <p class="muted">
          Sources:{' '}
          {script.sources.map(({ title, url }, index) => (
            <>
              {index > 0 && ', '}
              <a key={url} href={url} target="_blank" rel="noreferrer">
                {title}
              </a>
            </>
          ))}
        </p>
      )}
    </section>
  )
}

function Clips({ id }: { id: string }) {
  const { data } = useQuery(`clips ${id}`, (client, options) => client.videos.listClips(id, { limit: 12 }, options))
  if (!data || data.paging.total === 0) return null
  return (
    <section class="clips">
      <h2>{plural(data.paging.total, 'clip')}</h2>
      <ul class="flow">
        {data.data.map((clip) => (
          <li key={clip.id}>
            <VideoCard video={clip} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function NewClip({ video: { id, type }, onClose }: { video: Video; onClose: () => void }) {
  const create = useAction(
    (client, regenerate: boolean, options) => client.videos.createClip(id, { regenerate, render: true }, options),
    (clip) => {
      announce('The clip is being made.')
      refresh('videos')
      navigate(`/videos/${clip.id}`)
    },
  )
  return (
    <Dialog title="Make a clip" onClose={onClose}>
      <p>
        A copy shows what the video shows now and is free. A variation gets a new script and new pictures, at the price
        of a generation.
      </p>
      <ActionProblem action={create} />
      <div class="row end">
        <Button isRunning={create.isRunning} onClick={() => void create.run(false)}>
          Copy
        </Button>
        {type !== 'video' && (
          <Button kind="primary" isRunning={create.isRunning} onClick={() => void create.run(true)}>
            Variation
          </Button>
        )}
      </div>
    </Dialog>
  )
}

function Rename({ video: { id, title: before }, onClose }: { video: Video; onClose: () => void }) {
  const [title, setTitle] = useState(before)
  const save = useAction(
    (client, title: string) => client.videos.edit(id, { title }),
    () => {
      announce('The title is saved.')
      changed(id)
      onClose()
    },
  )
  return (
    <Dialog title="Rename" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save.run(title)
        }}
      >
        <Field label="Title">
          {(attributes) => (
            <input
              {...attributes}
              required
              maxLength={200}
              value={title}
              onInput={({ currentTarget }) => setTitle(currentTarget.value)}
            />
          )}
        </Field>
        <ActionProblem action={save} />
        <div class="row end">
          <Button type="submit" kind="primary" isRunning={save.isRunning}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
