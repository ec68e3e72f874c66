/** Parses the arguments of `npm run demo --` and submits them to the API. */
import { readFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { generatedTypes } from '../../lib/domain/records/brief.ts'
import type { UploadType } from '../../lib/domain/records/upload.ts'
import type { Client } from '../../packages/client/index.js'

const usage = `usage: npm run demo -- ["an idea"] [--script FILE] [--type ${generatedTypes.join('|')}] [--subtype NAME]
       npm run demo -- --upload FILE.mp4`
const defaultIdea = 'Three small habits that make mornings calm'
const processingMsMax = 30_000
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
  if ('upload' in input) return upload(client, input.upload, signal)
  return (await client.videos.create({ ...input.brief, process: { render: true } }, { signal })).id
}

const contentTypes: Record<string, UploadType> = {
  '.mp4': 'video/mp4',
  '.mov': 'video/quicktime',
  '.webm': 'video/webm',
}

async function upload(client: Client, file: string, signal: AbortSignal): Promise<string> {
  const contentType = contentTypes[extname(file).toLowerCase()]
  if (!contentType) throw new Error(`The file to upload must end in ${Object.keys(contentTypes).join(', ')}.`)
  const { size: bytes } = await stat(file)
  const body = { fileName: basename(file), contentType, bytes, process: { render: true } }
  const { id, method, uploadUrl, headers } = await client.uploads.create(body, { signal })
  const put = await fetch(uploadUrl, { method, headers, body: await readFile(file), signal })
  if (!put.ok) throw new Error(`The upload failed with status ${put.status}.`)
  for (const until = Date.now() + processingMsMax; Date.now() < until; await delay(pollMs, undefined, { signal })) {
    const { videoId, status, error } = await client.uploads.get(id, { signal })
    if (status === 'failed') throw new Error(`The upload failed: ${error?.message}`)
    if (videoId) return videoId
  }
  throw new Error('The file was uploaded, but no video was created within 30 s.')
}
