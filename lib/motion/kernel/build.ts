/**
 * Compiles the motion kernel: `node lib/motion/kernel/build.ts`. The results are committed, and a test compares them.
 */
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { kernelFiles } from '../kernel.ts'

const here = import.meta.dirname
const compiler = createRequire(import.meta.url).resolve('assemblyscript/bin/asc.js')

/** Writes both builds into `directory`. */
export function buildKernel(directory: string): void {
  // No runtime and no imports: the kernel allocates nothing and calls nothing outside.
  const common = ['source/kernel.ts', '-O3', '--noAssert', '--runtime', 'stub', '--use', 'abort=']
  const build = (file: string, extra: string[]) =>
    execFileSync(process.execPath, [compiler, ...common, ...extra, '-o', join(directory, file)], { cwd: here })
  build(kernelFiles.simd, ['--enable', 'simd', '--enable', 'relaxed-simd'])
  build(kernelFiles.plain, [])
}

if (import.meta.main) buildKernel(here)
