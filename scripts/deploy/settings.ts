/** Reads the settings of a deployment as its synthesis does, without a synthesis. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { RootConstruct } from 'constructs'
import { repositoryRoot } from '../../lib/infra/bundle-paths.ts'
import { readConfig } from '../../lib/infra/config.ts'
import { applySettingsFile } from '../../lib/infra/settings-file.ts'

/** `words`: the arguments of `cdk deploy`. `folder`: of the settings files. @throws Error for an invalid setting. */
export function readSettings(words: readonly string[], folder?: string) {
  const { values } = parseArgs({
    args: [...words],
    // The other options are the CDK's.
    strict: false,
    options: { context: { type: 'string', short: 'c', multiple: true }, profile: { type: 'string' } },
  })
  const { node } = new RootConstruct()
  for (const [name, value] of Object.entries(contextOfProject())) node.setContext(name, value)
  for (const setting of values.context ?? []) {
    const [name = '', ...value] = String(setting).split('=')
    node.setContext(name, value.join('='))
  }
  applySettingsFile(node, folder)
  const { stage, region, concurrency } = readConfig(node)
  return { stage, region, concurrency, profile: values.profile === undefined ? undefined : String(values.profile) }
}

const contextOfProject = (): object => JSON.parse(readFileSync(join(repositoryRoot, 'cdk.json'), 'utf8')).context
