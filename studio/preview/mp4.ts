/** Reads the samples of the first video track of an mp4 file (ISO/IEC 14496-12), for WebCodecs. */
import { latin1 } from '../../lib/render/latin1.ts'
import type { RemoteFile } from './remote-file.ts'

/** A compressed picture. */
export interface Mp4Sample {
  offset: number
  size: number
  /** Presentation time in seconds, from the first picture on. */
  seconds: number
  isKey: boolean
}

export interface Mp4Video {
  /** As `VideoDecoderConfig` names it: `avc1.64001f`. */
  codec: string
  /** The content of the `avcC` box (ISO/IEC 14496-15). */
  description: Uint8Array<ArrayBuffer>
  width: number
  height: number
  /** Its duration. */
  seconds: number
  /** In the order of decoding. */
  samples: Mp4Sample[]
}

/** Throws a RangeError for a file without an H.264 track. */
export async function readMp4(file: RemoteFile): Promise<Mp4Video> {
  const movie = await readMovieBox(file)
  const tracks = movie ? [...boxesIn(movie)].filter(({ kind }) => kind === 'trak') : []
  const track = tracks.map(({ body }) => body).find(isVideo)
  const table = track && boxAt(track, 'mdia', 'minf', 'stbl')
  const entry = table && boxAt(table, 'stsd')
  if (!table || !entry) throw new RangeError('The clip has no video track')
  // Eight bytes of header and count, then the header of the sample entry; its own boxes follow 78 bytes of fields.
  const fields = slice(entry, 16)
  const settings = boxAt(slice(fields, 78), 'avcC')
  if (!settings) throw new RangeError('The clip is not H.264')
  const description = bytesOf(settings).slice()
  const hex = [...description.subarray(1, 4)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const timescale = timescaleOf(track)
  return {
    codec: `avc1.${hex}`,
    description,
    width: fields.getUint16(24),
    height: fields.getUint16(26),
    seconds: readRuns(boxAt(table, 'stts')).reduce((sum, duration) => sum + duration, 0) / timescale,
    samples: samplesOf(table, timescale),
  }
}

/** The content of the `moov` box, which may follow the pictures. */
async function readMovieBox(file: RemoteFile): Promise<DataView | undefined> {
  for (let at = 0; ; ) {
    const header = viewOf(await file.read(at, 16))
    if (header.byteLength < 16) return undefined
    const isWide = header.getUint32(0) === 1
    const size = isWide ? Number(header.getBigUint64(8)) : header.getUint32(0)
    const start = isWide ? 16 : 8
    if (kindAt(header, 4) === 'moov') return viewOf(await file.read(at + start, size - start))
    if (size < start) return undefined
    at += size
  }
}

function samplesOf(table: DataView, timescale: number): Mp4Sample[] {
  const sizes = readSizes(boxAt(table, 'stsz'))
  const offsets = sampleOffsets(table, sizes)
  const keys = boxAt(table, 'stss')
  const isKey = keys ? new Set(readNumbers(keys, 4).map((number) => number - 1)) : undefined
  const delays = boxAt(table, 'ctts')
  const delayOf = delays ? readRuns(delays) : []
  let decoded = 0
  const ticks = readRuns(boxAt(table, 'stts')).map((duration, index) => {
    const at = decoded + (delayOf[index] ?? 0)
    decoded += duration
    return at
  })
  const first = ticks.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY)
  return sizes.map((size, index) => ({
    size,
    offset: offsets[index]!,
    seconds: ((ticks[index] ?? 0) - first) / timescale,
    isKey: isKey?.has(index) ?? true,
  }))
}

/** Samples lie in chunks; `stsc` says how many are in each. */
function sampleOffsets(table: DataView, sizes: readonly number[]): number[] {
  const wide = boxAt(table, 'co64')
  const chunks = wide
    ? Array.from({ length: wide.getUint32(4) }, (_, index) => Number(wide.getBigUint64(8 + 8 * index)))
    : readNumbers(boxAt(table, 'stco'), 4)
  const runs = boxAt(table, 'stsc')
  const offsets: number[] = []
  for (let chunk = 0, run = 0; runs && chunk < chunks.length; chunk++) {
    const next = 8 + 12 * (run + 1)
    if (run + 1 < runs.getUint32(4) && runs.getUint32(next) === chunk + 1) run++
    let at = chunks[chunk]!
    for (let left = runs.getUint32(8 + 12 * run + 4); left > 0 && offsets.length < sizes.length; left--) {
      at += sizes[offsets.push(at) - 1]!
    }
  }
  return offsets
}

function readSizes(box: DataView | undefined): number[] {
  if (!box) return []
  const same = box.getUint32(4)
  return same > 0 ? Array<number>(box.getUint32(8)).fill(same) : readNumbers(box, 8)
}

/** A count at `from`, then as many numbers. */
const readNumbers = (box: DataView | undefined, from: number): number[] =>
  box ? Array.from({ length: box.getUint32(from) }, (_, index) => box.getUint32(from + 4 + 4 * index)) : []

/** The values of an `stts` or `ctts` box, one a sample; the box stores them run-length encoded. */
function readRuns(box: DataView | undefined): number[] {
  if (!box) return []
  const runs = Array.from({ length: box.getUint32(4) }, (_, index) => 8 + 8 * index)
  return runs.flatMap((at) => Array<number>(box.getUint32(at)).fill(box.getInt32(at + 4)))
}

const isVideo = (track: DataView): boolean => {
  const handler = boxAt(track, 'mdia', 'hdlr')
  return handler !== undefined && kindAt(handler, 8) === 'vide'
}

/** In version 1, the two dates before it have eight bytes each. */
function timescaleOf(track: DataView): number {
  const clock = boxAt(track, 'mdia', 'mdhd')
  return clock ? clock.getUint32(clock.getUint8(0) === 1 ? 20 : 12) : 1
}

/** The content of the box at this path of kinds; the first of each kind is taken. */
const boxAt = (data: DataView, ...kinds: string[]): DataView | undefined =>
  kinds.reduce<DataView | undefined>(
    (body, kind) => body && [...boxesIn(body)].find((box) => box.kind === kind)?.body,
    data,
  )

function* boxesIn(data: DataView): Generator<{ kind: string; body: DataView }, void> {
  for (let [at, size] = [0, 0]; at + 8 <= data.byteLength; at += size) {
    size = data.getUint32(at)
    // 1: the size follows in 64 bits. 0: the box reaches to the end.
    const header = size === 1 ? 16 : 8
    if (size === 1 && at + 16 <= data.byteLength) size = Number(data.getBigUint64(at + 8))
    if (size === 0) size = data.byteLength - at
    if (size < header || at + size > data.byteLength) return
    yield { kind: kindAt(data, at + 4), body: slice(data, at + header, size - header) }
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>) =>
  new DataView(buffer, byteOffset, byteLength)
const slice = ({ buffer, byteOffset, byteLength }: DataView, from: number, length = byteLength - from) =>
  new DataView(buffer as ArrayBuffer, byteOffset + from, length)
const bytesOf = ({ buffer, byteOffset, byteLength }: DataView) =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)
const kindAt = (data: DataView, at: number) => latin1(bytesOf(slice(data, at, 4)))
