/**
 * `npm run check:container`: lays out the render container as its Dockerfile does, without Docker, and runs it as an unprivileged user with one
 * writable directory. It proves that the image has every file and package that the program loads, that it draws and encodes, and that it renders the
 * same bytes as a task and as a Lambda function.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findFfmpeg } from '../../lib/ffmpeg/binary.ts'
import { repositoryRoot } from '../../lib/infra/bundle-paths.ts'
import { startSandboxes } from '../../local/emulators/lambda-sandboxes.ts'
import { filesInImage, installArguments, modeArguments, readInstructions, removedPackages } from './image.ts'

/** The user id of `nobody`: the container must not run as root, even if this script does. */
const nobody = 65534
const isRoot = process.getuid?.() === 0
const usageCode = 2
const node = [process.execPath, '--disable-warning=ExperimentalWarning']

const directory = mkdtempSync(join(tmpdir(), 'reelsmith-container-'))
const [image, scratch] = [join(directory, 'image'), join(directory, 'scratch')]
const library = join(directory, 'hide-memory.so')
try {
  copyImage()
  compileLibrary()
  makeReadOnly()
  requireReadable()
  const usage = start(['containers/media/main.ts'])
  if (usage.status !== usageCode || !usage.stderr.includes('render-video'))
    throw new Error(`The container does not start:\n${usage.stderr}`)
  const drawn = start(['--input-type=module', '--eval', specimen()])
  if (!/^[0-9a-f]{64}$/.test(drawn.stdout)) throw new Error(`The container does not draw:\n${drawn.stderr}`)
  console.log(`The container starts, draws and encodes as an unprivileged user (tools ${drawn.stdout.slice(0, 12)}).`)
  const { sha256, seconds } = await renderInFunction()
  const task = start(['containers/media/main.ts', 'canary', '-', '-', 'check', sha256])
  if (task.status !== 0)
    throw new Error(`The task does not render what the function renders:\n${task.stderr}${task.stdout}`)
  console.log(
    `It renders the same video as a task and as a function (sha256 ${sha256.slice(0, 12)}, warm in ${seconds.toFixed(1)} s).`,
  )
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
  execFileSync('chmod', modeArguments(instructions), { cwd: image })
  // Packages are installed with the umask of the image, not with that of this shell.
  process.umask(0o022)
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
  execFileSync('chmod', ['-R', 'a-w', image])
}

/** Fails on a file that only its owner can read, which the user of a task or a function is not. */
function requireReadable(): void {
  const isHidden = ['(', '-type', 'f', '!', '-perm', '-o=r', ')', '-o', '(', '-type', 'd', '!', '-perm', '-o=rx', ')']
  const hidden = execFileSync('find', [image, ...isHidden], { encoding: 'utf8' })
  if (hidden) throw new Error(`The image has files that its user cannot read:\n${hidden}`)
}

/** Invokes the function twice through the runtime API, of which the second invocation is warm. */
async function renderInFunction(): Promise<{ sha256: string; seconds: number }> {
  const variables = Object.entries(imageEnvironment()).map(([name, value]) => `${name}=${value}`)
  const user = isRoot ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : []
  // Only the variables of the image and the one that Lambda adds.
  const clean = ['sh', '-c', 'exec env -i AWS_LAMBDA_RUNTIME_API="$AWS_LAMBDA_RUNTIME_API" "$@"', 'sh', ...variables]
  const sandboxes = startSandboxes({
    command: [...user, ...clean, ...node, join(image, 'containers/media/function.ts')],
    directory: join(directory, 'sandboxes'),
    timeoutMs: 180_000,
    onLine: (line) => console.error(line),
  })
  const render = async () => {
    const event = { command: ['canary', '-', '-', 'check'] }
    const { outcome, result } = (await sandboxes.invoke(event)) as { outcome: string; result: { sha256: string } }
    if (outcome !== 'done') throw new Error(`The function does not render: ${outcome}.`)
    return result.sha256
  }
  try {
    const first = await render()
    const startedAt = performance.now()
    const second = await render()
    if (first !== second) throw new Error('A warm function renders other bytes.')
    return { sha256: second, seconds: (performance.now() - startedAt) / 1000 }
  } finally {
    await sandboxes.stop()
  }
}

/** The environment variables that the image sets. */
function imageEnvironment() {
  return {
    PATH: '/usr/bin:/bin',
    NODE_ENV: 'production',
    FFMPEG: findFfmpeg(),
    TMPDIR: scratch,
    LD_PRELOAD: library,
    FFMPEG_ISOLATION: 'required',
  }
}

/** Runs Node with only the environment variables that the image sets. */
function start(args: string[]) {
  const user = isRoot ? { uid: nobody, gid: nobody } : {}
  return spawnSync(node[0]!, [...node.slice(1), ...args], {
    cwd: image,
    env: imageEnvironment(),
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
    import { drawSprites } from ${JSON.stringify(join(image, 'lib/render/drawing/draw-sprites.ts'))}
    import { installedAssets } from ${JSON.stringify(join(image, 'containers/media/render/drawing-assets.ts'))}
    import { rasterise } from ${JSON.stringify(join(image, 'containers/media/render/rasterise.ts'))}
    import { toolchainFingerprint } from ${JSON.stringify(join(image, 'containers/media/render/toolchain-fingerprint.ts'))}
    const refused = (() => { try { writeFileSync('written', '') } catch (error) { return error.code } })()
    if (!['EACCES', 'EROFS'].includes(refused)) throw new Error('The image can be written to.')
    const words = [{ punctuated_word: 'golden', startMs: 0, endMs: 500 }]
    const film = { width: 270, height: 480, theme: {}, pages: [{ startMs: 0, endMs: 500, words }] }
    const { sprites } = await drawSprites(film, installedAssets)
    const { pixels } = await rasterise(sprites[0].picture, 1)
    if (!pixels.some((value) => value > 0)) throw new Error('A caption is empty.')
    const directory = mkdtempSync(join(tmpdir(), 'specimen-'))
    process.stdout.write(await toolchainFingerprint({ directory, signal: new AbortController().signal, timeoutMs: 60_000 }))`
}
