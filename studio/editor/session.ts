/** The state of an open editor: the video, its document with undo and redo, saving, and the transport of its preview. */
import { computed, effect, type Signal, signal } from '@preact/signals'
import { type Client, ReelsmithError, type Video } from '../../packages/client/index.js'
import { downloadRender } from '../console/download.ts'
import type { PreviewVideo } from '../preview/composition.ts'
import type { PreviewTiming } from '../preview/messages.ts'
import type { Player } from '../preview/player.ts'
import { documentOf, type EditorDocument } from './document.ts'
import { type History, newHistory, record, redo, undo } from './history.ts'
import { type Autosave, createAutosave, type SaveState } from './save.ts'

const include = ['captions', 'captionsPages', 'bRolls', 'presentationScenes', 'scenes'] as const
/** A render is looked at this often while it runs. */
const pollMs = 1_000

export interface Session {
  readonly client: Client
  readonly videoId: string
  /** As the service has it; null while it loads. */
  readonly video: Signal<Video | null>
  readonly document: { readonly value: EditorDocument | null }
  readonly canUndo: { readonly value: boolean }
  readonly canRedo: { readonly value: boolean }
  readonly saveState: Signal<SaveState>
  /** What went wrong last, for people. */
  readonly failure: Signal<string | null>
  /** The frame on the screen, and the facts of the plan. */
  readonly frame: Signal<number>
  readonly timing: Signal<PreviewTiming | null>
  readonly isPlaying: Signal<boolean>
  readonly player: Signal<Player | null>
  /** The id of the selected word, page, segment or scene. */
  readonly selected: Signal<string | null>
  /** `gesture`: edits with the same name in quick succession are one step of undo. */
  edit(change: (document: EditorDocument) => EditorDocument, gesture?: string): void
  undo(): void
  redo(): void
  seekMs(ms: number): void
  /** Loads the video again, for example after a job. `keepsEdits`: unsaved edits stay, and win. */
  reload(options?: { keepsEdits?: boolean }): Promise<void>
  /** Saves what is not saved yet, then renders. */
  render(): Promise<void>
  download(): Promise<void>
  /** Makes the pictures that are missing. Costs credits. */
  makePictures(): Promise<void>
  /** A change that the service makes itself, such as one of an ai video's scenes. Saves before, and loads the result. */
  changeOnService(
    change: (client: Client, videoId: string, options: { ifMatch?: string }) => Promise<unknown>,
  ): Promise<void>
  saveNow(): void
  /** Forgets the failure that is shown. */
  dismiss(): void
  /** Runs a call and shows its failure. */
  run<Result>(work: () => Promise<Result>): Promise<Result | undefined>
  close(): void
}

export const isOpen = (job: { status: string } | null | undefined): boolean =>
  job?.status === 'QUEUED' || job?.status === 'PROCESSING'

