/** The code of entry points after tree shaking, without that of packages: what a function really does. */
import { join } from 'node:path'
import { build } from 'esbuild'
import { repositoryRoot } from '../../lib/infra/bundle-paths.ts'

/** By the paths of the files in the repository. */
export async function bundledTexts(files: readonly string[]): Promise<Map<string, string>> {
  const { outputFiles } = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: [...files],
    outdir: repositoryRoot,
    outbase: repositoryRoot,
    bundle: true,
    write: false,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    loader: { '.wasm': 'empty', '.svg': 'empty' },
  })
  const texts = new Map(outputFiles.map(({ path, text }) => [path, text]))
  return new Map(files.map((file) => [file, texts.get(join(repositoryRoot, file.replace(/\.ts$/, '.js')))!]))
}
