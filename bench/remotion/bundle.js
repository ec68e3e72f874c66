/** Bundles the composition once, before the measurement. Arguments: the public directory, the output directory. */
import { join } from 'node:path'
import { bundle } from '@remotion/bundler'

const [publicDir, outDir] = process.argv.slice(2)
await bundle({ entryPoint: join(import.meta.dirname, 'source/index.jsx'), publicDir, outDir })
