/**
 * `npm run bench:edits`: an edited word of a rendered video of one minute on the local run, from the request until the
 * video is ready, and ten such edits at once by ten workspaces. The last line of output is one JSON object of medians.
 */
import type { VideoResource } from '../lib/contract/resources/index.ts'
import {
  type ApiCredentials,
  callApiOf,
  fastPollMs,
  runAdmin,
  startServiceProcess,
  temporaryDataDirectory,
  waitForVideo,
} from '../test/pipelines/service-process.ts'
import { type Figures, goals, meetsGoal } from './figures.ts'
import { median } from './load/statistics.ts'
import { roundsFromArguments, startBench } from './result-files.ts'
import { oneMinuteScript as text } from './speech.ts'

const rounds = roundsFromArguments(7)
const workspaces = 10

interface Editor extends ApiCredentials {
  videoId: string
}

const end = await startBench('edits')
const { directory, remove } = temporaryDataDirectory()
try {
  const figures = await measure()
  end(figures, rounds)
  const { seconds, together } = goals.edits
  process.exitCode = meetsGoal(figures.seconds, seconds) && meetsGoal(figures.together.seconds, together) ? 0 : 1
} finally {
  remove()
}

async function measure(): Promise<Figures['edits']> {
  const service = await startServiceProcess(directory, { TIME_SCALE: '1' })
  try {
    const editors: Editor[] = []
    while (editors.length < workspaces) editors.push(await createEditor(service.runtime.baseUrl, editors.length))
    // Warm-up: the first edit after a start loads the code.
    await edit(editors[0]!, 0)
    const single: number[] = []
    const last: number[] = []
    for (let round = 1; round <= rounds; round++) {
      single.push(await edit(editors[round % workspaces]!, round))
      last.push(Math.max(...(await Promise.all(editors.map((editor) => edit(editor, rounds + round))))))
      console.log(
        `round ${round}: one edit ${single.at(-1)!.toFixed(2)} s, ${workspaces} at once ${last.at(-1)!.toFixed(2)} s`,
      )
    }
    return { seconds: median(single), together: { edits: workspaces, seconds: median(last) } }
  } finally {
    await service.stop()
  }
}

/** A workspace with a rendered video of one minute, whose pictures are stills. */
async function createEditor(baseUrl: string, number: number): Promise<Editor> {
  const name = `Editor ${number}`
  const { id } = await runAdmin<{ id: string }>(directory, 'workspace', 'create', '--name', name, '--plan', 'pro')
  const { key } = await runAdmin<{ key: string }>(directory, 'key', 'create', '--workspace', id)
  const credentials = { baseUrl, apiKey: key }
  const body = { text, imageStyle: 'ai_image', process: { render: true } }
  const video = await callApiOf<VideoResource>(credentials, 'POST', '/videos', body)
  await waitUntilReady(credentials, video.id)
  return { ...credentials, videoId: video.id }
}

/** Seconds from the request that replaces one word to the video that shows it. No word repeats, so that nothing is reused. */
async function edit(editor: Editor, turn: number): Promise<number> {
  const path = `/videos/${editor.videoId}`
  const { captions } = await callApiOf<VideoResource>(editor, 'GET', `${path}?include=captions`)
  const edited = Math.floor(captions!.length / 2)
  const words = captions!.map((word, index) => (index === edited ? { ...word, punctuated_word: `Word${turn}` } : word))
  const startedAt = performance.now()
  await callApiOf(editor, 'PUT', `${path}/captions`, { captions: words })
  await callApiOf(editor, 'POST', `${path}/render`, {})
  await waitUntilReady(editor, editor.videoId)
  return (performance.now() - startedAt) / 1000
}

async function waitUntilReady(credentials: ApiCredentials, id: string): Promise<void> {
  const hasEnded = ({ status }: VideoResource) => ['ready', 'failed'].includes(status)
  const { status } = await waitForVideo(credentials, id, hasEnded, fastPollMs)
  if (status === 'failed') throw new Error(`The video ${id} failed.`)
}
