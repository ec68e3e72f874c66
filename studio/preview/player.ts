/**
 * The transport of a preview: plays, pauses and seeks. Sound is the clock, so that picture and sound cannot drift; a
 * frame that is not drawn in time is skipped.
 */
import type { PreviewVideo } from './composition.ts'
import type { PreviewReply, PreviewRequest, PreviewTiming, SoundReply, SoundRequest } from './messages.ts'

export interface PlayerEvents {
  onTiming(timing: PreviewTiming): void
  /** The frame on the screen, and the edit that it shows. */
  onFrame(frame: number, revision: number): void
  onPlaying(isPlaying: boolean): void
  onSound(state: 'mixing' | 'ready' | 'missing'): void
  onFailure(message: string): void
}

export interface PlayerOptions {
  /** URL of the folder of `asset-files.ts`, with a slash at its end. */
  assets: string
  /** URLs of the bundled `worker.ts` and `sound-worker.ts`. */
  workers: { picture: string; sound: string }
  /** Pixels across the shorter side; default 540. */
  shortSide?: number
}

export interface Player {
  /** Shows another state of the video. Returns its revision, which `onFrame` reports once it is visible. */
  show(video: PreviewVideo): number
  play(): void
  pause(): void
  seek(frame: number): void
  readonly frame: number
  readonly isPlaying: boolean
  close(): void
}

export function createPlayer(canvas: HTMLCanvasElement, options: PlayerOptions, events: PlayerEvents): Player {
  const worker = new Worker(options.workers.picture, { type: 'module' })
  const sound = createSound(options.workers.sound, events)
  const post = (request: PreviewRequest, transfer: Transferable[] = []) => worker.postMessage(request, transfer)
  const offscreen = canvas.transferControlToOffscreen()
  post({ kind: 'open', assets: options.assets, canvas: offscreen, shortSide: options.shortSide ?? 540 }, [offscreen])

  let revision = 0
  let frame = 0
  let timing: PreviewTiming | undefined
  /** The request that the worker is drawing. */
  let drawing: number | undefined
  let isPlaying = false
  let tick = 0

  const draw = (wanted: number) => {
    frame = wanted
    drawing = wanted
    post({ kind: 'draw', frame: wanted })
  }
  const stop = () => {
    cancelAnimationFrame(tick)
    if (!isPlaying) return
    isPlaying = false
    sound.stop()
    events.onPlaying(false)
  }
  const advance = () => {
    if (!timing) return stop()
    const due = Math.floor(sound.seconds() * timing.fps)
    if (due >= timing.frames) {
      stop()
      return draw(timing.frames - 1)
    }
    if (drawing === undefined && due !== frame) draw(due)
    tick = requestAnimationFrame(advance)
  }
  worker.addEventListener('message', ({ data }: MessageEvent<PreviewReply>) => {
    if (data.kind === 'failed') {
      drawing = undefined
      events.onFailure(data.message)
    }
    if (data.kind === 'planned') {
      const isOther = JSON.stringify(timing?.sound) !== JSON.stringify(data.timing.sound)
      timing = data.timing
      events.onTiming(timing)
      if (isOther) sound.load(timing.sound)
      draw(Math.min(frame, timing.frames - 1))
    }
    if (data.kind === 'drawn') {
      drawing = undefined
      events.onFrame(data.frame, data.revision)
    }
  })
  worker.addEventListener('error', ({ message }) => events.onFailure(message || 'The preview stopped.'))
  return {
    get frame() {
      return frame
    },
    get isPlaying() {
      return isPlaying
    },
    show: (video) => {
      revision++
      post({ kind: 'show', video, revision })
      return revision
    },
    play: () => {
      if (isPlaying || !timing) return
      if (frame >= timing.frames - 1) frame = 0
      isPlaying = true
      sound.start(frame / timing.fps)
      events.onPlaying(true)
      tick = requestAnimationFrame(advance)
    },
    pause: stop,
    seek: (wanted) => {
      const last = (timing?.frames ?? 1) - 1
      const target = Math.max(0, Math.min(last, Math.round(wanted)))
      if (isPlaying && timing) sound.start(target / timing.fps)
      draw(target)
    },
    close: () => {
      stop()
      worker.terminate()
      sound.close()
    },
  }
}

/** Plays the soundtrack, and is the clock where there is none yet. */
function createSound(workerUrl: string, { onSound }: PlayerEvents) {
  const context = new AudioContext()
  let worker: Worker | undefined
  let track: AudioBuffer | undefined
  let source: AudioBufferSourceNode | undefined
  /** The position at a time of the context, while playing. */
  let started: { position: number; at: number } | undefined

  const seconds = () => (started ? started.position + Math.max(0, context.currentTime - started.at) : 0)
  const silence = () => {
    source?.stop()
    source?.disconnect()
    source = undefined
  }
  const sing = (position: number) => {
    silence()
    if (!track || position >= track.duration) return
    source = context.createBufferSource()
    source.buffer = track
    source.connect(context.destination)
    source.start(0, position)
  }
  return {
    seconds,
    load: (request: SoundRequest) => {
      worker?.terminate()
      worker = new Worker(workerUrl, { type: 'module' })
      onSound('mixing')
      worker.addEventListener('message', ({ data }: MessageEvent<SoundReply>) => {
        if ('failure' in data) return onSound('missing')
        track = context.createBuffer(1, Math.max(1, data.samples.length), data.sampleRate)
        track.copyToChannel(
          Float32Array.from(data.samples, (sample) => sample / 32_768),
          0,
        )
        onSound('ready')
        if (started) sing(seconds())
      })
      worker.postMessage(request)
    },
    start: (position: number) => {
      // A context that was made before the first gesture of the user is suspended.
      void context.resume()
      started = { position, at: context.currentTime }
      sing(position)
    },
    stop: () => {
      started = undefined
      silence()
    },
    close: () => {
      worker?.terminate()
      void context.close()
    },
  }
}
