import { existsSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { expect, test } from 'vitest'
import { startChild, superviseChild } from '../../local/processes.ts'
import { waitFor } from '../support/wait-for.ts'
import { isAlive, memoryLog } from './support/fixtures.ts'

const WITH_GRANDCHILD = ['sh', '-c', 'sleep 60 & echo $!; wait']

const startWithGrandchild = async () => {
  const lines: string[] = []
  const child = startChild(WITH_GRANDCHILD, { onLine: (line) => lines.push(line) })
  const grandchild = Number(await waitFor('the grandchild has told its pid', () => lines[0]))
  return { child, grandchild }
}

test('stopping a child ends its grandchildren too', async () => {
  const { child, grandchild } = await startWithGrandchild()
  await child.stop()
  expect(await child.exited).toEqual({ code: null, signal: 'SIGTERM' })
  await waitFor('the grandchild is gone', () => !isAlive(grandchild))
})

test('a child in the background has a lower priority than this process, any other the same', async () => {
  const children = [true, false].map((isBackground) => startChild(['sleep', '60'], { isBackground }))
  expect(children.map(({ pid }) => getPriority(pid))).toEqual([Math.min(getPriority() + 10, 19), getPriority()])
  await Promise.all(children.map((child) => child.stop(0)))
})

test.skipIf(!existsSync('/proc/self/autogroup'))(
  'the session of a child in the background has a lower priority, however many start at once',
  async () => {
    const children = [1, 2, 3].map(() => startChild(['sleep', '60'], { isBackground: true }))
    const other = startChild(['sleep', '60'])
    const nicenessOf = ({ pid }: { pid: number }) =>
      readFileSync(`/proc/${pid}/autogroup`, 'utf8').trim().split(' ').at(-1)
    await waitFor('every session has it', () => children.every((child) => nicenessOf(child) === '10'))
    expect(nicenessOf(other)).toBe('0')
    await Promise.all([...children, other].map((child) => child.stop(0)))
  },
)

test('a child that ignores SIGTERM is killed after its grace period', async () => {
  const lines: string[] = []
  const child = startChild(['sh', '-c', 'trap "" TERM; echo ready; sleep 60 & wait'], {
    onLine: (line) => lines.push(line),
  })
  await waitFor('the trap is set', () => lines[0])
  await child.stop(50)
  expect((await child.exited).signal).toBe('SIGKILL')
})

test('a parent killed with SIGKILL takes its children and grandchildren with it', async () => {
  const script = `
    const { startChild } = await import(${JSON.stringify(new URL('../../local/processes.ts', import.meta.url).href)})
    const child = startChild(${JSON.stringify(WITH_GRANDCHILD)}, { onLine: (line) => console.log(line) })
    console.log(child.pid)`
  const pids: number[] = []
  const parent = startChild([process.execPath, '--input-type=module', '-e', script], {
    onLine: (line) => pids.push(Number(line)),
  })
  await waitFor('both pids are known', () => pids.length === 2)
  process.kill(parent.pid, 'SIGKILL')
  await waitFor('child and grandchild are gone', () => !pids.some(isAlive))
})

test('the exit code and a missing program are reported', async () => {
  expect(await startChild(['sh', '-c', 'exit 7']).exited).toEqual({ code: 7, signal: null })
  expect(await startChild(['/no/such/program']).exited).toEqual({ code: 127, signal: null })
})

test('a supervised process is restarted after a crash, and not after it was stopped', async () => {
  const { lines, log } = memoryLog()
  const kept = superviseChild('sleeper', () => startChild(['sleep', '60']), log)
  const first = kept.pid
  process.kill(first, 'SIGKILL')
  await waitFor('another process runs', () => kept.pid !== first && isAlive(kept.pid))
  expect(lines).toEqual(['sleeper exited (SIGKILL), restarting it'])
  const second = kept.pid
  await kept.stop()
  expect(isAlive(second)).toBe(false)
  expect(kept.pid).toBe(second)
})
