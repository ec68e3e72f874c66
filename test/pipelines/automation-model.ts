/**
 * The specification of an automation as a small model; the model-based test compares the service with it. Its zone is
 * UTC, its slots are daily.
 */

export interface ModelClip {
  number: number
  madeAt: string
  isManual: boolean
  job: 'making' | 'ready' | 'failed'
  publish: 'none' | 'armed' | 'open' | 'done' | 'failed'
  armedFor: string | null
  isOver: boolean
  /** Whether the automation published it. */
  isPublished: boolean
  /** Whether it is on a platform. */
  isPosted: boolean
}

interface ModelSlot {
  date: string
  index: number
  at: string
}

const hour = 3_600_000

export class AutomationModel {
  now: string
  exists = true
  isBlueprint = true
  isGenerated = false
  isConfigured = false
  isConnected = true
  status: 'active' | 'paused' = 'active'
  times = ['09:00']
  autoRefill = true
  failures = 0
  wasBlocked = false
  stopped: string | null = null
  cursor: string | null = null
  usedAt = ''
  next: ModelSlot | null = null
  waiting: number | null = null
  runs = 0
  clips = new Map<number, ModelClip>()
  slots: string[] = []
  events: Record<string, number> = {}

  constructor(now: string) {
    this.now = now
    this.#plan(now)
  }

  // Inputs.

  edit(edit: { status?: 'active' | 'paused'; times?: string[]; autoRefill?: boolean; isConfigured?: boolean }): void {
    if (this.next && this.next.at <= this.now) this.decide()
    const isTurned = edit.status !== undefined && edit.status !== this.status
    const isMoved = edit.times !== undefined && edit.times.join() !== this.times.join()
    Object.assign(this, edit)
    if (isTurned && this.status === 'active') Object.assign(this, { failures: 0, wasBlocked: false, stopped: null })
    if (isTurned || isMoved) {
      if (this.next && this.next.at <= this.now) this.#leave(this.next, 'missed')
      this.#plan(this.now)
    }
    if (this.status === 'paused') this.#unschedule()
  }

  promote(isBlueprint: boolean): void {
    if (isBlueprint === this.isBlueprint) return
    this.isBlueprint = isBlueprint
    if (isBlueprint) {
      const fresh = { failures: 0, wasBlocked: false, stopped: null }
      Object.assign(this, { ...fresh, status: 'active' })
      this.#plan(this.now)
    } else {
      Object.assign(this, { status: 'paused', next: null })
      this.#unschedule()
    }
  }

  run(isManual: boolean): void {
    const number = ++this.runs
    const nothing = { armedFor: null, isOver: false, isPublished: false, isPosted: false }
    this.clips.set(number, { number, madeAt: this.now, isManual, job: 'making', publish: 'none', ...nothing })
    if (!isManual) this.waiting = number
    this.#tell('automation.clip_created')
  }

  /** The client publishes a clip that is ready. */
  publishManually(clip: ModelClip): void {
    Object.assign(clip, { publish: 'open', armedFor: null })
  }

  /** Ends the open job of a clip. */
  end(clip: ModelClip, isWell: boolean): void {
    if (clip.publish === 'open') {
      clip.publish = isWell ? 'done' : 'failed'
      clip.isPosted = isWell
      this.#tell(isWell ? 'video.published' : 'video.publish_failed')
    } else clip.job = isWell ? 'ready' : 'failed'
  }

  /** A wake-up arrives, about a clip or about the automation as a whole. */
  wake(number: number | null): void {
    const clip = number === null ? undefined : this.clips.get(number)
    if (this.exists && !this.isBlueprint && clip) this.#leaveAlone(clip)
    if (!this.exists || !this.isBlueprint) return
    if (clip) this.#settle(clip)
    this.decide()
  }

  // Transitions.

