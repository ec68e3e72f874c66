/** The order of container tasks between workspaces, and of requests between clients. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { limit } from '../../lib/async.ts'
import { type FairLimit, fairLimit, type SharedThread, shareThread } from '../../local/fair-limit.ts'

/** A limit whose calls end by hand, and the order in which they started. */
function given(max: number) {
  const limited = fairLimit(max)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const send = (owner: string, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const name = `${owner}${index}`
      return limited(owner, () => {
        started.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      })
    })
  const end = async (name: string) => {
    ends.get(name)!()
    await new Promise(setImmediate)
  }
  return { send, started, end }
}

const settle = () => new Promise(setImmediate)

/** The thread is busy all the time. */
const limitPerOwner = (max: number, turnMs: number) => shareThread(max, turnMs, () => performance.now()).run

describe('a fair limit', () => {
  it('runs at most so many calls at once', async () => {
    const { send, started } = given(2)
    send('a', 5)
    await settle()
    expect(started).toEqual(['a0', 'a1'])
  })

  it('serves a neighbour next, however many calls another owner has sent before', async () => {
    const { send, started, end } = given(2)
    send('a', 40)
    send('b', 2)
    await settle()
    await end('a0')
    await end('a1')
    expect(started).toEqual(['a0', 'a1', 'b0', 'a2'])
  })

  it('lets owners take turns, and keeps the order of each', async () => {
    const { send, started, end } = given(1)
    send('a', 3)
    send('b', 3)
    send('c', 1)
    await settle()
    for (const name of ['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'b2']) await end(name)
    expect(started).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'b2'])
  })

  it('goes on after a call that fails', async () => {
    const limited = fairLimit(1)
    await expect(limited('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    expect(await limited('a', async () => 'done')).toBe('done')
  })
})

describe('a limit per owner', () => {
  it('runs so many calls of an owner at once, in their order; another owner does not wait', async () => {
    const limited = limitPerOwner(2, 60_000)
    const started: string[] = []
    const ends: (() => void)[] = []
    const call = (owner: string, name: string) =>
      limited(owner, () => {
        started.push(name)
        return new Promise<void>((resolve) => ends.push(resolve))
      })
    const calls = [...['a0', 'a1', 'a2', 'a3'].map((name) => call('a', name)), call('b', 'b0')]
    await settle()
    expect(started).toEqual(['a0', 'a1', 'b0'])
    ends[0]!()
    await settle()
    expect(started).toEqual(['a0', 'a1', 'b0', 'a2'])
    while (started.length < calls.length || ends.length > 0) {
      ends.shift()?.()
      await settle()
    }
    await Promise.all(calls)
    expect(started.at(-1)).toBe('a3')
  })

  it('refuses an owner that has 500 calls waiting, and no other one', async () => {
    const limited = limitPerOwner(2, 60_000)
    const { promise, resolve } = Promise.withResolvers<void>()
    const calls = Array.from({ length: 502 }, () => limited('a', () => promise))
    await expect(limited('a', () => promise)).rejects.toThrow('500 calls of this owner wait already.')
    const other = limited('b', async () => 'done')
    resolve()
    expect(await other).toBe('done')
    await Promise.all(calls)
    expect(await limited('a', async () => 'done')).toBe('done')
  })

  it('does not count a call that takes longer than its turn, and passes a failure on', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const limited = limitPerOwner(1, 500)
      const waits = Promise.withResolvers<string>()
      const waiting = limited('a', () => waits.promise)
      const failing = limited('a', async () => {
        throw new Error('failed')
      })
      const failed = expect(failing).rejects.toThrow('failed')
      await vi.advanceTimersByTimeAsync(500)
      await failed
      waits.resolve('done')
      expect(await waiting).toBe('done')
    } finally {
      vi.useRealTimers()
    }
  })

  describe('on a machine of one thread', () => {
    beforeEach(
      () =>
        void vi.useFakeTimers({
          toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
        }),
    )
    afterEach(() => void vi.useRealTimers())

    const call = (limited: FairLimit, owner: string, ms: number) =>
      limited(owner, () => new Promise<void>((resolve) => setTimeout(resolve, ms)))

    /** Calls of 100 ms that an owner has had after 10 s, when it sends them without a pause. */
    function callsOf(limited: FairLimit, owner: string): () => number {
      let count = 0
      for (let index = 0; index < 200; index++) call(limited, owner, 100).then(() => count++)
      return () => count
    }

    it('an owner that is alone has the whole machine', async () => {
      const count = callsOf(limitPerOwner(1, 500), 'a')
      await vi.advanceTimersByTimeAsync(10_000)
      expect(count()).toBe(100)
    })

    it('an owner that floods has an equal share of it, and its neighbour does not wait', async () => {
      const limited = limitPerOwner(1, 500)
      const count = callsOf(limited, 'flood')
      const latencies: number[] = []
      for (let second = 0; second < 10; second++) {
        const sentAt = performance.now()
        call(limited, 'neighbour', 100).then(() => latencies.push(performance.now() - sentAt))
        await vi.advanceTimersByTimeAsync(1_000)
      }
      expect(latencies).toEqual(Array(10).fill(100))
      expect(count()).toBeGreaterThan(45)
      expect(count()).toBeLessThan(60)
    })

    it('charges no time in which the thread is idle', async () => {
      const { run } = shareThread(1, 500, () => performance.now() / 2)
      for (let second = 0; second < 10; second++) setTimeout(() => call(run, 'neighbour', 100), second * 1_000)
      const count = callsOf(run, 'flood')
      await vi.advanceTimersByTimeAsync(10_000)
      expect(count()).toBe(100)
    })

    /** Sends a command every 20 ms, as a call between which it waits for the emulators. */
    const sendCommands = async (thread: SharedThread, commands: number, onCommand = () => {}): Promise<void> => {
      for (let sent = 0; sent < commands; sent++) {
        await thread.send(() => new Promise((resolve) => setTimeout(resolve, 20)))
        onCommand()
      }
    }

    /** Commands that a call of the owner has sent after so many milliseconds. */
    function commandsOf(thread: SharedThread, owner: string): () => number {
      let count = 0
      thread.charge(owner, () => sendCommands(thread, 1_000, () => count++))
      return () => count
    }

    it('charged calls run at once, and take from the share of their owner', async () => {
      const thread = shareThread(1, 500, () => performance.now())
      callsOf(thread.run, 'client')
      await vi.advanceTimersByTimeAsync(10)
      let ended = 0
      for (let index = 0; index < 4; index++)
        thread.charge('deliveries', () => sendCommands(thread, 1)).then(() => ended++)
      await vi.advanceTimersByTimeAsync(20)
      expect(ended).toBe(4)
      let sent = 0
      thread.charge('deliveries', () => sendCommands(thread, 20, () => sent++))
      await vi.advanceTimersByTimeAsync(400)
      // A lease runs meanwhile: its commands do not wait, however far it is over its share.
      expect(sent).toBe(20)
      let hasShare = false
      thread.awaitShare('deliveries').then(() => {
        hasShare = true
      })
      await vi.advanceTimersByTimeAsync(0)
      expect(hasShare).toBe(false)
      await vi.advanceTimersByTimeAsync(1_000)
      expect(hasShare).toBe(true)
    })

    it('calls that have begun wait with their commands, too, so that the neighbour of many has its share', async () => {
      const thread = shareThread(9, 60_000, () => performance.now())
      const oneAtATime = limit(1)
      const sent = { flood: 0, neighbour: 0 }
      const sendForever = async (owner: keyof typeof sent): Promise<void> => {
        for (;;) {
          await thread.send(() => oneAtATime(() => new Promise((resolve) => setTimeout(resolve, 20))))
          sent[owner]++
        }
      }
      for (let call = 0; call < 9; call++) thread.run('flood', () => sendForever('flood'))
      thread.run('neighbour', () => sendForever('neighbour'))
      await vi.advanceTimersByTimeAsync(10_000)
      // Without a share, each of the ten calls would have sent 50.
      expect(sent.neighbour).toBeGreaterThan(150)
      expect(sent.flood + sent.neighbour).toBeGreaterThan(350)
    })

    it('charges no call for the time in which others send commands and it waits', async () => {
      const thread = shareThread(1, 60_000, () => performance.now())
      commandsOf(thread, 'flood')
      thread.run('neighbour', () => new Promise((resolve) => setTimeout(resolve, 2_000)))
      await vi.advanceTimersByTimeAsync(2_010)
      const sentAt = performance.now()
      let latency = 0
      call(thread.run, 'neighbour', 100).then(() => {
        latency = performance.now() - sentAt
      })
      await vi.advanceTimersByTimeAsync(1_000)
      expect(latency).toBe(100)
    })

    it('commands outside of any call never wait', async () => {
      const thread = shareThread(1, 500, () => performance.now())
      for (const owner of ['a', 'b']) commandsOf(thread, owner)
      let sent = 0
      sendCommands(thread, 100, () => sent++)
      await vi.advanceTimersByTimeAsync(2_000)
      expect(sent).toBe(100)
    })

    it('waits for a share that takes longer than an owner stays active', async () => {
      const thread = shareThread(1, 60_000, () => performance.now())
      const callAll = () => {
        for (let neighbour = 0; neighbour < 20; neighbour++) call(thread.run, `neighbour ${neighbour}`, 1)
      }
      callAll()
      const calls = setInterval(callAll, 1_000)
      call(thread.charge, 'deliveries', 500)
      await vi.advanceTimersByTimeAsync(500)
      let hasShare = false
      thread.awaitShare('deliveries').then(() => {
        hasShare = true
      })
      await vi.advanceTimersByTimeAsync(6_000)
      expect(hasShare).toBe(false)
      await vi.advanceTimersByTimeAsync(6_000)
      expect(hasShare).toBe(true)
      clearInterval(calls)
    })

    it('an owner has the whole machine again when its neighbour has been idle for five seconds', async () => {
      const limited = limitPerOwner(1, 500)
      await Promise.all([call(limited, 'neighbour', 100), vi.advanceTimersByTimeAsync(100)])
      const count = callsOf(limited, 'flood')
      await vi.advanceTimersByTimeAsync(6_000)
      const shared = count()
      await vi.advanceTimersByTimeAsync(4_000)
      expect(shared).toBeLessThan(45)
      expect(count() - shared).toBe(40)
    })
  })
})
