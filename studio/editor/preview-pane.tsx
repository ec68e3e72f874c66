/** The preview: the picture with the areas that apps cover, and its transport. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { frameSizes } from '../../lib/domain/records/brief.ts'
import { uprightMargins } from '../../lib/render/captions/safe-areas.ts'
import { createPlayer } from '../preview/player.ts'
import { studioFiles } from './files.ts'
import { Icon } from './icons.tsx'
import type { Session } from './session.ts'

const platforms: Record<string, string> = {
  tiktok: 'TikTok',
  instagram: 'Instagram',
  facebook: 'Facebook',
  youtube: 'YouTube Shorts',
}

export function PreviewPane({ session }: { session: Session }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const platform = useSignal('')
  const sound = useSignal<'mixing' | 'ready' | 'missing'>('mixing')
  const trouble = useSignal<string | null>(null)
  const { frame, timing, isPlaying, player } = session
  useEffect(() => {
    const { assets, picture, sound: mixer } = studioFiles()
    const url = (path: string) => new URL(path, location.href).href
    player.value = createPlayer(
      canvas.current!,
      { assets: url(assets), workers: { picture: url(picture), sound: url(mixer) } },
      {
        onTiming: (planned) => {
          timing.value = planned
          trouble.value = null
        },
        onFrame: (shown, revision) => {
          frame.value = shown
          canvas.current?.setAttribute('data-revision', String(revision))
        },
        onPlaying: (playing) => {
          isPlaying.value = playing
        },
        onSound: (state) => {
          sound.value = state
        },
        onFailure: (message) => {
          trouble.value = message
        },
      },
    )
  }, [])
  const aspect = session.video.value?.brief.aspectRatio ?? '9:16'
  const size = frameSizes[aspect]
  const fps = timing.value?.fps ?? 30
  const last = Math.max(0, (timing.value?.frames ?? 1) - 1)
  const seek = (to: number) => player.value?.seek(to)
  return (
    <section class="ed-preview" aria-label="Preview">
      <div class={`ed-screen ed-screen-${aspect.replace(':', '-')}`}>
        <canvas
          ref={canvas}
          width={size.width / 2}
          height={size.height / 2}
          aria-label="The video at the current time"
          role="img"
        />
        {aspect === '9:16' && platform.value !== '' && <SafeArea platform={platform.value} />}
        {!timing.value && !trouble.value && <p class="ed-screen-note">Loading the preview…</p>}
        {trouble.value && (
          <p class="ed-screen-note" role="alert">
            {trouble.value}
          </p>
        )}
      </div>
      <div class="ed-transport">
        <button
          type="button"
          class="ed-icon"
          aria-label="One frame back"
          title="One frame back (,)"
          onClick={() => player.value?.seek(player.value.frame - 1)}
        >
          <Icon name="back" />
        </button>
        <button
          type="button"
          class="ed-icon ed-play"
          aria-label={isPlaying.value ? 'Pause' : 'Play'}
          title={isPlaying.value ? 'Pause (space)' : 'Play (space)'}
          onClick={() => (isPlaying.value ? player.value?.pause() : player.value?.play())}
        >
          <Icon name={isPlaying.value ? 'pause' : 'play'} />
        </button>
        <button
          type="button"
          class="ed-icon"
          aria-label="One frame on"
          title="One frame on (.)"
          onClick={() => player.value?.seek(player.value.frame + 1)}
        >
          <Icon name="forward" />
        </button>
        <input
          type="range"
          class="ed-scrub"
          aria-label="Position"
          aria-valuetext={timeText(frame.value, fps)}
          min={0}
          max={last}
          value={frame.value}
          onInput={({ currentTarget }) => seek(Number(currentTarget.value))}
        />
        <output class="ed-time">
          {timeText(frame.value, fps)} <span>/ {timeText(last + 1, fps)}</span>
        </output>
      </div>
      <div class="ed-preview-options">
        <label>
          Safe area{' '}
          <select
            value={platform.value}
            disabled={aspect !== '9:16'}
            onChange={({ currentTarget }) => {
              platform.value = currentTarget.value
            }}
          >
            <option value="">Off</option>
            {Object.entries(platforms).map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <span class="ed-muted" role="status">
          {soundText[sound.value]}
        </span>
      </div>
    </section>
  )
}

const soundText = { mixing: 'Mixing the sound…', ready: '', missing: 'Without sound: the narration cannot be loaded.' }

/** Minutes, seconds and frames. */
export function timeText(frame: number, fps: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const seconds = Math.floor(frame / fps)
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}.${two(frame % fps)}`
}

/** What the app covers with its own controls. */
function SafeArea({ platform }: { platform: string }) {
  const { left, right, top, bottom } = uprightMargins[platform as keyof typeof uprightMargins]
  const free = { x: left, y: top, width: 1080 - left - right, height: 1920 - top - bottom }
  const hole = `M${free.x} ${free.y}v${free.height}h${free.width}v${-free.height}z`
  return (
    <svg class="ed-safe" viewBox="0 0 1080 1920" role="img" aria-label={`Covered by ${platforms[platform]}`}>
      <path d={`M0 0h1080v1920H0z${hole}`} fill-rule="evenodd" />
      <rect {...free} />
    </svg>
  )
}
