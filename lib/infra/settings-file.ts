/**
 * The settings of a deployment outside of git: `deployments/STAGE.json`, an object of context values. They replace the
 * defaults of `config.ts`; `-c NAME=VALUE` and `cdk.json` replace them. Ignored by git, so that no upgrade conflicts with them.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Node } from 'constructs'
import { repositoryRoot } from './bundle-paths.ts'
import { settingDefaults } from './setting-defaults.ts'

/** Adds the settings to the context of the app, before its first stack. @throws Error with the path for an invalid file. */
export function applySettingsFile(node: Node, folder = join(repositoryRoot, 'deployments')): void {
  const stage = String(node.tryGetContext('stage') ?? settingDefaults.stage)
  const file = join(folder, `${stage}.json`)
  if (!/^\w+$/.test(stage) || !existsSync(file)) return
  for (const [name, value] of Object.entries(parseSettings(file))) {
    if (name === 'stage') throw new Error(`${file} has the settings of ${stage}: remove \`stage\` from it.`)
    if (node.tryGetContext(name) === undefined) node.setContext(name, value)
  }
}

function parseSettings(file: string): object {
  const settings = parseJson(file)
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings))
    throw new Error(`${file} must be a JSON object of settings, such as {"alarmAddress": "you@example.com"}.`)
  return settings
}

function parseJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(`${file} is no JSON: ${error instanceof Error ? error.message : error}`)
  }
}
