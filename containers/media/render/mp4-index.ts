/** Reads the video index of an mp4 file (ISO/IEC 14496-12): decoder settings and presentation times. */
import { type FileHandle, open } from 'node:fs/promises'

interface Mp4Index {
  /** The `avcC` box (ISO/IEC 14496-15), without which nothing can be decoded. All segments of a render share one. */
  decoderSettings: Buffer
  /** Presentation time of each frame in storage order, in ticks of `timescale` per second. */
  times: number[]
  timescale: number
}

/** The index of the first H.264 track; undefined for a file without one, such as a truncated file. */
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

/** The content of the `moov` box; undefined for a truncated file, which ffmpeg 4 leaves behind on a full disk. */
async function readMovieBox(file: FileHandle): Promise<Buffer | undefined> {
  const { size: end } = await file.stat()
  const header = Buffer.alloc(8)
  let movie: Buffer | undefined
  for (let [at, size] = [0, 0]; at < end; at += size) {
    await file.read(header, 0, 8, at)
    size = header.readUInt32BE(0)
    // Sizes 0 and 1 mark boxes larger than any render.
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
  // Only headers of fixed layout precede it.
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
    // In version 1, the two dates before it have eight bytes each.
    timescale: clock.readUInt32BE(clock[0] === 1 ? 20 : 12),
  }
}

const isOfPictures = (track: Buffer) => boxAt(track, 'mdia', 'hdlr')?.toString('latin1', 8, 12) === 'vide'

/** The content of the box at this path of kinds; the first of each kind is taken. */
const boxAt = (data: Buffer, ...kinds: string[]): Buffer | undefined =>
  kinds.reduce<Buffer | undefined>((body, kind) => body && boxesIn(body).find((box) => box.kind === kind)?.body, data)

function* boxesIn(data: Buffer): Generator<{ kind: string; body: Buffer }, void> {
  for (let [at, size] = [0, 0]; at + 8 <= data.length; at += size) {
    size = data.readUInt32BE(at)
    if (size < 8 || at + size > data.length) return
    yield { kind: data.toString('latin1', at + 4, at + 8), body: data.subarray(at + 8, at + size) }
  }
}

/** The values of an `stts` or `ctts` box, one per frame; the box stores them run-length encoded. */
function runsOf(table: Buffer): number[] {
  const runs = Array.from({ length: table.readUInt32BE(4) }, (_, index) => 8 + 8 * index)
  return runs.flatMap((at) => Array<number>(table.readUInt32BE(at)).fill(table.readInt32BE(at + 4)))
}
