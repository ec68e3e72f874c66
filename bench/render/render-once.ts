/**
 * One render in a separate process, as a task does it. The argument is a file with the request; the output is one line
 * of JSON.
 */
import { copyFileSync, existsSync, linkSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderComposition } from '../../containers/media/render/render-composition.ts'
import type { Composition } from '../../lib/render/composition.ts'

export interface RenderOnceRequest {
  composition: Composition
  files: Record<string, string>
  /** Empty, for scratch files. */
  directory: string
  /** Directory of the segment store; no store without it. */
  store?: string
  threads?: number
}

const { composition, files, directory, store, threads }: RenderOnceRequest = JSON.parse(
  readFileSync(process.argv[2]!, 'utf8'),
)
const { sha256, bytes, reuse, videoPath } = await renderComposition({
  composition,
  files: new Map(Object.entries(files)),
  directory,
  onProgress: () => {},
  signal: new AbortController().signal,
  timeoutMs: 600_000,
  ...(threads && { threads }),
  ...(store && {
    store: {
      fetch: async (name, path) => {
        if (!existsSync(join(store, name))) return false
        copyFileSync(join(store, name), path)
        return true
      },
      put: async (name, path) => linkSync(path, join(store, name)),
    },
  }),
})
console.log(JSON.stringify({ sha256, bytes, reuse, videoPath }))
