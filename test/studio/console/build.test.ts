/** The built files of the studio. */
import { expect, test } from 'vitest'
import { goals } from '../../../bench/figures.ts'
import { buildStudio } from '../../../scripts/studio.ts'
import { initialBytes } from './initial-load.ts'

test('the page, its program and its style are at most 60 KB compressed', async () => {
  expect(initialBytes(await buildStudio())).toBeLessThanOrEqual(goals.preview.initialBytes.most)
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
