/** An HTTP server for pictures, as a client's own would be, and sample media. */
import type { ServerResponse } from 'node:http'
import { builtInImages } from '../../lib/providers/images/built-in.ts'
import { encodeWav } from '../../lib/render/sound/wav.ts'
import { startTestReceiver } from './receiver.ts'

/** Any picture: no face is detected in it. */
export const portraitPng = async (width = 240, height = 320): Promise<Buffer> => {
  const wish = { prompt: 'mountains', keywords: ['mountains'], mood: null, width, height, seed: 'portrait' }
  return Buffer.from((await builtInImages.draw(wish)).bytes)
}

/** Words of a third of a second with as much rest between them. */
export function speechWav(seconds: number, sampleRate = 16_000): Uint8Array {
  const samples = Int16Array.from({ length: seconds * sampleRate }, (_, at) => {
    const speaks = Math.floor((at / sampleRate) * 3) % 2 === 0
    return speaks ? 9_000 * Math.sin((at * 2 * Math.PI * 180) / sampleRate) : 0
  })
  return encodeWav({ sampleRate, samples })
}

export interface PictureServer {
  url: (path: string) => string
  /** The requested paths, in order. */
  readonly asked: string[]
  close: () => Promise<void>
}

export async function startPictureServer(
  answers: Record<string, (response: ServerResponse) => void>,
): Promise<PictureServer> {
  const receiver = await startTestReceiver()
  receiver.answering = ({ path }, response) => {
    const answer = answers[path]
    if (answer) answer(response)
    else response.writeHead(404).end()
  }
  return {
    url: (path) => receiver.url + path,
    get asked() {
      return receiver.posts.map(({ path }) => path)
    },
    close: receiver.stop,
  }
}
