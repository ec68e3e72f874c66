/** B-rolls: what is on the screen and when, and how new pictures are made. */
import { useState } from 'preact/hooks'
import type { BRoll } from '../../packages/client/index.js'
import { newId } from './caption-edits.ts'
import { secondsText } from './captions-panel.tsx'
import type { EditorDocument } from './document.ts'
import { Icon } from './icons.tsx'
import { encodePicture, pictureTypes } from './own-picture.ts'
import { isOpen, type Session } from './session.ts'

type Segment = EditorDocument['bRolls'][number]

const mediaNames: Record<BRoll['mediaType'], string> = {
  ai_image: 'Drawn image',
  stock_footage: 'Stock footage',
  ai_video: 'Animated clip',
}

export function VisualsPanel({ session }: { session: Session }) {
  const { bRolls } = session.document.value!
  const empty = bRolls.filter(({ url }) => url === null).length
  const isBusy = isOpen(session.video.value!.process)
  if (bRolls.length === 0) return <p class="ed-empty">This video has no pictures of its own.</p>
  return (
    <>
      {empty > 0 && (
        <div class="ed-banner">
          <p>
            {empty === 1 ? 'One segment has' : `${empty} segments have`} no picture yet. Until then the one before stays
            on the screen.
          </p>
          <button type="button" class="primary" disabled={isBusy} onClick={() => session.makePictures()}>
            {isBusy ? 'Making…' : 'Make pictures'}
          </button>
        </div>
      )}
      <ol class="ed-cards">
        {bRolls.map((segment, index) => (
          <SegmentCard key={segment.id} {...{ session, segment, index }} />
        ))}
      </ol>
    </>
  )
}

const replaceSegment = (
  document: EditorDocument,
  id: string,
  change: (segment: Segment) => Segment,
): EditorDocument => ({
  ...document,
  bRolls: document.bRolls.map((segment) => (segment.id === id ? change(segment) : segment)),
})

function SegmentCard({ session, segment, index }: { session: Session; segment: Segment; index: number }) {
  const { id, url, type, startMs, endMs, text, prompt, mediaType } = segment
  const nowMs = (session.frame.value * 1000) / (session.timing.value?.fps ?? 30)
  const isNow = nowMs >= startMs && nowMs < endMs
  const edit = (change: Partial<Segment>, gesture?: string) =>
    session.edit((document) => replaceSegment(document, id, (before) => ({ ...before, ...change })), gesture)
  const name = `Segment ${index + 1}`
  return (
    <li class={`ed-card${isNow ? ' ed-now' : ''}`}>
      <button
        type="button"
        class="ed-thumb"
        aria-label={`Go to segment ${index + 1}`}
        onClick={() => session.seekMs(startMs)}
      >
        {url === null ? (
          <span class="ed-muted">No picture</span>
        ) : type === 'video' ? (
          <video src={url} preload="metadata" muted tabIndex={-1} />
        ) : (
          <img src={url} alt="" loading="lazy" />
        )}
      </button>
      <div class="ed-card-body">
        <Span {...{ name, startMs, endMs }} onChange={(span, gesture) => edit(span, `${gesture}/${id}`)} />
        <p class="ed-quote">{text}</p>
        <label class="ed-label">
          Shows
          <textarea
            rows={2}
            maxLength={2000}
            value={prompt}
            onInput={({ currentTarget }) => edit({ prompt: currentTarget.value }, `prompt/${id}`)}
          />
        </label>
        <div class="ed-row">
          <select
            aria-label={`Kind of picture of segment ${index + 1}`}
            value={mediaType}
            onChange={({ currentTarget }) => edit({ mediaType: currentTarget.value as BRoll['mediaType'] })}
          >
            {Object.entries(mediaNames).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          <button
            type="button"
            disabled={url === null}
            title="Removes the picture; Make pictures then makes another one"
            onClick={() => edit({ id: newId('brl'), url: null, type: null })}
          >
            <Icon name="redraw" /> Replace
          </button>
          <OwnPicture {...{ session, segment, name }} />
          <button
            type="button"
            class="ed-icon"
            aria-label={`Remove segment ${index + 1}`}
            title="Remove"
            onClick={() =>
              session.edit((document) => ({ ...document, bRolls: document.bRolls.filter((other) => other.id !== id) }))
            }
          >
            <Icon name="remove" />
          </button>
        </div>
        <Presenter {...{ session, segment, name }} />
      </div>
    </li>
  )
}

/** A picture from this device. It is scaled here, so that what is sent is small and says nothing of the camera. */
function OwnPicture({ session, segment, name }: { session: Session; segment: Segment; name: string }) {
  const [isSending, setSending] = useState(false)
  const send = async (file: File) => {
    setSending(true)
    const data = await session.run(() => encodePicture(file))
    if (data !== undefined)
      await session.changeOnService(({ videos }, videoId, options) =>
        videos.setBrollPicture(videoId, segment.id, { data }, options),
      )
    setSending(false)
  }
  return (
    <label class="ed-file">
      <input
        type="file"
        accept={pictureTypes.join(',')}
        aria-label={`Own picture for ${name}`}
        disabled={isSending}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          currentTarget.value = ''
          if (file) void send(file)
        }}
      />
      <span>
        <Icon name="add" /> {isSending ? 'Uploading…' : 'Own picture'}
      </span>
    </label>
  )
}

/** A portrait that speaks the narration of the segment; without an address, that of the brief. */
function Presenter({ session, segment, name }: { session: Session; segment: Segment; name: string }) {
  const [imageUrl, setImageUrl] = useState('')
  const [isMaking, setMaking] = useState(false)
  const make = async () => {
    setMaking(true)
    const body = imageUrl.trim() === '' ? {} : { imageUrl: imageUrl.trim() }
    await session.changeOnService(({ videos }, videoId) => videos.makePresenter(videoId, segment.id, body))
    setMaking(false)
  }
  return (
    <details>
      <summary>Presenter{segment.presenter ? `: ${segment.presenter.name || 'made'}` : ''}</summary>
      <div class="ed-row">
        <input
          type="url"
          aria-label={`Portrait of the presenter of ${name}`}
          placeholder="Portrait: https://… or that of the brief"
          value={imageUrl}
          onInput={({ currentTarget }) => setImageUrl(currentTarget.value)}
        />
        <button type="button" disabled={isMaking} onClick={make}>
          {isMaking ? 'Making…' : 'Let it speak'}
        </button>
      </div>
    </details>
  )
}

interface SpanProps {
  name: string
  startMs: number
  endMs: number
  onChange(span: { startMs?: number; endMs?: number }, gesture: string): void
}

/** Start and end in seconds. */
export const Span = ({ name, startMs, endMs, onChange }: SpanProps) => (
  <div class="ed-span">
    <input
      type="number"
      aria-label={`${name} starts at second`}
      step={0.1}
      min={0}
      max={endMs / 1000}
      value={secondsText(startMs)}
      onChange={({ currentTarget }) => {
        const ms = Math.round(1000 * Number(currentTarget.value))
        onChange({ startMs: Math.max(0, Math.min(ms, endMs)) }, 'start')
      }}
    />
    <span aria-hidden="true">–</span>
    <input
      type="number"
      aria-label={`${name} ends at second`}
      step={0.1}
      min={startMs / 1000}
      value={secondsText(endMs)}
      onChange={({ currentTarget }) => {
        const ms = Math.round(1000 * Number(currentTarget.value))
        onChange({ endMs: Math.max(startMs, ms) }, 'end')
      }}
    />
    <span class="ed-muted">s</span>
  </div>
)
