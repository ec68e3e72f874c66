/** Whether something is a clip as all makers give them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { listVideoPackets, probeMedia } from '../../lib/ffmpeg/probe.ts'
import type { Clip } from '../../lib/providers/footage/index.ts'

interface Shape {
  width: number
  height: number
  durationMs: number
}

/** H.264 in an mp4, 30 even frames a second, no sound, of this size and exactly this long. */
export async function expectVideoFile(clip: Clip, { width, height, durationMs }: Shape): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'clip-'))
  const place = { directory, timeoutMs: 30_000 }
  const file = join(directory, 'clip.mp4')
  try {
    writeFileSync(file, clip.bytes)
    const { video, audio } = await probeMedia(file, 'mov', place)
    expect(video).toMatchObject({ codec: 'h264', width, height, fps: 30, colours: 'bt709' })
    expect(audio).toBeUndefined()
    const { pts, timescale } = await listVideoPackets(file, 'mov', place)
    expect(pts).toHaveLength(Math.round((durationMs * 30) / 1000))
    expect(pts.toSorted((a, b) => a - b).map((time) => (time * 30) / timescale)).toEqual(pts.map((_, index) => index))
    expect(clip).toMatchObject({ width, height, durationMs: Math.floor((pts.length * 1000) / 30) })
  } finally {
    rmSync(directory, { recursive: true })
  }
}
