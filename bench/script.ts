/**
 * `npm run bench:script`: from a brief to its script, written by a model of a stand-in for Ollama, on the local run. The
 * model takes a fixed time, which is subtracted. The last line of output is one JSON object.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { VideoResource } from '../lib/contract/resources/index.ts'
import {
  callApiOf,
  type ServiceProcess,
  startServiceProcess,
  temporaryDataDirectory,
  waitForVideo,
} from '../test/pipelines/service-process.ts'
import { fakeNova } from '../test/support/fake-vendors/nova.ts'
import { chatCompletions } from '../test/support/openai/chat.ts'
import { type OpenAiStandIn, openAiModel, openAiStandIn } from '../test/support/openai/stand-in.ts'
import { type Figures, goals, meetsGoal } from './figures.ts'
import { percentile } from './load/statistics.ts'
import { roundsFromArguments, startBench } from './result-files.ts'

const briefs = roundsFromArguments(20)
const modelMs = 300
const pollMs = 10
/** The progress at which a script is written, and its voice begins. */
const writtenFrom = 15

const end = await startBench('script')
const { directory, remove } = temporaryDataDirectory()
const standIn = await openAiStandIn({
  kind: 'ollama',
  operations: [
    chatCompletions({
      kind: 'ollama',
      model: async (form, material, task) => {
        await delay(modelMs)
        return fakeNova(form, material, task)
      },
    }),
  ],
})
try {
  const figures = await measure(standIn)
  end(figures)
  process.exitCode = meetsGoal(figures.p50Ms, goals.script.p50Ms) && figures.requests === 1 ? 0 : 1
} finally {
  await standIn.stop()
  remove()
}

async function measure({ baseUrl }: OpenAiStandIn): Promise<Figures['script']> {
  const service = await startServiceProcess(directory, {
    ...{ OPENAI_TEXT_BASE_URL: baseUrl, OPENAI_TEXT_MODEL: openAiModel },
    PROVIDERS: JSON.stringify({ writer: 'openai' }),
  })
  try {
    // Warm-up: the first request after a start loads the code.
    await write(service, 0)
    const scripts: Written[] = []
    for (let brief = 1; brief <= briefs; brief++) scripts.push(await write(service, brief))
    const overheads = scripts.map(({ ms }) => ms - modelMs)
    const [p50Ms, p99Ms] = [percentile(overheads, 50), percentile(overheads, 99)]
    return { briefs, modelMs, p50Ms, p99Ms, requests: Math.max(...scripts.map(({ requests }) => requests)) }
  } finally {
    await service.stop()
  }
}

interface Written {
  ms: number
  /** To the server, until the script was written. */
  requests: number
}

async function write({ runtime, output }: ServiceProcess, brief: number): Promise<Written> {
  standIn.calls.length = 0
  const startedAt = performance.now()
  const prompt = `Why habit number ${brief} makes mornings calm`
  const { id } = await callApiOf<VideoResource>(runtime, 'POST', '/videos', { prompt, targetDuration: 20 })
  const hasEnded = ({ process }: VideoResource) => ['COMPLETED', 'FAILED'].includes(process!.status)
  await waitForVideo(runtime, id, (video) => video.process!.progress >= writtenFrom || hasEnded(video), pollMs)
  const written = { ms: performance.now() - startedAt, requests: standIn.posts().length }
  const { process } = await waitForVideo(runtime, id, hasEnded)
  if (process!.status === 'FAILED') throw new Error(`The generation failed: ${process!.error!.message} ${output()}`)
  return written
}
