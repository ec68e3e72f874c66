/** The commands of package.json: each is documented once, and each sets up the checkout first. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import packages from '../../package.json' with { type: 'json' }

const page = readFileSync(new URL('../../docs/commands.md', import.meta.url), 'utf8')

it('docs/commands.md has one row for every command', () => {
  const rows = Array.from(page.matchAll(/^\| `npm (?:run (?:--silent )?)?([\w:-]+)/gm), ([, name]) => name!)
  expect(rows.toSorted()).toEqual(Object.keys(packages.scripts).toSorted())
})

it('every command goes through scripts/run.sh, and none has a hook', () => {
  for (const [name, command] of Object.entries(packages.scripts)) {
    expect(packages.scripts, `${name} has a hook`).not.toHaveProperty([`pre${name}`])
    for (const part of command.split(' && '))
      expect(part, name).toMatch(/^([A-Z]+=\w+ )*(exec )?bash scripts\/run\.sh /)
  }
})