  decide(): void {
    while (this.#step());
  }

  isBlocked(): boolean {
    return !this.isConfigured || !this.isConnected || !this.isGenerated
  }

  #step(): boolean {
    const clip = this.waiting === null ? undefined : this.clips.get(this.waiting)
    if (clip && this.#settle(clip)) return true
    if (!this.next) return false
    if (this.next.at > this.now) return this.#prepare(clip, this.next)
    if (this.#isMissed(this.next)) return this.#pass(this.next, 'missed')
    return this.#use(clip, this.next)
  }

  #prepare(clip: ModelClip | undefined, next: ModelSlot): boolean {
    if (!clip) {
      if (!this.autoRefill || this.failures > 0 || this.isBlocked()) return false
      this.run(false)
      return true
    }
    if (clip.armedFor === next.at || clip.publish === 'failed' || clip.publish === 'open') return false
    if (clip.job === 'ready' && !this.#cannotPublish()) {
      Object.assign(clip, { publish: 'armed', armedFor: next.at })
      this.#tell('video.scheduled')
      return true
    }
    return this.#unschedule()
  }

  #use(clip: ModelClip | undefined, slot: ModelSlot): boolean {
    if (this.#cannotPublish()) return this.#block(slot)
    if (clip?.job === 'ready') {
      if (clip.publish === 'open') return false
      this.#publish(clip)
      this.waiting = null
      this.wasBlocked = false
      this.#leave(slot, 'published')
      return true
    }
    if (clip) return false
    if (!this.autoRefill) return this.#block(slot)
    // Waits for the running generation.
    if (!this.isGenerated) return false
    this.run(false)
    return true
  }

  #block(slot: ModelSlot): boolean {
    if (!this.wasBlocked) {
      this.wasBlocked = true
      this.#tell('automation.blocked')
      return this.#pass(slot, 'blocked')
    }
    this.#pass(slot, 'stopped')
    this.#stop(this.isConfigured && !this.isConnected ? 'publish_auth' : 'publish_not_configured')
    return true
  }

  /** Counts a run that has ended, once; publishes a manual one that is ready. */
  #settle(clip: ModelClip): boolean {
    if (clip.isOver || clip.publish === 'open') return false
    const hasFailed = clip.job === 'failed' || (clip.isPublished && clip.publish === 'failed')
    const isNext = clip.isManual && clip.job === 'ready'
    if (hasFailed) this.#count(clip, false)
    else if (clip.isPublished) this.#count(clip, true)
    else if (clip.isPosted) this.#letGo(clip)
    else if (isNext && this.#cannotPublish()) {
      this.#count(clip, false)
      this.#isLost(clip)
    } else if (isNext) this.#publish(clip)
    else return false
    return true
  }

  #publish(clip: ModelClip): void {
    Object.assign(clip, { publish: 'open', armedFor: null, isPublished: true })
  }

  /** The client published it. */
  #letGo(clip: ModelClip): void {
    clip.isOver = true
    if (this.waiting === clip.number) this.waiting = null
  }

  /** It is no longer going to be published. */
  #isLost(clip: ModelClip): void {
    Object.assign(clip, { publish: 'failed', isOver: true })
    this.#tell('video.publish_failed')
  }

  #leaveAlone(clip: ModelClip): void {
    if (clip.isManual && !clip.isOver && clip.job === 'ready' && clip.publish === 'none') this.#isLost(clip)
  }

  #count(clip: ModelClip, isSuccess: boolean): void {
    const isWaiting = this.waiting === clip.number
    clip.isOver = true
    if (clip.publish === 'armed') Object.assign(clip, { publish: 'none', armedFor: null })
    this.failures = isSuccess ? 0 : this.failures + 1
    if (isWaiting) this.waiting = null
    const { next } = this
    if (isWaiting && clip.job === 'failed' && next && next.at <= this.now && !this.#isMissed(next)) {
      this.wasBlocked = false
      this.#leave(next, 'failed')
    }
    if (this.failures >= 5 && this.status === 'active') {
      this.#stop('repeated_failures')
      this.#unschedule()
    }
  }

  #stop(reason: string): void {
    Object.assign(this, { status: 'paused', next: null, stopped: reason })
    this.#tell('automation.stopped')
  }

  #pass(slot: ModelSlot, outcome: string): true {
    this.#leave(slot, outcome)
    this.#unschedule()
    return true
  }

  #leave(slot: ModelSlot, outcome: string): void {
    this.slots.push(`${slot.at} ${outcome}`)
    this.cursor = nameOf(slot)
    this.usedAt = slot.at
    this.#plan(slot.at)
  }

  #unschedule(): boolean {
    const clip = this.waiting === null ? undefined : this.clips.get(this.waiting)
    if (clip?.publish !== 'armed') return false
    Object.assign(clip, { publish: 'none', armedFor: null })
    return true
  }

  #plan(after: string): void {
    this.next = null
    for (
      let day = Date.parse(`${after.slice(0, 10)}T00:00:00Z`);
      this.status === 'active' && !this.next;
      day += 24 * hour
    )
      this.next = this.#slotsOf(day).find(({ at }) => at > after && at > this.usedAt) ?? null
  }

  #slotsOf(day: number): ModelSlot[] {
    const date = new Date(day).toISOString().slice(0, 10)
    return this.times.map((time, index) => ({ date, index, at: `${date}T${time}:00.000Z` }))
  }

  #cannotPublish = () => !this.isConfigured || !this.isConnected
  #isMissed = ({ at }: ModelSlot) => Date.parse(at) + hour <= Date.parse(this.now)
  #tell = (type: string) => {
    this.events[type] = (this.events[type] ?? 0) + 1
  }
}

const nameOf = ({ date, index }: ModelSlot) => `${date}#${index}`
