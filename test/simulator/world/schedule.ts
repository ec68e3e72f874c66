/**
 * Virtual time and the tasks in it. Everything that happens is an event at a virtual time: the loop runs them one by
 * one, and waits after each until the code that it woke has nothing left to do but wait for another event.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

interface Event {
  at: number
  order: number
  run: () => void
}

/** One process that runs functions: a crash ends everything in it. */
export interface Instance {
  readonly id: number
  readonly tasks: Set<Task>
  isDead: boolean
}

/** One call of a function. */
export interface Task {
  readonly name: string
  readonly id: number
  readonly instance: Instance
  /** Ends the task for whoever waits for it. */
  readonly fail: (error: Error) => void
}

export const isRunning = (task: Task): boolean => !task.instance.isDead && task.instance.tasks.has(task)

/** Turns of the event loop that are queued together: a turn alone costs a call of the system. */
const turnsAhead = 64

/**
 * Calls a function outside all tasks. `AsyncLocalStorage.run` leaves its key behind in the frame of its caller, and each run copies
 * that frame: it would grow with every process of every seed.
 */
const outsideTasks = AsyncLocalStorage.snapshot()

export class Crashed extends Error {
  override name = 'Crashed'
}

export type Schedule = ReturnType<typeof createSchedule>

export function createSchedule(startAt: number) {
  const heap: Event[] = []
  const currentTask = new AsyncLocalStorage<Task>()
  let now = startAt
  let order = 0
  let counted = 0

  function push(event: Event): void {
    let child = heap.push(event) - 1
    while (child > 0) {
      const parent = (child - 1) >> 1
      if (!isBefore(event, heap[parent]!)) break
      heap[child] = heap[parent]!
      child = parent
    }
    heap[child] = event
  }

  function pop(): Event {
    const top = heap[0]!
    const last = heap.pop()!
    if (heap.length > 0) {
      let parent = 0
      for (;;) {
        let child = 2 * parent + 1
        if (child >= heap.length) break
        if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++
        if (!isBefore(heap[child]!, last)) break
        heap[parent] = heap[child]!
        parent = child
      }
      heap[parent] = last
    }
    return top
  }

  let turns = 0
  let onTurn: (() => void) | undefined
  const turn = () => {
    turns--
    onTurn?.()
  }

  /** All code that can run has run before this resolves: between two turns, Node runs all jobs and ticks. */
  const settle = () =>
    new Promise<void>((resolve) => {
      onTurn = resolve
      if (turns > 0) return
      turns = turnsAhead
      for (let index = 0; index < turnsAhead; index++) setImmediate(turn)
    })

  return {
    currentTask,
    now: () => now,
    /** Runs once at a time; at once, but never synchronously, for a time that has passed. */
    at: (time: number, run: () => void) => push({ at: Math.max(time, now), order: order++, run }),
    get isEmpty() {
      return heap.length === 0
    },
    get next() {
      return heap[0]?.at
    },
    get events() {
      return counted
    },
    sleep(ms: number): Promise<void> {
      return new Promise((resolve) => push({ at: now + Math.max(ms, 0), order: order++, run: resolve }))
    },
    /** A timer of the service: it dies with the process that set it. */
    setTimeout(run: () => void, ms: number): { cancel: () => void } {
      const task = currentTask.getStore()
      let isCancelled = false
      const fire = () => {
        if (isCancelled || task?.instance.isDead) return
        if (task) currentTask.run(task, run)
        else run()
      }
      push({ at: now + Math.max(ms, 0), order: order++, run: fire })
      return {
        cancel: () => {
          isCancelled = true
        },
      }
    },
    /** Runs the next event; false where there is none. */
    async step(): Promise<boolean> {
      if (heap.length === 0) return false
      const { at, run } = pop()
      now = at
      counted++
      outsideTasks(run)
      await settle()
      return true
    },
    settle,
  }
}

const isBefore = (a: Event, b: Event) => a.at < b.at || (a.at === b.at && a.order < b.order)
