/** Saves the render of a video as a file. */
import type { Client } from '../../packages/client/index.js'

/** Media are on another origin, where an attribute `download` has no effect: the file is read first. */
export async function downloadRender(client: Client, videoId: string, title: string): Promise<void> {
  const { url } = await client.videos.download(videoId)
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The file could not be read (${response.status}). Try again.`)
  const href = URL.createObjectURL(await response.blob())
  Object.assign(document.createElement('a'), { href, download: `${title}.mp4` }).click()
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
