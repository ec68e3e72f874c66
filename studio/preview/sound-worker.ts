/** Mixes the soundtrack of a preview with the modules of the renderer: loudness, music and ducking are the same. */
import { mixSoundtrack } from '../../lib/render/sound/soundtrack.ts'
import type { SoundReply, SoundRequest } from './messages.ts'

const reply = (message: SoundReply, transfer: Transferable[] = []) => self.postMessage(message, { transfer })

self.addEventListener('message', async ({ data: { narrationUrl, music, seconds } }: MessageEvent<SoundRequest>) => {
  try {
    const response = await fetch(narrationUrl)
    if (!response.ok) throw new Error(`The narration cannot be loaded: the server responds with ${response.status}.`)
    const { sampleRate, samples } = mixSoundtrack(new Uint8Array(await response.arrayBuffer()), music, seconds)
    reply({ sampleRate, samples }, [samples.buffer])
  } catch (failure) {
    reply({ failure: failure instanceof Error ? failure.message : String(failure) })
  }
})
