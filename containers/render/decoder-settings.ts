/** Reads from a segment what a player has to know before it can decode it: all segments of a film share one set of this. */
import { type FileHandle, open } from 'node:fs/promises'

/** The `avcC` box (ISO/IEC 14496-15) of an mp4 file with one H.264 track; undefined where there is none, as in a file that breaks off. */
export async function decoderSettings(path: string): Promise<Buffer | undefined> {
  const file = await open(path)
  try {
    const index = await readBox(file, 'moov')
    // Nothing but headers of fixed form stands before it.
    const at = index?.indexOf('avcC') ?? -1
    return at < 4 ? undefined : index!.subarray(at - 4, at - 4 + index!.readUInt32BE(at - 4))
  } finally {
    await file.close()
  }
}

/** The first box of this kind that lies in no other one. */
async function readBox(file: FileHandle, kind: string): Promise<Buffer | undefined> {
  const { size: end } = await file.stat()
  const header = Buffer.alloc(8)
  for (let [at, size] = [0, 0]; at + 8 <= end; at += size) {
    await file.read(header, 0, 8, at)
    size = header.readUInt32BE(0)
    // Sizes of 0 and 1 stand for boxes that are larger than segments get.
    if (size < 8 || at + size > end) return undefined
    if (header.toString('latin1', 4) === kind) return (await file.read(Buffer.alloc(size), 0, size, at)).buffer
  }
  return undefined
}
