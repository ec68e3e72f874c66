import { describe, expect, it } from 'vitest'
import { parseMediaFacts, parsePackets } from '../../lib/ffmpeg/probe.ts'

const clip = `Input #0, mov,mp4,m4a,3gp,3g2,mj2, from 'file:c.mp4':
  Metadata:
    title           : Stream #0:0: Video: fake (x), 1x1, 1 fps
  Duration: 00:01:02.50, start: 0.000000, bitrate: 67 kb/s
    Stream #0:0(und): Video: h264 (High) (avc1 / 0x31637661), yuv420p(tv, bt709), 640x360 [SAR 1:1 DAR 16:9], 62 kb/s, 29.97 fps, 30 tbr
    Stream #0:1(und): Audio: aac (LC) (mp4a / 0x6134706D), 48000 Hz, mono, fltp, 66 kb/s (default)
Output #0, null, to 'pipe:':
    Stream #0:0(und): Video: rawvideo, yuv420p, 9x9
`

describe('the probe output of ffmpeg', () => {
  it('is read from the streams of the input, not from its titles or the output', () => {
    expect(parseMediaFacts(clip)).toEqual({
      durationMs: 62_500,
      video: { codec: 'h264', width: 640, height: 360, fps: 29.97, colours: 'bt709' },
      audio: { codec: 'aac', sampleRate: 48_000 },
    })
  })
  it('contains the rotation of the picture, and subtitles', () => {
    const turned = clip.replace(
      'Output #0',
      `    Side data:
      displaymatrix: rotation of -90.00 degrees
    Stream #0:2(und): Subtitle: mov_text (tx3g / 0x67337874), 0 kb/s (default)
Output #0`,
    )
    expect(parseMediaFacts(turned)).toMatchObject({ video: { isRotated: true }, subtitles: { codec: 'mov_text' } })
    expect(parseMediaFacts(turned.replace('-90.00', '0.00')).video).not.toHaveProperty('isRotated')
  })
  it('has no duration for stills', () => {
    const still =
      "Input #0, png_pipe, from 'a.png':\n  Duration: N/A, bitrate: N/A\n  Stream #0:0: Video: png, rgb24(pc), 8x6, 25 tbr\n"
    expect(parseMediaFacts(still)).toEqual({ video: { codec: 'png', width: 8, height: 6 } })
  })
  it('is empty if ffmpeg could not open the file', () => {
    expect(parseMediaFacts('h.mp4: Invalid data found when processing input')).toEqual({})
  })
})

describe('packets', () => {
  it('keep their stored order and time base', () => {
    const framecrc =
      '#software: x\n#tb 0: 1/15360\n0,  -1024,  0,  512,  5430, 0x1c\n0,  -512,  1024,  512,  640, 0x29, F=0x0\n'
    expect(parsePackets(framecrc)).toEqual({ timescale: 15_360, dts: [-1024, -512], pts: [0, 1024] })
  })
})
