/** The panels beside the preview, as tabs. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { CaptionsPanel } from './captions-panel.tsx'
import { ScenesPanel } from './scenes-panel.tsx'
import type { Session } from './session.ts'
import { SlidesPanel } from './slides-panel.tsx'
import { StylePanel } from './style-panel.tsx'
import { VisualsPanel } from './visuals-panel.tsx'

interface Tab {
  id: string
  name: string
  panel: (session: Session) => ComponentChildren
}

const captions: Tab = { id: 'captions', name: 'Captions', panel: (session) => <CaptionsPanel session={session} /> }
const style: Tab = { id: 'style', name: 'Style', panel: (session) => <StylePanel session={session} /> }
const visuals: Tab = { id: 'visuals', name: 'Visuals', panel: (session) => <VisualsPanel session={session} /> }
const slides: Tab = { id: 'slides', name: 'Slides', panel: (session) => <SlidesPanel session={session} /> }
const scenes: Tab = { id: 'scenes', name: 'Scenes', panel: (session) => <ScenesPanel session={session} /> }

export function Panels({ session }: { session: Session }) {
  const open = useSignal('captions')
  const { type, subType } = session.video.value!
  const tabs = [captions, style, ...(subType === 'presentation' ? [slides] : []), type === 'ai' ? scenes : visuals]
  const shown = tabs.find(({ id }) => id === open.value) ?? captions
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    const next = tabs[(tabs.indexOf(shown) + by + tabs.length) % tabs.length]!
    open.value = next.id
    globalThis.document.getElementById(`ed-tab-${next.id}`)?.focus()
    event.preventDefault()
  }
  return (
    <section class="ed-panels" aria-label="Edit">
      <div class="ed-tabs" role="tablist" aria-label="What to edit">
        {tabs.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`ed-tab-${id}`}
            aria-selected={id === shown.id}
            aria-controls="ed-panel"
            tabIndex={id === shown.id ? 0 : -1}
            onKeyDown={onKeyDown}
            onClick={() => {
              open.value = id
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <div class="ed-panel" role="tabpanel" id="ed-panel" aria-labelledby={`ed-tab-${shown.id}`}>
        {shown.panel(session)}
      </div>
    </section>
  )
}
