/** What a browser downloads before the editor opens. */
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { buildStudio } from '../../../scripts/studio.ts'

const bytesMax = 60_000

test('the page, its program and its style are at most 60 KB compressed', async () => {
  const files = await buildStudio()
  const page = Buffer.from(files.get('index.html')!).toString()
  const loaded = new Set(['index.html'])
  const add = (text: string, pattern: RegExp) => {
    for (const [, name] of text.matchAll(pattern)) {
      const path = `assets/${name}`
      if (loaded.has(path)) continue
      loaded.add(path)
      // Static imports only: the editor is a dynamic one.
      add(Buffer.from(files.get(path)!).toString(), /(?:from|import)\s*"\.\/([\w-]+\.js)"/g)
    }
  }
  add(page, /(?:src|href)="\/assets\/([^"]+)"/g)
  expect(loaded.size).toBeGreaterThan(2)
  const bytes = [...loaded].reduce((sum, path) => sum + gzipSync(files.get(path)!).length, 0)
  expect(bytes).toBeLessThanOrEqual(bytesMax)
})

test('no file names another origin, has inline code, or is named twice', async () => {
  const files = await buildStudio()
  const page = Buffer.from(files.get('index.html')!).toString()
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|\sstyle=/)
  for (const [path, content] of files) {
    if (path !== 'index.html') expect(path).toMatch(/^assets\/[\w-]+-[A-Z0-9]{8}\.(js|css)$/)
    expect(Buffer.from(content).toString()).not.toMatch(/@import|url\(\s*['"]?https?:|src="https?:/)
  }
})
