/** Decodes single pictures of a clip with WebCodecs: forward without a gap, elsewhere from the key frame before. */
import type { Mp4Video } from './mp4.ts'
import type { RemoteFile } from './remote-file.ts'

/** Pictures that are decoded ahead; more would only take memory. */
const aheadMax = 8

export class ClipDecoder {
  readonly #video: Mp4Video
  readonly #file: RemoteFile
  /** Presentation times in microseconds, ascending: the number of a picture is its index. */
  readonly #times: number[]
  #decoder: VideoDecoder | undefined
  #failure: unknown
  /** The next sample to decode. */
  #next = 0
  #decoded: VideoFrame[] = []
  #wake = () => {}

  constructor(file: RemoteFile, video: Mp4Video) {
    this.#file = file
    this.#video = video
    this.#times = video.samples.map(timestampOf).toSorted((a, b) => a - b)
  }

  /** The number of the picture that ffmpeg's `fps` filter shows in a frame: the last one that begins by then. */
  pictureAt(frame: number, fps: number): number {
    const after = this.#times.findIndex((time) => Math.round((time * fps) / 1e6) > frame)
    return after === -1 ? this.#times.length - 1 : Math.max(0, after - 1)
  }

  /** Valid until the next call. Rejects where the clip cannot be decoded. */
  async picture(number: number): Promise<VideoFrame> {
    const wanted = this.#times[number]!
    if (!this.#reaches(wanted)) this.#startAt(wanted)
    for (;;) {
      while (this.#decoded.length > 1 && this.#decoded[1]!.timestamp <= wanted) this.#decoded.shift()!.close()
      const [first] = this.#decoded
      if (first && first.timestamp >= wanted) return first
      await this.#decodeMore()
    }
  }

  close(): void {
    this.#reset()
  }

  /** Whether decoding on from here comes to this time sooner than from a key frame. */
  #reaches(wanted: number): boolean {
    const [first] = this.#decoded
    if (first && wanted < first.timestamp) return false
    if (this.#decoded.some(({ timestamp }) => timestamp >= wanted)) return true
    return this.#decoder?.state === 'configured' && this.#keyBefore(wanted) <= this.#next
  }

  #startAt(wanted: number): void {
    this.#reset()
    this.#failure = undefined
    this.#decoder = new VideoDecoder({
      output: (frame) => {
        this.#decoded.push(frame)
        this.#wake()
      },
      error: (failure) => {
        this.#failure = failure
        this.#wake()
      },
    })
    this.#decoder.ondequeue = () => this.#wake()
    const { codec, description, width, height } = this.#video
    this.#decoder.configure({ codec, description, codedWidth: width, codedHeight: height })
    this.#next = this.#keyBefore(wanted)
  }

  #keyBefore(wanted: number): number {
    const { samples } = this.#video
    return Math.max(
      0,
      samples.findLastIndex((sample) => sample.isKey && timestampOf(sample) <= wanted),
    )
  }

  async #decodeMore(): Promise<void> {
    const decoder = this.#decoder!
    if (decoder.state === 'closed') throw this.#failure ?? new RangeError('The clip ends early')
    const { samples } = this.#video
    while (this.#next < samples.length && decoder.decodeQueueSize < aheadMax) {
      const sample = samples[this.#next++]!
      const data = await this.#file.read(sample.offset, sample.size)
      decoder.decode(
        new EncodedVideoChunk({ type: sample.isKey ? 'key' : 'delta', timestamp: timestampOf(sample), data }),
      )
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    if (this.#next < samples.length) await promise
    else {
      await decoder.flush()
      // After a flush, a decoder starts with a key frame again.
      decoder.close()
    }
    if (this.#failure) throw this.#failure
  }

  #reset(): void {
    for (const frame of this.#decoded) frame.close()
    this.#decoded = []
    if (this.#decoder && this.#decoder.state !== 'closed') this.#decoder.close()
    this.#decoder = undefined
  }
}

const timestampOf = ({ seconds }: { seconds: number }) => Math.round(seconds * 1e6)
