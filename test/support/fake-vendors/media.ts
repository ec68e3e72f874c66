/** Files that vendors give and get, as small as they can be: made once by ffmpeg, and forgotten with the process. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runFfmpeg } from '../../../lib/ffmpeg/run.ts'

const made = new Map<string, Promise<Buffer>>()

function make(name: string, ...description: string[]): Promise<Buffer> {
  const given = made.get(name) ?? draw(name, description)
  made.set(name, given)
  return given
}

async function draw(name: string, description: string[]): Promise<Buffer> {
  const directory = mkdtempSync(join(tmpdir(), 'vendor-media-'))
  try {
    await runFfmpeg({ arguments: ['-v', 'error', ...description, '-y', name], directory, timeoutMs: 30_000 })
    return readFileSync(join(directory, name))
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** A second of moving picture with sound, 24 frames a second, as models give it. */
export const tinyVideo = () =>
  make(
    'clip.mp4',
    ...['-f', 'lavfi', '-i', 'testsrc=s=320x568:r=24:d=1', '-f', 'lavfi', '-i', 'sine=d=1'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
  )

/** An upright picture. */
export const tinyPicture = () => make('picture.png', '-f', 'lavfi', '-i', 'testsrc=s=320x568:d=1', '-frames:v', '1')

export const redPicture = () => make('red.png', '-f', 'lavfi', '-i', 'color=c=red:s=320x568:d=1', '-frames:v', '1')

/** A file that pretends to be a clip, and names another file to be read. */
export const hostileVideo = (): Buffer =>
  Buffer.concat([Buffer.from('\0\0\0\x18ftypisom'), Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n')])

export const tinyPhotograph = () =>
  make('photo.jpg', '-f', 'lavfi', '-i', 'testsrc=s=320x568:d=1', '-frames:v', '1', '-c:v', 'mjpeg')

/** A second of a wide WebM clip, as Wikimedia Commons transcodes it. */
export const tinyWebm = () =>
  make(
    'clip.webm',
    ...['-f', 'lavfi', '-i', 'testsrc=s=428x240:r=25:d=1', '-c:v', 'libvpx', '-deadline', 'realtime', '-b:v', '300k'],
  )
