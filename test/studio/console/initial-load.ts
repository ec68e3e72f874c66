/** What a browser downloads before the editor opens. */
import { gzipSync } from 'node:zlib'

/** `files`: of `buildStudio`. Compressed bytes of the page, its style and its program. */
export function initialBytes(files: ReadonlyMap<string, Uint8Array>): number {
  const textOf = (path: string) => Buffer.from(files.get(path)!).toString()
  const loaded = new Set(['index.html'])
  const add = (text: string, pattern: RegExp) => {
    for (const [, name] of text.matchAll(pattern)) {
      const path = `assets/${name}`
      if (loaded.has(path)) continue
      loaded.add(path)
      // Static imports only: the editor is a dynamic one.
      add(textOf(path), /(?:from|import)\s*"\.\/([\w-]+\.js)"/g)
    }
  }
  add(textOf('index.html'), /(?:src|href)="\/assets\/([^"]+)"/g)
  if (loaded.size < 3) throw new Error('The page names neither a program nor a style.')
  return [...loaded].reduce((sum, path) => sum + gzipSync(files.get(path)!).length, 0)
}
