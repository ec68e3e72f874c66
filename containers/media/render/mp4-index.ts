/** Reads the index of an mp4 file (ISO/IEC 14496-12) as far as its picture goes: what a player has to know before it can play it. */
import { type FileHandle, open } from 'node:fs/promises'

export interface Mp4Index {
  /** The `avcC` box (ISO/IEC 14496-15): without it nothing can be decoded, and all segments of a film share one. */
  decoderSettings: Buffer
  /** When each picture is shown, in the order in which they are stored, on a clock with `timescale` ticks a second. */
  times: number[]
  timescale: number
}

/** The index of the first track with pictures in H.264; undefined where there is none, as in a file that breaks off. */
export async function readMp4Index(path: string): Promise<Mp4Index | undefined> {
  const file = await open(path)
  try {
    const movie = await readMovieBox(file)
    const track = movie && boxesIn(movie).find(({ kind, body }) => kind === 'trak' && isOfPictures(body))?.body
    return track && readTrack(track)
  } finally {
    await file.close()
  }
}

/** What is in the `moov` box, if all boxes together are as long as the file: on a full disk, ffmpeg 4 leaves one that breaks off. */
async function readMovieBox(file: FileHandle): Promise<Buffer | undefined> {
  const { size: end } = await file.stat()
  const header = Buffer.alloc(8)
  let movie: Buffer | undefined
  for (let [at, size] = [0, 0]; at < end; at += size) {
    await file.read(header, 0, 8, at)
    size = header.readUInt32BE(0)
    // Sizes of 0 and 1 stand for boxes that are larger than films get.
    if (size < 8 || at + size > end) return undefined
    if (header.toString('latin1', 4) === 'moov')
      movie = (await file.read(Buffer.alloc(size - 8), 0, size - 8, at + 8)).buffer
  }
  return movie
}

function readTrack(track: Buffer): Mp4Index | undefined {
  const [clock, description, durations] = [
    boxAt(track, 'mdia', 'mdhd'),
    boxAt(track, 'mdia', 'minf', 'stbl', 'stsd'),
    boxAt(track, 'mdia', 'minf', 'stbl', 'stts'),
  ]
  // Nothing but headers of fixed form stands before it.
  const at = description?.indexOf('avcC') ?? -1
  if (!clock || !durations || at < 4) return undefined
  const offsets = boxAt(track, 'mdia', 'minf', 'stbl', 'ctts')
  const delays = offsets && runsOf(offsets)
  let decoded = 0
  return {
    decoderSettings: description!.subarray(at - 4, at - 4 + description!.readUInt32BE(at - 4)),
    times: runsOf(durations).map((duration, index) => {
      const time = decoded + (delays?.[index] ?? 0)
      decoded += duration
      return time
    }),
    // Version 1 has dates of eight bytes each before it.
    timescale: clock.readUInt32BE(clock[0] === 1 ? 20 : 12),
  }
}

const isOfPictures = (track: Buffer) => boxAt(track, 'mdia', 'hdlr')?.toString('latin1', 8, 12) === 'vide'

/** What is in the box that is reached through the first boxes of these kinds, each in the one before. */
const boxAt = (data: Buffer, ...kinds: string[]): Buffer | undefined =>
  kinds.reduce<Buffer | undefined>((body, kind) => body && boxesIn(body).find((box) => box.kind === kind)?.body, data)

function* boxesIn(data: Buffer): Generator<{ kind: string; body: Buffer }, void> {
  for (let [at, size] = [0, 0]; at + 8 <= data.length; at += size) {
    size = data.readUInt32BE(at)
    if (size < 8 || at + size > data.length) return
    yield { kind: data.toString('latin1', at + 4, at + 8), body: data.subarray(at + 8, at + size) }
  }
}

/** The numbers of an `stts` or `ctts` box, one for each picture; equal ones are stored once, with how often they come. */
function runsOf(table: Buffer): number[] {
  const runs = Array.from({ length: table.readUInt32BE(4) }, (_, index) => 8 + 8 * index)
  return runs.flatMap((at) => Array<number>(table.readUInt32BE(at)).fill(table.readInt32BE(at + 4)))
}
