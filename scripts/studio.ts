/**
 * Builds the studio. `npm run studio` writes `dist/studio`, which the deployment uploads; the local run builds the same
 * files in memory. Names of all files but `index.html` contain a hash of their content.
 */
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { bundleFolder, repositoryRoot, studioFolder } from '../lib/infra/bundle-paths.ts'
import { immutableFolder } from '../lib/infra/studio-headers.ts'
import type { StudioFiles } from '../studio/editor/files.ts'
import { assetFiles } from '../studio/preview/asset-files.ts'

const folder = join(repositoryRoot, 'studio')

/**
 * What the preview downloads besides programs (fonts, emoji, rasteriser, kernel): paths by their path below the root of
 * the site. A new version of a package changes the name of their folder.
 */
export function studioAssets(): Map<string, string> {
  const folder = assetsFolder()
  return new Map([...assetFiles()].map(([name, path]) => [folder + name, path]))
}

function assetsFolder(): string {
  const hash = createHash('sha256').update(readFileSync(join(repositoryRoot, 'package-lock.json')))
  for (const [name, path] of assetFiles()) if (name.endsWith('.wasm')) hash.update(readFileSync(path))
  return `${immutableFolder}preview-${hash.digest('hex').slice(0, 8)}/`
}

const options = {
  absWorkingDir: folder,
  outdir: 'assets',
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2023',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  write: false,
  metafile: true,
  logLevel: 'silent',
} as const satisfies BuildOptions

/** The files by their path below the root of the site, without `studioAssets`. */
export async function buildStudio(): Promise<Map<string, Uint8Array>> {
  // The editor names the files of its workers, which are known only when they are built.
  const parts = await build({
    ...options,
    entryPoints: {
      'preview-worker': 'preview/worker.ts',
      'sound-worker': 'preview/sound-worker.ts',
      editor: 'editor/editor.css',
    },
  })
  const urlOf = (outputs: typeof parts.metafile.outputs, entry: string) =>
    `/${Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry)![0]}`
  const files: StudioFiles = {
    assets: `/${assetsFolder()}`,
    style: urlOf(parts.metafile.outputs, 'editor/editor.css'),
    picture: urlOf(parts.metafile.outputs, 'preview/worker.ts'),
    sound: urlOf(parts.metafile.outputs, 'preview/sound-worker.ts'),
  }
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: ['console/main.tsx', 'console/style.css'],
    splitting: true,
    define: { STUDIO_FILES: JSON.stringify(files) },
  })
  const main = urlOf(metafile.outputs, 'console/main.tsx')
  // Loaded at once instead of when the program has arrived.
  const preloads = metafile.outputs[main.slice(1)]!.imports.filter(({ kind }) => kind === 'import-statement').map(
    ({ path }) => `<link rel="modulepreload" href="/${path}">\n`,
  )
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
    .replace(/(?<=(?:href|src)=")console\/[^"]+/g, (entry) => urlOf(metafile.outputs, entry))
    .replace('<script', (tag) => preloads.join('') + tag)
  return new Map([
    ['index.html', new TextEncoder().encode(page)],
    ...[...parts.outputFiles, ...outputFiles].map(({ path, contents }): [string, Uint8Array] => [
      path.slice(folder.length + 1),
      contents,
    ]),
  ])
}

export async function writeStudio(target: string): Promise<void> {
  rmSync(target, { recursive: true, force: true })
  for (const [path, content] of await buildStudio()) {
    mkdirSync(dirname(join(target, path)), { recursive: true })
    writeFileSync(join(target, path), content)
  }
  for (const [path, source] of studioAssets()) {
    mkdirSync(dirname(join(target, path)), { recursive: true })
    copyFileSync(source, join(target, path))
  }
}

if (import.meta.main) await writeStudio(studioFolder(bundleFolder))
