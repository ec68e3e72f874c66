/**
 * Everything that the documents for operators reference exists: commands, flags, scripts, values of the context,
 * outputs, links.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { settingDefaults } from '../../lib/infra/setting-defaults.ts'
import packages from '../../package.json' with { type: 'json' }
import { textFlags } from '../../scripts/admin/command.ts'
import { commands } from '../../scripts/admin/commands.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: root })].map((file) => ({ file, text: read(file) }))
const found = (pattern: RegExp) =>
  pages.flatMap(({ file, text }) => Array.from(text.matchAll(pattern), ([, match = '']) => ({ file, match })))

describe('the documents', () => {
  it('name existing operator commands, with existing flags', () => {
    const lines = found(/npm run admin -- ([a-z][^`\n]*)/g)
    expect(lines.length).toBeGreaterThan(10)
    const known = new Set<string>([...textFlags, 'json', 'stack', 'sandbox', 'setting', 'test', 'all', 'default'])
    for (const { file, match } of lines) {
      const name = /^[a-z-]+ [a-z-]+/.exec(match)?.[0] ?? match
      expect(commands, `${file}: ${match}`).toHaveProperty([name])
      const flags = Array.from(match.matchAll(/ --([a-z]+)/g), ([, flag]) => flag!)
      expect(
        flags.filter((flag) => !known.has(flag)),
        `${file}: ${match}`,
      ).toEqual([])
    }
  })

  it('name existing scripts', () => {
    const scripts = found(/npm run ([a-z][\w:-]*)/g)
    expect(scripts.filter(({ match }) => !Object.hasOwn(packages.scripts, match))).toEqual([])
  })

  it('link to existing files', () => {
    const broken = pages.flatMap(({ file, text }) =>
      Array.from(text.matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g), ([, path]) => path!)
        .filter((path) => !existsSync(join(root, dirname(file), path)))
        .map((path) => `${file}: ${path}`),
    )
    expect(broken).toEqual([])
  })
})

describe('docs/operations/deploy.md', () => {
  it('has every value of the context, and no other', () => {
    const [, table = ''] = /## Configuration\n([\s\S]+?)\n## /.exec(read('docs/operations/deploy.md')) ?? []
    const rows = Array.from(table.matchAll(/^\| (`[^|]+) \|/gm), ([, names]) => names!)
    const told = rows.flatMap((names) => Array.from(names.matchAll(/`(\w+)`/g), ([, name]) => name))
    expect(told.toSorted()).toEqual(Object.keys(settingDefaults).toSorted())
  })

  it('names outputs that the stacks have', () => {
    const stacks = globSync('lib/infra/**/*.ts', { cwd: root }).map(read).join('\n')
    const outputs = [
      'ApiUrl',
      'DomainTarget',
      'AlarmTopicArn',
      'DashboardName',
      'PlatformClientsArn',
      'ProviderKeysArn',
    ]
    const text = pages.map((page) => page.text).join('\n')
    for (const output of outputs) {
      expect(text).toContain(`\`${output}\``)
      expect(stacks).toContain(`new CfnOutput(this, '${output}'`)
    }
  })
})
