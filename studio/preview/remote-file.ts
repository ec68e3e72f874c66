/** Reads parts of a stored file as they are needed: a source may be larger than the memory of a tab. */

const blockBytes = 1024 * 1024
const blocksMax = 64

export interface RemoteFile {
  /** Shorter at the end of the file. */
  read(offset: number, size: number): Promise<Uint8Array<ArrayBuffer>>
}

export function openRemoteFile(url: string): RemoteFile {
  const blocks = new Map<number, Promise<Uint8Array<ArrayBuffer>>>()
  /** Set where the server sends whole files only. */
  let whole: Uint8Array<ArrayBuffer> | undefined
  const load = async (index: number): Promise<Uint8Array<ArrayBuffer>> => {
    const [from, to] = [index * blockBytes, (index + 1) * blockBytes]
    if (whole) return whole.subarray(from, to)
    const response = await fetch(url, { headers: { range: `bytes=${from}-${to - 1}` } })
    // 416: the file ends before.
    if (response.status === 416) return new Uint8Array()
    if (!response.ok) throw new Error(`A clip cannot be loaded: the server responds with ${response.status}.`)
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (response.status === 206) return bytes
    whole = bytes
    return bytes.subarray(from, to)
  }
  const block = (index: number) => {
    const loaded = blocks.get(index) ?? load(index)
    blocks.delete(index)
    blocks.set(index, loaded)
    if (blocks.size > blocksMax) blocks.delete(blocks.keys().next().value!)
    // The next try downloads again.
    loaded.catch(() => blocks.delete(index))
    return loaded
  }
  return {
    read: async (offset, size) => {
      const first = Math.floor(offset / blockBytes)
      const last = Math.floor((offset + size - 1) / blockBytes)
      const parts = await Promise.all(Array.from({ length: last - first + 1 }, (_, index) => block(first + index)))
      const from = offset - first * blockBytes
      if (parts.length === 1) return parts[0]!.subarray(from, from + size)
      return new Uint8Array(await new Blob(parts).arrayBuffer()).subarray(from, from + size)
    },
  }
}
