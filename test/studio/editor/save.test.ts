/** Saving while editing: what is sent, in which order, and what happens when it fails. */
import { expect, it, vi } from 'vitest'
import { ReelsmithError } from '../../../packages/client/index.js'
import type { EditorDocument } from '../../../studio/editor/document.ts'
import { createAutosave, type SaveOptions, type SaveState } from '../../../studio/editor/save.ts'

const saved: EditorDocument = {
  ...{ title: 'One', config: { captionsFontSize: 40 }, captions: [], captionsPages: [], bRolls: [] },
  ...{ presentationScenes: [], scenes: [] },
}

/** Answers every call with the next revision, or as `answer` says. */
function service(answer: (call: string, ifMatch: string | undefined) => void = () => {}) {
  const calls: string[] = []
  let revision = 1
  const method =
    (name: string, takesBody = true) =>
    (...values: unknown[]) => ({
      withResponse: async () => {
        const { ifMatch } = values[takesBody ? 2 : 1] as { ifMatch?: string }
        calls.push(`${name} ${ifMatch}`)
        answer(name, ifMatch)
        return { etag: `"${++revision}"` }
      },
    })
  const names = ['edit', 'mergeConfig', 'replaceBrolls', 'replaceCaptions', 'replacePresentationScenes']
  const videos = {
    ...Object.fromEntries(names.map((name) => [name, method(name)])),
    resetConfig: method('resetConfig', false),
  }
  return { calls, videos: videos as unknown as SaveOptions['videos'] }
}

function start(videos: SaveOptions['videos']) {
  const states: SaveState['kind'][] = []
  const onState = ({ kind }: SaveState) => states.push(kind)
  return { states, autosave: createAutosave({ videos, videoId: 'vid_1', saved, revision: '"1"', onState, pauseMs: 0 }) }
}
const refused = (status: number, code: ReelsmithError['code']) =>
  new ReelsmithError({ status, code, message: code, requestId: '' })

it('sends only what changed, one request after another, each against the revision of the one before', async () => {
  const { videos, calls } = service()
  const { autosave, states } = start(videos)
  autosave.save({ ...saved, title: 'Two', captions: [], captionsPages: [] })
  await autosave.flush()
  expect(calls).toEqual(['replaceCaptions "1"', 'edit "2"'])
  expect(states.at(-1)).toBe('saved')
  await autosave.flush()
  expect(calls).toHaveLength(2)
})

it('removes a key of the theme that was undone', async () => {
  const { videos, calls } = service()
  const { autosave } = start(videos)
  autosave.save({ ...saved, config: { captionsTextStroke: 3 } })
  await autosave.flush()
  expect(calls).toEqual(['resetConfig "1"', 'mergeConfig "2"'])
})

it('saves nothing more after a conflict until the user decides', async () => {
  let isOld = true
  const { videos, calls } = service(() => {
    if (isOld) throw refused(412, 'precondition-failed')
  })
  const { autosave, states } = start(videos)
  autosave.save({ ...saved, title: 'Two' })
  await autosave.flush()
  autosave.save({ ...saved, title: 'Three' })
  await autosave.flush()
  expect(states.at(-1)).toBe('conflict')
  expect(calls).toEqual(['edit "1"'])
  isOld = false
  autosave.overwrite('"9"')
  await vi.waitFor(() => expect(states.at(-1)).toBe('saved'))
  expect(calls.at(-1)).toBe('edit "9"')
})

it('keeps edits without a connection, and says what the service refuses', async () => {
  const failures = [refused(0, 'network-error'), refused(503, 'unavailable'), refused(400, 'invalid-request')]
  const { videos } = service(() => {
    const failure = failures.shift()
    if (failure) throw failure
  })
  const { autosave, states } = start(videos)
  autosave.save({ ...saved, title: 'Two' })
  for (let attempt = 0; attempt < 4; attempt++) await autosave.flush()
  expect(states.filter((kind) => kind !== 'saving')).toEqual(['waiting', 'offline', 'offline', 'refused', 'saved'])
  expect(autosave.saved.title).toBe('Two')
})

it('saves nothing after it is stopped', async () => {
  const { videos, calls } = service()
  const { autosave } = start(videos)
  autosave.save({ ...saved, title: 'Two' })
  autosave.stop()
  await autosave.flush()
  expect(calls).toEqual([])
  expect(autosave.revision).toBe('"1"')
})
