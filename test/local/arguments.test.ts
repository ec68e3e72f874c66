import { describe, expect, it } from 'vitest'
import { startArguments, usage } from '../../local/arguments.ts'

describe('the arguments of npm start', () => {
  it.each([
    [['--find-servers'], { help: false, findServers: true }],
    [['--find-servers', '--help'], { help: true, findServers: true }],
    [['-h'], { help: true, findServers: false }],
    [[], { help: false, findServers: false }],
  ])('%j', (args, expected) => {
    expect(startArguments(args)).toEqual(expected)
  })

  it.each(['--port=1', '-p', 'serve'])('%s is refused in one sentence that names it', (argument) => {
    expect(() => startArguments(['--find-servers', argument])).toThrow(
      `it has no argument ${argument}. npm start -- --help shows its settings.`,
    )
  })

  it('the usage names every setting', () => {
    for (const name of ['PORT', 'DATA_DIR', 'TIME_SCALE', 'LOG', 'MAKERS', 'PROVIDERS'])
      expect(usage).toMatch(new RegExp(`^    ${name} `, 'm'))
  })
})
