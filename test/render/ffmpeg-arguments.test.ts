import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import {
  concatArguments,
  concatList,
  decodeClipArguments,
  decodeStillArguments,
  encodeSegmentArguments,
} from '../../lib/render/ffmpeg-arguments.ts'

const film = { width: 1080, height: 1920, fps: 30 }
const part = { fps: 30, from: 5, to: 9, colours: 'bt709' } as const
const optionOf = (args: string[], option: string) => args[args.indexOf(option) + 1]

describe('arguments of ffmpeg', () => {
  it('encode frames as they arrive: everything visible is drawn before', () => {
    for (const filter of ['-vf', '-filter_complex']) expect(encodeSegmentArguments(film, 's.mp4')).not.toContain(filter)
  })
  it('encode with a fixed number of slices and without dates, so that the same frames are the same bytes', () => {
    const args = encodeSegmentArguments(film, 's.mp4')
    expect(optionOf(args, '-threads')).toBe('2')
    expect(optionOf(args, '-x264-params')).toContain('sliced-threads=1')
    expect(optionOf(args, '-fflags')).toBe('+bitexact')
  })
  it('tag the video as BT.709 and convert it', () => {
    const args = encodeSegmentArguments(film, 's.mp4')
    for (const option of ['-colorspace', '-color_primaries', '-color_trc']) expect(optionOf(args, option)).toBe('bt709')
    expect(optionOf(decodeStillArguments(['-i', 'a.jpg'], film, 'a.yuv'), '-vf')).toContain(
      'out_color_matrix=bt709:out_range=tv',
    )
  })
  it('crop a clip before scaling it, after selecting its frames', () => {
    const filters = optionOf(
      decodeClipArguments(['-i', 'c.mp4'], film, { ...part, hasConstantFrameRate: false }),
      '-vf',
    )!
    expect(filters.match(/\b(fps|trim|crop|scale)=/g)).toEqual(['fps=', 'trim=', 'crop=', 'scale='])
    expect(filters).toContain('trim=start_frame=5:end_frame=9')
  })
  it("show a clip whole in a frame of another shape, over a ground of the frame's size", async () => {
    const clip = ['-f', 'lavfi', '-i', 'color=c=red:s=320x180:r=30:d=1']
    const size = { width: 90, height: 160 }
    const arguments_ = decodeClipArguments(clip, size, {
      ...{ fps: 30, from: 0, to: 2, colours: 'bt709', hasConstantFrameRate: false, isWhole: true },
    })
    const { output } = await runFfmpeg({ directory: tmpdir(), timeoutMs: 20_000, arguments: arguments_ })
    expect(output).toHaveLength(2 * 90 * 160 * 1.5)
    const luma = (y: number) => output[y * 90 + 45]!
    // The picture is 50 rows tall, in the middle.
    expect(luma(80)).toBeGreaterThan(luma(20) + 10)
    expect([luma(58), luma(102), luma(50), luma(110)]).toEqual([luma(80), luma(80), luma(20), luma(20)])
  })
  it('seek to the first frame directly if the clip has one for each frame of the render', () => {
    const args = decodeClipArguments(['-i', 'c.mp4'], film, { ...part, hasConstantFrameRate: true })
    expect(args.indexOf('-ss')).toBeLessThan(args.indexOf('-i'))
    expect(optionOf(args, '-ss')).toBe('0.150000')
    expect(optionOf(args, '-vf')).toContain('trim=start_frame=0:end_frame=4')
    expect(decodeClipArguments(['-i', 'c.mp4'], film, { ...part, from: 0, hasConstantFrameRate: true })).not.toContain(
      '-ss',
    )
  })
  it('join segments by their exact lengths, without encoding', () => {
    expect(
      concatList(
        [
          { file: 'a.mp4', frames: 107 },
          { file: 'b.mp4', frames: 30 },
        ],
        30,
      ),
    ).toBe("file 'a.mp4'\nduration 3.566666667\nfile 'b.mp4'\nduration 1.000000000\n")
    expect(optionOf(concatArguments('list.txt', 'a.m4a', 'film.mp4'), '-c')).toBe('copy')
  })
  it('tag the joined video like its segments, none of which is decoded', () => {
    const args = concatArguments('list.txt', 'a.m4a', 'film.mp4')
    expect(args.indexOf('-codec_whitelist')).toBeLessThan(args.indexOf('concat'))
    for (const option of ['-colorspace', '-color_primaries', '-color_trc']) expect(optionOf(args, option)).toBe('bt709')
  })
})
