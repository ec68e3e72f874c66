/** Uploads a file, which becomes a video with captions and pictures. */
import { useState } from 'preact/hooks'
import type { Client, CreateUploadRequest } from '../../../packages/client/index.js'
import { useAction } from '../action.ts'
import { ActionProblem, Button, Checkbox, Field, Progress } from '../components.tsx'
import { formatBytes } from '../format.ts'
import { announce } from '../notices.tsx'
import { refresh } from '../queries.ts'
import { navigate } from '../router.ts'

const types = ['video/mp4', 'video/quicktime', 'video/webm'] as const
const pollMs = 500

interface Input {
  file: File
  process: NonNullable<CreateUploadRequest['process']>
}

export function UploadForm() {
  const [file, setFile] = useState<File>()
  const [addBRolls, setAddBRolls] = useState(false)
  const [render, setRender] = useState(true)
  const [percent, setPercent] = useState<number>()
  const upload = useAction(
    (client, { file, process }: Input) => uploadFile(client, file, process, setPercent),
    (videoId) => {
      announce('The file is uploaded.')
      refresh('videos')
      navigate(`/videos/${videoId}`)
    },
  )
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (file) void upload.run({ file, process: { addBRolls, render } })
      }}
    >
      <Field label="File" hint={file ? `${file.name}, ${formatBytes(file.size)}` : 'MP4, MOV or WebM.'}>
        {(attributes) => (
          <input
            {...attributes}
            type="file"
            required
            accept={types.join(',')}
            onChange={({ currentTarget }) => setFile(currentTarget.files?.[0])}
          />
        )}
      </Field>
      <div class="row">
        <Checkbox label="Add pictures to the narration" checked={addBRolls} onChange={setAddBRolls} />
        <Checkbox label="Render when it is ready" checked={render} onChange={setRender} />
      </div>
      {upload.isRunning && percent !== undefined && <Progress value={percent} label="Upload" />}
      <ActionProblem action={upload} />
      <div class="row end submit">
        <Button type="submit" kind="primary" isRunning={upload.isRunning}>
          Upload
        </Button>
      </div>
    </form>
  )
}

/** The id of the video that the file becomes. */
async function uploadFile(
  client: Client,
  file: File,
  process: Input['process'],
  onPercent: (percent: number) => void,
): Promise<string> {
  const contentType = types.find((type) => type === file.type)
  if (!contentType) throw new Error('The file is not an MP4, MOV or WebM video. Choose another one.')
  const { id, method, uploadUrl, headers } = await client.uploads.create({
    fileName: file.name,
    contentType,
    bytes: file.size,
    process,
  })
  await send(method, uploadUrl, headers, file, onPercent)
  for (;;) {
    const { status, videoId, error } = await client.uploads.get(id)
    if (videoId) return videoId
    if (status === 'failed') throw new Error(error?.message ?? 'The file could not be read.')
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/** `fetch` does not report how much of a body is sent. */
function send(
  method: string,
  url: string,
  headers: Record<string, string>,
  file: File,
  onPercent: (percent: number) => void,
) {
  return new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers))
      if (name.toLowerCase() !== 'content-length') request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onPercent(Math.round((100 * loaded) / total))
    const fail = () => reject(new Error('The file could not be sent. Check the connection and upload it again.'))
    request.onload = () => (request.status < 300 ? resolve() : fail())
    request.onerror = fail
    request.send(file)
  })
}
