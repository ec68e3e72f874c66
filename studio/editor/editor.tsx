/** The page of one video: its preview, and everything that can be edited. The console loads it when it is first opened. */
import { useEffect, useMemo } from 'preact/hooks'
import { Skeleton } from '../console/components.tsx'
import { requireClient } from '../console/session.ts'
import { studioFiles } from './files.ts'
import { Header } from './header.tsx'
import { Panels } from './panels.tsx'
import { PreviewPane } from './preview-pane.tsx'
import { createSession } from './session.ts'
import { handleShortcut } from './shortcuts.ts'
import { Timeline } from './timeline.tsx'

await loadStyle()

/** Without its style the page would jump when it comes. */
function loadStyle(): Promise<unknown> {
  const link = document.createElement('link')
  const loaded = new Promise((resolve) => {
    link.onload = resolve
    link.onerror = resolve
  })
  link.rel = 'stylesheet'
  link.href = studioFiles().style
  document.head.append(link)
  return loaded
}

export function Editor({ videoId }: { videoId: string }) {
  const session = useMemo(() => createSession(requireClient(), videoId), [videoId])
  useEffect(() => {
    void session.reload()
    const onKeyDown = (event: KeyboardEvent) => handleShortcut(event, session)
    addEventListener('keydown', onKeyDown)
    return () => {
      removeEventListener('keydown', onKeyDown)
      session.close()
    }
  }, [session])
  const { video, document: edited, failure } = session
  if (!video.value || !edited.value)
    return failure.value ? (
      <div class="ed-failure" role="alert">
        <h1>This video cannot be opened</h1>
        <p>{failure.value}</p>
        <button type="button" onClick={() => session.reload()}>
          Try again
        </button>
        <a href="/">All videos</a>
      </div>
    ) : (
      <Skeleton />
    )
  return (
    <div class="ed">
      <Header session={session} />
      <PreviewPane session={session} />
      <Panels session={session} />
      <Timeline session={session} />
    </div>
  )
}
