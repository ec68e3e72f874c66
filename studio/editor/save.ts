/**
 * Saves a document while it is edited: the parts that changed, one request at a time, against the revision that the
 * editor has seen. Without a connection the edits wait; another editor's are never overwritten.
 */
import type { Client, MergeConfigRequest, ReelsmithError } from '../../packages/client/index.js'
import { changedParts, type DocumentPart, type EditorDocument } from './document.ts'

export type SaveState =
  | { kind: 'saved' | 'saving' | 'waiting' | 'offline' }
  /** The video was changed elsewhere: nothing more is saved until the editor decides. */
  | { kind: 'conflict' }
  | { kind: 'refused'; message: string }

export interface SaveOptions {
  videos: Pick<
    Client['videos'],
    'edit' | 'mergeConfig' | 'resetConfig' | 'replaceBrolls' | 'replaceCaptions' | 'replacePresentationScenes'
  >
  videoId: string
  saved: EditorDocument
  /** The entity tag of the timelines. */
  revision: string | null
  onState(state: SaveState): void
  /** Default: after a pause of typing. */
  pauseMs?: number
}

export interface Autosave {
  /** Saves this state of the document soon. */
  save(document: EditorDocument): void
  /** Saves at once, for example when the connection is back. Resolves when nothing is left to save, or it failed. */
  flush(): Promise<void>
  /** Saves over the changes of others, which the user has seen. */
  overwrite(revision: string | null): void
  /** Saves nothing more: another one takes over. */
  stop(): void
  /** What the service has. */
  readonly saved: EditorDocument
  /** Its entity tag. */
  readonly revision: string | null
}

const retryMsMin = 1_000
const retryMsMax = 30_000

export function createAutosave({ videos, videoId, pauseMs = 500, onState, ...initial }: SaveOptions): Autosave {
  let { saved, revision } = initial
  let current = saved
  let running: Promise<void> | undefined
  let isStopped = false
  let retryMs = retryMsMin
  let timer: ReturnType<typeof setTimeout> | undefined

  const schedule = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(flush, ms)
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    if (isStopped) return Promise.resolve()
    running ??= saveAll().finally(() => {
      running = undefined
    })
    return running
  }
  const saveAll = async () => {
    try {
      for (let request = nextRequest(saved, current); request; request = nextRequest(saved, current)) {
        onState({ kind: 'saving' })
        const { parts, send } = request
        const sent = current
        const { etag } = await send(videos, videoId, revision === null ? {} : { ifMatch: revision })
        revision = etag ?? revision
        saved = { ...saved, ...Object.fromEntries(parts.map((part) => [part, sent[part]])) }
        retryMs = retryMsMin
      }
      onState({ kind: 'saved' })
    } catch (error) {
      fail(error as Partial<ReelsmithError>)
    }
  }
  const fail = ({ status, code, message = String(code) }: Partial<ReelsmithError>) => {
    if (status === 412) {
      isStopped = true
      return onState({ kind: 'conflict' })
    }
    if (code === 'network-error' || status === 429 || (status !== undefined && status >= 500)) {
      onState({ kind: 'offline' })
      schedule(retryMs)
      retryMs = Math.min(retryMsMax, 2 * retryMs)
      return
    }
    onState({ kind: 'refused', message })
  }
  return {
    get saved() {
      return saved
    },
    get revision() {
      return revision
    },
    save: (document) => {
      current = document
      if (isStopped) return
      if (changedParts(saved, current).length > 0) onState({ kind: 'waiting' })
      schedule(pauseMs)
    },
    flush,
    overwrite: (newest) => {
      revision = newest
      isStopped = false
      schedule(0)
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

interface SaveRequest {
  parts: DocumentPart[]
  send(videos: SaveOptions['videos'], videoId: string, options: SendOptions): Promise<Saved>
}
interface Saved {
  etag: string | null
}
interface SendOptions {
  ifMatch?: string
}

/** The request for the first part that changed; undefined if nothing did. */
function nextRequest(saved: EditorDocument, current: EditorDocument): SaveRequest | undefined {
  const changed = new Set(changedParts(saved, current))
  const { title, config, captions, captionsPages, bRolls, presentationScenes } = current
  if (changed.has('captions') || changed.has('captionsPages'))
    return {
      parts: ['captions', 'captionsPages'],
      send: (videos, id, options) => videos.replaceCaptions(id, { captions, captionsPages }, options).withResponse(),
    }
  if (changed.has('bRolls'))
    return {
      parts: ['bRolls'],
      send: (videos, id, options) => videos.replaceBrolls(id, bRolls.map(sentBRoll), options).withResponse(),
    }
  if (changed.has('presentationScenes'))
    return {
      parts: ['presentationScenes'],
      send: (videos, id, options) => videos.replacePresentationScenes(id, presentationScenes, options).withResponse(),
    }
  if (changed.has('config'))
    return {
      parts: ['config'],
      send: async (videos, id, options) => {
        // A merge cannot remove a key that was undone.
        const isRemoved = Object.keys(saved.config).some((key) => !(key in config))
        const reset = isRemoved ? await videos.resetConfig(id, options).withResponse() : undefined
        if (reset && Object.keys(config).length === 0) return reset
        const ifMatch = reset?.etag ?? options.ifMatch
        return videos.mergeConfig(id, config as MergeConfigRequest, ifMatch ? { ifMatch } : {}).withResponse()
      },
    }
  if (changed.has('title'))
    return { parts: ['title'], send: (videos, id, options) => videos.edit(id, { title }, options).withResponse() }
  return undefined
}

/** The fields that a client may set; the others are read-only and follow from the id. */
const sentBRoll = ({ id, startMs, endMs, text, prompt, keywords, mediaType }: EditorDocument['bRolls'][number]) => ({
  ...{ id, startMs, endMs, text, prompt, keywords, mediaType },
})
