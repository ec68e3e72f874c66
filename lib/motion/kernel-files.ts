/** Reads the compiled kernel where there are files: a browser fetches it instead. */
import { readFileSync } from 'node:fs'

export const readKernel = (file: string): Buffer<ArrayBuffer> =>
  readFileSync(new URL(`kernel/${file}`, import.meta.url))
