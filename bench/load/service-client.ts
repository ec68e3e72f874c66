/** Requests of a bench that are not part of its load: its preparation, and the renders of a neighbour. */
import { setTimeout as delay } from 'node:timers/promises'
import type { VideoResource } from '../../lib/contract/resources/index.ts'

export interface ServiceClient {
  baseUrl: string
  apiKey: string
}

const pollMs = 100
const timeoutMs = 120_000

/** @throws where the response is no 2xx. */
export async function callService<Data>(
  { baseUrl, apiKey }: ServiceClient,
  method: string,
  path: string,
  body?: object,
): Promise<Data> {
  const headers = { authorization: `Bearer ${apiKey}` }
  const response = await fetch(`${baseUrl}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return (JSON.parse(text) as { data: Data }).data
}

/** Creates a video, waits until its generation, and its render if requested, has ended, and returns its id. */
export async function generateVideo(client: ServiceClient, body: object): Promise<string> {
  const { id } = await callService<VideoResource>(client, 'POST', '/videos', body)
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const { status } = await callService<VideoResource>(client, 'GET', `/videos/${id}`)
    if (status === 'failed') throw new Error(`The video ${id} failed.`)
    if (status === 'ready' || status === 'draft') return id
    if (performance.now() > deadline) throw new Error(`The video ${id} was not ready within ${timeoutMs / 1000} s.`)
    await delay(pollMs)
  }
}
