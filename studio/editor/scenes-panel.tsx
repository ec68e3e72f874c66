/** The scenes of an ai video. Each edit is saved by itself; a render then speaks and animates what changed. */
import { useState } from 'preact/hooks'
import type { EditSceneRequest, Scene } from '../../packages/client/index.js'
import { Icon } from './icons.tsx'
import type { Session } from './session.ts'

export function ScenesPanel({ session }: { session: Session }) {
  const { scenes } = session.document.value!
  return (
    <>
      <p class="ed-hint">A changed narration is spoken by the next render, which also animates changed pictures.</p>
      <ol class="ed-cards">
        {scenes.map((scene, index) => (
          <SceneCard key={scene.id} {...{ session, scene, index }} />
        ))}
      </ol>
      <button type="button" onClick={() => session.changeOnService(({ videos }, id) => videos.addScene(id, {}))}>
        <Icon name="add" /> Add a scene
      </button>
    </>
  )
}

function SceneCard({ session, scene, index }: { session: Session; scene: Scene; index: number }) {
  const { id, imageUrl, narration, imagePrompt, animationPrompt, duration } = scene
  const [isDrawing, setDrawing] = useState(false)
  const save = (change: EditSceneRequest) =>
    session.changeOnService(({ videos }, videoId, options) => videos.editScene(videoId, id, change, options))
  const draw = async () => {
    setDrawing(true)
    await session.changeOnService(({ videos }, videoId) => videos.drawSceneImage(videoId, id))
    setDrawing(false)
  }
  const text = (name: 'narration' | 'imagePrompt' | 'animationPrompt', label: string, value: string, rows = 2) => (
    <label class="ed-label">
      {label}
      <textarea
        rows={rows}
        maxLength={2000}
        value={value}
        onChange={({ currentTarget }) => {
          if (currentTarget.value !== value) void save({ [name]: currentTarget.value })
        }}
      />
    </label>
  )
  return (
    <li class="ed-card">
      <div class="ed-thumb">
        {imageUrl ? <img src={imageUrl} alt="" loading="lazy" /> : <span class="ed-muted">No picture</span>}
      </div>
      <div class="ed-card-body">
        <div class="ed-row">
          <strong>Scene {index + 1}</strong>
          <label class="ed-inline">
            <input
              type="number"
              aria-label={`Seconds of scene ${index + 1}`}
              min={5}
              max={20}
              step={0.5}
              value={duration}
              onChange={({ currentTarget }) => void save({ duration: Number(currentTarget.value) })}
            />{' '}
            s
          </label>
          <button type="button" disabled={isDrawing} onClick={draw}>
            <Icon name="redraw" /> {isDrawing ? 'Drawing…' : 'Draw again'}
          </button>
          <button
            type="button"
            class="ed-icon"
            aria-label={`Remove scene ${index + 1}`}
            onClick={() =>
              session.changeOnService(({ videos }, videoId, options) => videos.removeScene(videoId, id, options))
            }
          >
            <Icon name="remove" />
          </button>
        </div>
        {text('narration', 'Says', narration, 3)}
        {text('imagePrompt', 'Shows', imagePrompt)}
        {text('animationPrompt', 'Moves', animationPrompt, 1)}
      </div>
    </li>
  )
}
