/** Copies of the service share what holds nothing of their own, and nothing else. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundleService } from './bundle.ts'

const root = join(import.meta.dirname, '../..')

describe('modules of the bundled service', () => {
  it('are shared where they keep no state and take nothing from the simulator', async () => {
    const { shared } = await bundleService()
    expect(shared).toEqual(
      expect.arrayContaining(['valibot', 'lib/domain/core/time.ts', 'lib/domain/videos/revision.ts']),
    )
    expect(shared.length).toBeGreaterThan(150)
  })

  it.each([
    ['takes chance', 'lib/domain/core/mint-id.ts'],
    ['imports a module that takes chance', 'lib/use-cases/accounts/add-profile.ts'],
    ['reads the clock', 'lib/store/core/batch-get.ts'],
    ['keeps counts between calls', 'lib/store/token-buckets.ts'],
  ])('belong to each copy where one %s: %s', async (_, file) => {
    expect(readFileSync(join(root, file), 'utf8')).not.toBe('')
    expect((await bundleService()).shared).not.toContain(file)
  })

  it('have no timer, thread, process or socket of the machine', async () => {
    const { text } = await bundleService()
    const builtIns = [...text.matchAll(/require\("(node:[^"]+)"\)/g)].map(([, name]) => name)
    expect(builtIns).toContain('node:path')
    expect(builtIns.filter((name) => /timers|thread|process|net|tls|http|dns|dgram|perf_hooks/.test(name!))).toEqual([])
  })

  it('belong to each copy where one is mutated or imports the mutated one', async () => {
    const file = 'lib/domain/core/time.ts'
    const [line = ''] = /^export .*$/m.exec(readFileSync(join(root, file), 'utf8')) ?? []
    const { shared, text } = await bundleService({ file, from: line, to: `console.log('mutated')\n${line}` })
    expect(shared).not.toContain(file)
    expect(shared).not.toContain('lib/domain/automations/slot-times.ts')
    expect(text).toContain('console.log("mutated")')
  })
})