export function createSession(client: Client, videoId: string): Session {
  const video = signal<Video | null>(null)
  const history = signal<History<EditorDocument> | null>(null)
  const saveState = signal<SaveState>({ kind: 'saved' })
  const failure = signal<string | null>(null)
  const frame = signal(0)
  const timing = signal<PreviewTiming | null>(null)
  const isPlaying = signal(false)
  const player = signal<Player | null>(null)
  const selected = signal<string | null>(null)
  const document = computed(() => history.value?.present ?? null)
  const closing = new AbortController()
  let autosave: Autosave | undefined
  let poll: ReturnType<typeof setTimeout> | undefined

  const run = async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      const result = await work()
      failure.value = null
      return result
    } catch (error) {
      if (!closing.signal.aborted) failure.value = error instanceof Error ? error.message : String(error)
      return undefined
    }
  }
  const load = async ({ keepsEdits = false } = {}) => {
    const { data, etag } = await client.videos
      .get(videoId, { include: [...include] }, { signal: closing.signal })
      .withResponse()
    const loaded = documentOf(data as unknown as PreviewVideo)
    video.value = data
    const kept = keepsEdits ? document.value : null
    if (kept && autosave) {
      autosave.overwrite(etag)
      autosave.save(kept)
    } else {
      history.value = newHistory(loaded)
      const onState = (state: SaveState) => {
        saveState.value = state
        if (state.kind === 'saved' && video.value?.render) void refreshJobs()
      }
      autosave?.stop()
      autosave = createAutosave({ videos: client.videos, videoId, saved: loaded, revision: etag, onState })
      saveState.value = { kind: 'saved' }
    }
    watchJobs()
  }
  /** An edit makes the render stale. */
  const refreshJobs = async () => {
    const before = video.value
    const next = await client.videos.get(videoId, {}, { signal: closing.signal }).catch(() => undefined)
    if (next && video.value === before) video.value = { ...before, ...next }
  }
  /** Whether nothing is left to save: jobs read what is stored. */
  const saveAll = async () => {
    await autosave?.flush()
    return saveState.value.kind === 'saved'
  }
  /** Follows a job until it ends. Edits go on meanwhile: only facts of jobs and media are taken over. */
  const watchJobs = () => {
    clearTimeout(poll)
    const current = video.value
    if (!current || !(isOpen(current.render) || isOpen(current.process))) return
    poll = setTimeout(async () => {
      const wasProcessing = isOpen(current.process)
      const next = await run(() => client.videos.get(videoId, {}, { signal: closing.signal }))
      if (next) video.value = { ...current, ...next }
      if (wasProcessing && next && !isOpen(next.process) && (await saveAll())) await run(() => load())
      else watchJobs()
    }, pollMs)
  }
  const replace = (next: History<EditorDocument>) => {
    history.value = next
    autosave?.save(next.present)
  }
  const stopPreview = effect(() => {
    const [edited, shown, current] = [document.value, player.value, video.peek()]
    if (current && edited && shown) shown.show({ ...(current as unknown as PreviewVideo), ...edited })
  })
  const retry = () => void autosave?.flush()
  globalThis.addEventListener('online', retry)
  const warn = (event: BeforeUnloadEvent) => saveState.value.kind !== 'saved' && event.preventDefault()
  globalThis.addEventListener('beforeunload', warn)
  return {
    ...{ client, videoId, video, document, saveState, failure, frame, timing, isPlaying, player, selected, run },
    canUndo: computed(() => (history.value?.past.length ?? 0) > 0),
    canRedo: computed(() => (history.value?.future.length ?? 0) > 0),
    edit: (change, gesture) => {
      const before = history.value
      if (!before) return
      const next = change(before.present)
      if (next !== before.present) replace(record(before, next, gesture, Date.now()))
    },
    undo: () => history.value && replace(undo(history.value)),
    redo: () => history.value && replace(redo(history.value)),
    seekMs: (ms) => player.value?.seek(Math.ceil((ms * (timing.value?.fps ?? 30)) / 1000)),
    reload: async (options) => {
      await run(() => load(options))
    },
    render: async () => {
      if (!(await saveAll())) return
      const started = await run(() => client.videos.render(videoId))
      if (!started || !video.value) return
      video.value = { ...video.value, render: started.render, status: started.status }
      watchJobs()
    },
    download: async () => {
      await run(() => downloadRender(client, videoId, document.value?.title ?? videoId))
    },
    makePictures: async () => {
      if (!(await saveAll())) return
      const options = { transcribe: false, addBRolls: true, render: false }
      const started = await run(() => client.videos.process(videoId, options))
      if (!started || !video.value) return
      video.value = { ...video.value, process: started.process, status: started.status }
      watchJobs()
    },
    changeOnService: async (change) => {
      if (!(await saveAll())) return
      await run(async () => {
        try {
          await change(client, videoId, autosave?.revision ? { ifMatch: autosave.revision } : {})
        } catch (error) {
          if (!(error instanceof ReelsmithError && error.status === 412)) throw error
          saveState.value = { kind: 'conflict' }
          return
        }
        await load()
      })
    },
    saveNow: retry,
    dismiss: () => {
      failure.value = null
    },
    close: () => {
      void autosave?.flush()
      closing.abort()
      clearTimeout(poll)
      stopPreview()
      globalThis.removeEventListener('online', retry)
      globalThis.removeEventListener('beforeunload', warn)
      player.value?.close()
    },
  }
}
