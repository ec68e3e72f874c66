/**
 * Builds the studio. `npm run studio` writes `dist/studio`, which the deployment uploads; the local run builds the same
 * files in memory. Names of all files but `index.html` contain a hash of their content.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { bundleFolder, repositoryRoot, studioFolder } from '../lib/infra/bundle-paths.ts'

const folder = join(repositoryRoot, 'studio')

/** The files by their path below the root of the site. */
export async function buildStudio(): Promise<Map<string, Uint8Array>> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    entryPoints: ['console/main.tsx', 'console/style.css'],
    outdir: 'assets',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  const outputOf = (entry: string) =>
    Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry)![0]
  const page = readFileSync(join(folder, 'index.html'), 'utf8').replace(
    /(?<=(?:href|src)=")console\/[^"]+/g,
    (entry) => `/${outputOf(entry)}`,
  )
  return new Map([
    ['index.html', new TextEncoder().encode(page)],
    ...outputFiles.map(({ path, contents }): [string, Uint8Array] => [path.slice(folder.length + 1), contents]),
  ])
}

export async function writeStudio(target: string): Promise<void> {
  rmSync(target, { recursive: true, force: true })
  for (const [path, content] of await buildStudio()) {
    mkdirSync(dirname(join(target, path)), { recursive: true })
    writeFileSync(join(target, path), content)
  }
}

if (import.meta.main) await writeStudio(studioFolder(bundleFolder))
