/** Reads the deployment from its templates, synthesised in a child process without credentials or network. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle } from '../../bin/bundle.ts'
import cdk from '../../cdk.json' with { type: 'json' }
import { apiBundleName, apiFunctions } from '../../lib/infra/api-functions.ts'
import { bundleFolder, functionsFolder, voicesLayerFolder } from '../../lib/infra/bundle-paths.ts'

export interface TemplateResource {
  Type: string
  Properties?: Record<string, unknown>
}

const root = join(import.meta.dirname, '../..')

/** All resources of all stacks, with the default settings: no deployment has this stage. */
export async function synthesizeResources(): Promise<TemplateResource[]> {
  if (![functionsFolder, voicesLayerFolder].every((folderIn) => existsSync(folderIn(bundleFolder)))) await bundle()
  const output = mkdtempSync(join(tmpdir(), 'reelsmith-cost-'))
  try {
    execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, 'bin/app.ts')], {
      cwd: root,
      stdio: 'pipe',
      env: {
        ...process.env,
        CDK_OUTDIR: output,
        CDK_CONTEXT_JSON: JSON.stringify({ ...cdk.context, stage: 'cost', 'aws:cdk:disable-asset-staging': true }),
        // The tests of the stacks validate the templates.
        CDK_VALIDATION: 'false',
      },
    })
    const templates = globSync('*.template.json', { cwd: output }).toSorted()
    return templates.flatMap((file) => {
      const { Resources }: { Resources: Record<string, TemplateResource> } = JSON.parse(
        readFileSync(join(output, file), 'utf8'),
      )
      return Object.values(Resources)
    })
  } finally {
    rmSync(output, { recursive: true, force: true })
  }
}

export interface Sizes {
  /** Megabytes of memory by the name of the handler, such as `api-videos-create`. */
  functions: Map<string, number>
  task: { cpus: number; gigabytes: number; gigabytesOfDisk: number }
  /** Memory of the media function. */
  mediaFunction: { megabytes: number }
}

export function readSizes(resources: readonly TemplateResource[]): Sizes {
  const of = (type: string) => resources.filter(({ Type }) => Type === type).map(({ Properties = {} }) => Properties)
  const [task] = of('AWS::ECS::TaskDefinition') as {
    Cpu: string
    Memory: string
    EphemeralStorage?: { SizeInGiB: number }
  }[]
  if (!task) throw new Error('The deployment has no task.')
  const functions = of('AWS::Lambda::Function') as { Handler?: string; PackageType?: string; MemorySize?: number }[]
  const media = functions.find(({ PackageType }) => PackageType === 'Image')
  if (!media?.MemorySize) throw new Error('The deployment has no media function.')
  const memoryOf = new Map(
    functions.map(({ Handler = '', MemorySize = 128 }) => [Handler.replace(/\.handler$/, ''), MemorySize]),
  )
  const routes = apiFunctions.flatMap(({ name, handlers }) =>
    Object.values(handlers).map((handler) => [`api/${handler}`.replaceAll('/', '-'), apiBundleName(name)] as const),
  )
  return {
    functions: new Map([
      ...memoryOf,
      ...routes.map(([route, name]) => [route, memoryOf.get(name) ?? 128] as [string, number]),
    ]),
    task: {
      cpus: Number(task.Cpu) / 1024,
      gigabytes: Number(task.Memory) / 1024,
      gigabytesOfDisk: task.EphemeralStorage?.SizeInGiB ?? 20,
    },
    mediaFunction: { megabytes: media.MemorySize },
  }
}
