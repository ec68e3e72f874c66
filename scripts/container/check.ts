/**
 * `npm run check:container`: lays out the render container as its Dockerfile does, without Docker, and runs it as an unprivileged user with one
 * writable directory. It proves that the image has every file and package that the program loads, and that it draws and encodes.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findFfmpeg } from '../../lib/ffmpeg/binary.ts'
import { repositoryRoot } from '../../lib/infra/bundle-paths.ts'
import { filesInImage, installArguments, readInstructions, removedPackages } from './image.ts'

/** The user id of `nobody`: the container must not run as root, even if this script does. */
const nobody = 65534
const usageCode = 2

const directory = mkdtempSync(join(tmpdir(), 'reelsmith-container-'))
const [image, scratch] = [join(directory, 'image'), join(directory, 'scratch')]
const library = join(directory, 'hide-memory.so')
try {
  copyImage()
  compileLibrary()
  makeReadOnly()
  const usage = start(['containers/media/main.ts'])
  if (usage.status !== usageCode || !usage.stderr.includes('render-video'))
    throw new Error(`The container does not start:\n${usage.stderr}`)
  const drawn = start(['--input-type=module', '--eval', specimen()])
  if (!/^[0-9a-f]{64}$/.test(drawn.stdout)) throw new Error(`The container does not draw:\n${drawn.stderr}`)
  console.log(`The container starts, draws and encodes as an unprivileged user (tools ${drawn.stdout.slice(0, 12)}).`)
  console.log(execFileSync('du', ['-sh', image], { encoding: 'utf8' }).split('\t')[0], 'without Node and ffmpeg')
} finally {
  execFileSync('chmod', ['-R', 'u+w', directory])
  rmSync(directory, { recursive: true, force: true })
}

function copyImage(): void {
  const instructions = readInstructions()
  const files = filesInImage(instructions)
  for (const file of ['package-lock.json', ...files]) {
    mkdirSync(dirname(join(image, file)), { recursive: true })
    cpSync(join(repositoryRoot, file), join(image, file))
  }
  execFileSync('npm', [...installArguments(instructions), '--loglevel=error'], { cwd: image, stdio: 'inherit' })
  const packages = join(image, 'node_modules')
  for (const name of globSync(removedPackages(instructions), { cwd: packages }))
    rmSync(join(packages, name), { recursive: true })
}

/** As the Dockerfile does; needs a C compiler. */
function compileLibrary(): void {
  const source = join(repositoryRoot, 'containers/media/hide-memory.c')
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-Wall', '-Werror', '-o', library, source])
}

/** Makes the image read-only and the scratch directory writable for all users. */
function makeReadOnly(): void {
  mkdirSync(scratch)
  chmodSync(scratch, 0o777)
  chmodSync(directory, 0o755)
  execFileSync('chmod', ['-R', 'a+rX,a-w', image])
}

/** Runs Node with only the environment variables that the image sets. */
function start(args: string[]) {
  const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  return spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: image,
    env: {
      PATH: '/usr/bin:/bin',
      NODE_ENV: 'production',
      FFMPEG: findFfmpeg(),
      TMPDIR: scratch,
      LD_PRELOAD: library,
      FFMPEG_ISOLATION: 'required',
    },
    encoding: 'utf8',
    timeout: 120_000,
    ...user,
  })
}

/** A program that draws a caption with its font and prints the fingerprint of the tools, which runs the encoder and loads the motion kernel. */
function specimen(): string {
  return `
    import { mkdtempSync, writeFileSync } from 'node:fs'
    import { tmpdir } from 'node:os'
    import { join } from 'node:path'
    import { withCaptionSprites } from ${JSON.stringify(join(image, 'containers/media/render/drawing/captions.ts'))}
    import { rasterise } from ${JSON.stringify(join(image, 'containers/media/render/drawing/raster.ts'))}
    import { toolchainFingerprint } from ${JSON.stringify(join(image, 'containers/media/render/toolchain-fingerprint.ts'))}
    const refused = (() => { try { writeFileSync('written', '') } catch (error) { return error.code } })()
    if (!['EACCES', 'EROFS'].includes(refused)) throw new Error('The image can be written to.')
    const words = [{ punctuated_word: 'golden', startMs: 0, endMs: 500 }]
    const film = { width: 270, height: 480, theme: {}, pages: [{ startMs: 0, endMs: 500, words }] }
    const { sprites } = await withCaptionSprites(film, new AbortController().signal)
    const { pixels } = await rasterise(sprites[0].picture, 1)
    if (!pixels.some((value) => value > 0)) throw new Error('A caption is empty.')
    const directory = mkdtempSync(join(tmpdir(), 'specimen-'))
    process.stdout.write(await toolchainFingerprint({ directory, signal: new AbortController().signal, timeoutMs: 60_000 }))`
}
