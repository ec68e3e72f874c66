/** The editor of a video, whose program is loaded with the first visit. */
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button, Skeleton } from '../components.tsx'

type EditorType = ComponentType<{ videoId: string }>

export function EditPage({ id }: { id: string }) {
  const [editor, setEditor] = useState<{ Editor: EditorType } | 'failed'>()
  const load = () => {
    setEditor(undefined)
    import('../../editor/editor.tsx').then(setEditor, () => setEditor('failed'))
  }
  useEffect(load, [])
  if (editor === 'failed')
    return (
      <div class="empty" role="alert">
        <h1>The editor could not be loaded</h1>
        <p>Check the connection, and try again.</p>
        <Button onClick={load}>Try again</Button>
      </div>
    )
  return editor ? <editor.Editor key={id} videoId={id} /> : <Skeleton />
}
