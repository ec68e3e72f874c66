/** Parses the arguments of `npm run demo --` and submits them to the API. */
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { generatedTypes } from '../../lib/domain/records/brief.ts'
import { uploadFile } from '../../packages/cli/upload.js'
import type { Client } from '../../packages/client/index.js'

const usage = `usage: npm run demo -- ["an idea"] [--script FILE] [--type ${generatedTypes.join('|')}] [--subtype NAME]
       npm run demo -- --upload FILE.mp4`
const defaultIdea = 'Three small habits that make mornings calm'
const uploadSecondsMax = 30
const pollMs = 100

export type DemoInput = { brief: Brief } | { upload: string }

interface Brief {
  type: (typeof generatedTypes)[number]
  subType?: string
  prompt?: string
  text?: string
  videoDuration?: 'subminute' | 'short' | 'medium'
}

/** Throws an error with the usage if the arguments are not valid. */
export function parseDemoArguments(words: string[]): DemoInput {
  const { values, positionals } = parsed(words)
  if (values.upload !== undefined) {
    if (positionals.length > 0 || values.script || values.type || values.subtype) throw new Error(usage)
    return { upload: values.upload }
  }
  // A ugc video is an ai video.
  const named = values.type ?? (values.subtype === 'ugc' ? 'ai' : 'faceless')
  const type = generatedTypes.find((known) => known === named)
  if (!type) throw new Error(usage)
  const kind = { type, ...(values.subtype === undefined ? {} : { subType: values.subtype }) }
  if (values.script !== undefined) return { brief: { ...kind, ...scriptBrief(readFileSync(values.script, 'utf8')) } }
  return { brief: { ...kind, prompt: positionals.join(' ') || defaultIdea } }
}

function parsed(words: string[]) {
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      args: words,
      options: { script: text, type: text, subtype: text, upload: text },
      allowPositionals: true,
    })
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${usage}`)
  }
}

/** The shortest video length that the script fits in; the voices speak about 2.6 words a second. */
function scriptBrief(text: string): Pick<Brief, 'text' | 'videoDuration'> {
  const seconds = text.split(/\s+/).length / 2.6
  return { text, videoDuration: seconds <= 60 ? 'subminute' : seconds <= 180 ? 'short' : 'medium' }
}

/** One line for the terminal. */
export function describeInput(input: DemoInput): string {
  if ('upload' in input) return `File: ${input.upload}`
  const { type, subType, prompt, text = '' } = input.brief
  const kind = [type, subType].filter(Boolean).join(', ')
  return `${prompt ? 'Idea' : 'Script'} (${kind}): ${(prompt ?? text).replace(/\s+/g, ' ').slice(0, 100)}`
}

/** Submits the input and returns the id of the video. */
export async function submit(client: Client, input: DemoInput, signal: AbortSignal): Promise<string> {
  const process = { render: true }
  const sleep = (_: number, signal?: AbortSignal) => delay(pollMs, undefined, { ...(signal && { signal }) })
  const options = { fetch, now: Date.now, sleep, signal, timeoutSeconds: uploadSecondsMax }
  if ('upload' in input) return uploadFile(client, input.upload, { process }, options)
  return (await client.videos.create({ ...input.brief, process }, { signal })).id
}
