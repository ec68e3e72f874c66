/** `node:zlib` without threads: results arrive in the same turn. */
import { gunzipSync, gzipSync, type InputType, type ZlibOptions } from 'node:zlib'

export { crc32, deflate, gunzipSync, gzipSync } from 'node:zlib'

type Done = (error: Error | null, result?: Buffer) => void

const deferred =
  (compress: (input: InputType, options?: ZlibOptions) => Buffer) =>
  (input: InputType, ...rest: [Done] | [ZlibOptions, Done]) => {
    const [options, done] = rest.length === 1 ? [{}, rest[0]] : rest
    try {
      const result = compress(input, options)
      queueMicrotask(() => done(null, result))
    } catch (error) {
      queueMicrotask(() => done(error as Error))
    }
  }

export const gzip = deferred(gzipSync)
export const gunzip = deferred(gunzipSync)
