/** The timeline: pages of captions and pictures over time, with the playhead. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { toCompositionBRolls } from '../preview/scenes.ts'
import { wordsOf } from './caption-edits.ts'
import type { Session } from './session.ts'
import { templateNames } from './slide-fields.ts'
import { snapped, trimEnd, wordBorders } from './trim.ts'

/** The pictures of an ai video are its scenes. */
function segmentsOf({ video, document }: Session) {
  const { scenes, bRolls, captions } = document.value!
  if (scenes.length === 0) return bRolls
  return toCompositionBRolls(video.value!, scenes, captions).map((segment, index) => ({
    ...segment,
    url: scenes[index]!.imageUrl,
    type: 'image',
  }))
}

/** How near to a word a dragged border snaps to it. */
const snapPixels = 8
const zoomMin = 1
const zoomMax = 12

export function Timeline({ session }: { session: Session }) {
  const zoom = useSignal(1)
  const track = useRef<HTMLDivElement>(null)
  const document = session.document.value!
  const { frame, timing, isPlaying } = session
  const fps = timing.value?.fps ?? 30
  const totalMs = ((timing.value?.frames ?? 1) * 1000) / fps
  const share = (ms: number) => `${(100 * Math.min(ms, totalMs)) / totalMs}%`
  const place = (startMs: number, endMs: number) => ({
    left: share(startMs),
    width: `${(100 * Math.max(0, Math.min(endMs, totalMs) - startMs)) / totalMs}%`,
  })
  useEffect(() => {
    const strip = track.current
    if (!strip || !isPlaying.value) return
    const x = (frame.value / fps / (totalMs / 1000)) * strip.scrollWidth
    if (x < strip.scrollLeft || x > strip.scrollLeft + strip.clientWidth) strip.scrollLeft = x - 40
  }, [frame.value])
  const seekAt = (event: MouseEvent) => {
    const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect()
    session.seekMs(((event.clientX - left) / width) * totalMs)
  }
  const spans = document.presentationScenes.length > 0 ? 'presentationScenes' : 'bRolls'
  /** Scenes of an ai video are as long as their narration. */
  const canTrim = document.scenes.length === 0
  const trimAt = (event: PointerEvent, id: string) => {
    const edge = event.currentTarget as HTMLElement
    if (!edge.hasPointerCapture(event.pointerId)) return
    const { left, width } = edge.closest('.ed-lane')!.getBoundingClientRect()
    const msPerPixel = totalMs / width
    const ms = snapped((event.clientX - left) * msPerPixel, wordBorders(document), snapPixels * msPerPixel)
    session.edit((edited) => trimEnd(edited, spans, id, ms), `trim/${id}`)
  }
  const pictures =
    document.presentationScenes.length > 0
      ? document.presentationScenes.map(({ id, startMs, endMs, template }) => ({
          id,
          startMs,
          endMs,
          text: templateNames[template],
          url: null,
        }))
      : segmentsOf(session).map(({ id, startMs, endMs, prompt, url, type }) => ({
          ...{ id, startMs, endMs, text: prompt },
          url: type === 'image' ? url : null,
        }))
  return (
    <section class="ed-timeline" aria-label="Timeline">
      <div class="ed-zoom">
        <label>
          Zoom{' '}
          <input
            type="range"
            min={zoomMin}
            max={zoomMax}
            step={0.5}
            value={zoom.value}
            onInput={({ currentTarget }) => {
              zoom.value = Number(currentTarget.value)
            }}
          />
        </label>
      </div>
      <div class="ed-track" ref={track} aria-hidden="true">
        {/* The keyboard has the position slider and the shortcuts. */}
        <div class="ed-strip" style={{ width: `${100 * zoom.value}%` }} onPointerDown={seekAt}>
          <div class="ed-lane">
            {document.captionsPages.map((page) => (
              <span
                key={page.id}
                class={`ed-block ed-block-page${page.hidden ? ' ed-hidden' : ''}`}
                style={place(page.startMs, page.endMs)}
              >
                {wordsOf(document, page)
                  .map(({ punctuated_word }) => punctuated_word)
                  .join(' ')}
              </span>
            ))}
          </div>
          <div class="ed-lane ed-lane-pictures">
            {pictures.map(({ id, startMs, endMs, text, url }) => (
              <span key={id} class="ed-block ed-block-picture" style={place(startMs, endMs)} title={text}>
                {url && <img src={url} alt="" loading="lazy" />}
                <span>{text}</span>
                {canTrim && (
                  <i
                    class="ed-edge"
                    title="Drag to trim"
                    onPointerDown={(event) => {
                      event.stopPropagation()
                      event.currentTarget.setPointerCapture(event.pointerId)
                    }}
                    onPointerMove={(event) => trimAt(event, id)}
                  />
                )}
              </span>
            ))}
          </div>
          <span class="ed-playhead" style={{ left: share((frame.value * 1000) / fps) }} />
        </div>
      </div>
    </section>
  )
}
