/** `npm run preview` and `npm run contact-sheet`: a small, fast render, and an overview of a whole render. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { probeMedia } from '../../lib/ffmpeg/probe.ts'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { temporaryDataDirectory } from '../pipelines/service-process.ts'
import { newCommandDirectory } from '../pipelines/shared-service.ts'
import { firstWorkspaceClient, spawnScript } from './script-process.ts'

const timeoutMs = 60_000

function scratch(): string {
  const { directory, remove } = temporaryDataDirectory()
  onTestFinished(remove)
  return directory
}

async function run(name: string, words: string[], directory: string) {
  const { output, errors, ended } = spawnScript(name, words, directory)
  return { code: await ended, output: output().trim(), errors: errors().trim() }
}

describe('npm run preview', () => {
  it('renders the current state of a video, 540 pixels across, and leaves the video unchanged', async () => {
    const { directory, runtime, remove } = await newCommandDirectory()
    onTestFinished(remove)
    const client = firstWorkspaceClient({ runtime })
    const { id } = await client.videos.create({ text: 'Only five words, no more.', aspectRatio: '4:5' })
    const before = await client.waitFor(id, { until: ({ process }) => process?.status === 'COMPLETED' })
    const { code, output, errors } = await run('preview.ts', [id], directory)
    expect([errors, code, output]).toEqual(['', 0, `out/preview-${id}.mp4`])
    const facts = await probeMedia(join(directory, output), 'mov', { directory, timeoutMs })
    expect(facts.video).toMatchObject({ width: 540, height: 676 })
    expect(Math.abs(facts.durationMs! - before.durationSeconds! * 1000)).toBeLessThan(100)
    expect((await client.videos.get(id)).render).toBeNull()
    expect(await run('preview.ts', ['vid_unknown'], directory)).toMatchObject({ code: 1, errors: 'No such video.' })
  })

  it('prints its usage, and what is missing', async () => {
    const directory = scratch()
    const [help, nothing, noService] = await Promise.all([
      run('preview.ts', ['--help'], directory),
      run('preview.ts', [], directory),
      run('preview.ts', ['vid_1'], directory),
    ])
    expect(help).toMatchObject({ code: 0, output: expect.stringContaining('npm run preview -- VIDEO') })
    expect(nothing).toMatchObject({ code: 1, errors: help.output })
    expect(noService).toMatchObject({ code: 1, errors: expect.stringContaining('npm start') })
  })
})

describe('npm run contact-sheet', () => {
  it('draws frames with their times into a picture next to the render', async () => {
    const directory = scratch()
    const arguments_ = [
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      'testsrc=s=180x320:r=30:d=2',
      '-pix_fmt',
      'yuv420p',
      'film.mp4',
    ]
    await runFfmpeg({ directory, timeoutMs, arguments: arguments_ })
    const reply = await run('contact-sheet.ts', ['film.mp4', '--frames', '6', '--columns', '3'], directory)
    expect(reply).toEqual({ code: 0, output: 'film.png', errors: '' })
    const { video } = await probeMedia(join(directory, 'film.png'), 'png_pipe', { directory, timeoutMs })
    // Three cells across and two down, of a render that is taller than wide.
    expect(video!.width).toBeGreaterThan(3 * 180)
    expect(video!.height / video!.width).toBeGreaterThan(1.1)
    expect(video!.height / video!.width).toBeLessThan(1.4)
  })

  it('reports an invalid file or option, and writes nothing', async () => {
    const directory = scratch()
    writeFileSync(join(directory, 'words.txt'), 'These are only words.')
    const [missing, words, frames] = await Promise.all([
      run('contact-sheet.ts', ['nothing.mp4'], directory),
      run('contact-sheet.ts', ['words.txt'], directory),
      run('contact-sheet.ts', ['film.mp4', '--frames', '0'], directory),
    ])
    expect(missing).toMatchObject({ code: 1, errors: 'The file nothing.mp4 does not exist.' })
    expect(words).toMatchObject({
      code: 1,
      errors: expect.stringContaining('words.txt has an unsupported file format'),
    })
    expect(frames).toMatchObject({ code: 1, errors: expect.stringContaining('--frames must be a whole number') })
    expect(existsSync(join(directory, 'words.png'))).toBe(false)
  })
})
