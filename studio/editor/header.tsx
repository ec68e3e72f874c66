/** The head of the editor: title, undo and redo, whether everything is saved, render and download. */
import { useRef } from 'preact/hooks'
import { Icon } from './icons.tsx'
import type { SaveState } from './save.ts'
import type { Session } from './session.ts'
import { isOpen } from './session.ts'
import { shortcuts } from './shortcuts.ts'

export function Header({ session }: { session: Session }) {
  const { canUndo, canRedo, saveState, failure, videoId } = session
  const video = session.video.value!
  const document = session.document.value!
  return (
    <header class="ed-header">
      <a class="ed-back" href={`/videos/${videoId}`}>
        ← <span>Video</span>
      </a>
      <h1 class="hidden">Edit {document.title}</h1>
      <input
        class="ed-title-field"
        aria-label="Title"
        value={document.title}
        maxLength={255}
        onChange={({ currentTarget }) => {
          const title = currentTarget.value.trim()
          if (title) session.edit((edited) => ({ ...edited, title }))
          else currentTarget.value = document.title
        }}
      />
      <div class="ed-tools">
        <button
          type="button"
          class="ed-icon"
          aria-label="Undo"
          title="Undo (Ctrl Z)"
          disabled={!canUndo.value}
          onClick={session.undo}
        >
          <Icon name="undo" />
        </button>
        <button
          type="button"
          class="ed-icon"
          aria-label="Redo"
          title="Redo (Ctrl Shift Z)"
          disabled={!canRedo.value}
          onClick={session.redo}
        >
          <Icon name="redo" />
        </button>
        <span class={`ed-save ed-save-${saveState.value.kind}`} role="status">
          {saveText(saveState.value)}
        </span>
        <Shortcuts />
      </div>
      <Render session={session} />
      {saveState.value.kind === 'conflict' && <Conflict session={session} />}
      {saveState.value.kind === 'refused' && (
        <p class="ed-banner ed-bad" role="alert">
          Not saved: {saveState.value.message} Undo the last step, or change it.
        </p>
      )}
      {failure.value && (
        <p class="ed-banner ed-bad" role="alert">
          {failure.value}{' '}
          <button type="button" class="ed-link" onClick={() => session.dismiss()}>
            Dismiss
          </button>
        </p>
      )}
      {video.process && isOpen(video.process) && (
        <p class="ed-banner" role="status">
          {video.process.statusText ?? 'The video is being generated'} · {video.process.progress} %
        </p>
      )}
    </header>
  )
}

function saveText(state: SaveState): string {
  switch (state.kind) {
    case 'saved':
      return 'Saved'
    case 'saving':
    case 'waiting':
      return 'Saving…'
    case 'offline':
      return 'Offline: your edits are kept'
    case 'conflict':
      return 'Changed elsewhere'
    case 'refused':
      return 'Not saved'
  }
}

const Conflict = ({ session }: { session: Session }) => (
  <div class="ed-banner ed-warn" role="alert">
    <p>This video was changed in another tab or by another program. Your edits since then are not saved.</p>
    <button type="button" onClick={() => session.reload()}>
      Load the newest
    </button>
    <button type="button" onClick={() => session.reload({ keepsEdits: true })}>
      Keep mine
    </button>
  </div>
)

function Render({ session }: { session: Session }) {
  const { render, media } = session.video.value!
  const isRendering = isOpen(render)
  if (render && isRendering)
    return (
      <div class="ed-render">
        <progress max={100} value={render.progress} aria-label="Render" />
        <span role="status">
          {render.status === 'QUEUED' ? 'Waiting to render' : `Rendering, ${render.progress} %`}
        </span>
      </div>
    )
  const isCurrent = render?.status === 'COMPLETED' && !render.stale && media.renderUrl !== null
  return (
    <div class="ed-render">
      {render?.status === 'FAILED' && (
        <span class="ed-bad-text" role="alert">
          {render.error?.message ?? 'The render failed.'}
        </span>
      )}
      {isCurrent && media.renderUrl && (
        <button type="button" class="primary" onClick={session.download}>
          Download
        </button>
      )}
      <button type="button" class={isCurrent ? undefined : 'primary'} onClick={session.render}>
        {isCurrent ? 'Render again' : 'Render'}
      </button>
    </div>
  )
}

function Shortcuts() {
  const dialog = useRef<HTMLDialogElement>(null)
  return (
    <>
      <button
        type="button"
        class="ed-icon"
        aria-label="Keyboard"
        title="Keyboard"
        onClick={() => dialog.current?.showModal()}
      >
        <Icon name="keyboard" />
      </button>
      <dialog ref={dialog} class="ed-dialog" aria-labelledby="ed-keys">
        <h2 id="ed-keys">Keyboard</h2>
        <dl>
          {shortcuts.map(([keys, effect]) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{effect}</dd>
            </div>
          ))}
        </dl>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </dialog>
    </>
  )
}
