/** Downloads the media that a composition names to local files, because ffmpeg reads local files only. */
import { mkdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { parallelLimit } from '../../../lib/async.ts'
import { downloadFile } from '../../../lib/aws/media-bucket.ts'
import type { Composition } from '../../../lib/render/composition.ts'
import type { RenderRequest } from './render-request.ts'

const downloadConcurrency = 4

/** `files` maps each key to its local path; `fetchFiles` downloads the keys that are needed. */
export async function mediaFilesFor(
  composition: Composition,
  directory: string,
): Promise<Required<Pick<RenderRequest, 'files' | 'fetchFiles'>>> {
  await mkdir(directory)
  const { narrationKey, shots, sprites = [], brand = {} } = composition
  const shown = [...shots.map(({ media }) => media), ...sprites.map(({ picture }) => picture)]
  const pictures = Object.values(brand).map(({ key }) => key)
  const keys = new Set([narrationKey, ...pictures, ...shown.flatMap((media) => ('key' in media ? media.key : []))])
  const files = new Map([...keys].map((key, index) => [key, join(directory, `${index}${extname(key)}`)]))
  const downloaded = new Set<string>()
  return {
    files,
    fetchFiles: (wanted, signal) => {
      const downloads = wanted.map((key) => async () => {
        if (downloaded.has(key)) return
        await downloadFile(key, files.get(key)!, signal)
        downloaded.add(key)
      })
      return parallelLimit(downloads, downloadConcurrency, signal)
    },
  }
}
