/** What an operator reads: the results of admin commands as text, the help, and refused arguments. */
import { describe, expect, it } from 'vitest'
import { refuseUnknownSettings } from '../../lib/platforms/account-settings.ts'
import { commands } from '../../scripts/admin/commands.ts'
import { helpText, parseAdminArguments } from '../../scripts/admin/parse-arguments.ts'
import { formatResult } from '../../scripts/admin/print-result.ts'

describe('a result', () => {
  it('that is a record has a row for each field, in their order and without quotes', () => {
    const record = { id: 'wsp_1', name: 'Ada "A"', clock: undefined, limits: { reads: 600 }, endsAt: null, none: {} }
    expect(formatResult(record)).toBe('id: wsp_1\nname: Ada "A"\nlimits.reads: 600\nendsAt: -\nnone: -')
  })

  it('that is a list is one table with aligned columns, also where rows have different fields', () => {
    const rows = [
      { id: 'a', enabled: true, events: ['x', 'y'] },
      { id: 'long', enabled: false, events: [], accounts: [{ id: 'acc_1' }] },
    ]
    expect(formatResult(rows)).toBe(
      ['id    enabled  events  accounts', 'a     true     x, y    -', 'long  false    none    1'].join('\n'),
    )
  })

  it('with a list of records has it as a table below its rows', () => {
    expect(formatResult({ id: 'prf_1', accounts: [{ id: 'acc_1' }], isDefault: true, others: [] })).toBe(
      'id: prf_1\nisDefault: true\nothers: none\n\naccounts:\nid\nacc_1',
    )
  })

  it('that is an empty list is a sentence, for every command that lists', () => {
    expect(formatResult([], 'No keys.')).toBe('No keys.')
    const lists = Object.entries(commands).filter(([name]) => /( list| deliveries)$/.test(name))
    for (const [name, { empty }] of lists) expect(empty, name).toMatch(/^No .+\.$/)
  })

  it('never controls the terminal', () => {
    expect(formatResult({ name: 'a\u001b[2J\nb' })).toBe('name: a [2J b')
  })
})

describe('the help', () => {
  it('describes each command in one line', () => {
    const help = helpText()
    for (const [name, { summary }] of Object.entries(commands)) {
      expect(summary, name).toMatch(/^[A-Z].{10,110}\.$/)
      expect(help).toContain(`\n      ${summary}`)
    }
    for (const words of [[], ['help'], ['--help'], ['key', 'list', '--help']])
      expect(parseAdminArguments(words)).toMatchObject({ isHelp: true, run: undefined })
  })
})

describe('an argument', () => {
  it('of another command is refused, instead of being ignored', () => {
    expect(() => parseAdminArguments(['workspace', 'list', '--name', 'x'])).toThrow('workspace list takes no --name.')
  })

  it.each([
    ['pinterest', { board: 'A' }, undefined],
    ['pinterest', { privacy: '' }, undefined],
    ['pinterest', { privacy: 'public' }, 'Pinterest has no setting privacy. It has board.'],
    ['bluesky', { board: 'A' }, 'Bluesky has no setting board. It has none.'],
    ['youtube', { privacy: 'PUBLIC' }, 'privacy must be one of public, unlisted, private.'],
    ['tiktok', { duet: 'off', comments: 'no' }, 'comments must be one of on, off.'],
  ] as const)('that is a setting of %s is checked against the platform: %j', (platform, edit, message) => {
    const check = () => refuseUnknownSettings(platform, edit)
    if (message) expect(check).toThrow(message)
    else expect(check).not.toThrow()
  })
})
