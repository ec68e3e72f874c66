/**
 * The providers of the local run: those of `PROVIDERS`, as in a deployment, then those of the OPENAI_* variables, then
 * servers that run on this machine; otherwise built-in. Keys come from the environment or from a file in the data
 * directory.
 */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import {
  type OpenAiCapability,
  openAiAddress,
  openAiCapabilities,
  openAiUrl,
  type ProviderChoice,
  type ProviderKeys,
  providerChoice,
  providerKeys,
  usesOpenAi,
  vendorUrls,
} from '../lib/domain/generation/provider-choice.ts'
import type { FoundServers } from './discover-servers.ts'

export interface ProviderConfig {
  /** JSON, for `PROVIDERS` and `VENDOR_URLS`. */
  readonly providers: string
  readonly urls: string
  readonly keys: ProviderKeys
}

export const builtInProviderConfig: ProviderConfig = { providers: '{}', urls: '{}', keys: {} }

const keysFile = 'provider-keys.json'

/** Whether MAKERS=built-in: no provider is called and no server is looked for. Throws for another value. */
export function isBuiltInOnly({ MAKERS }: NodeJS.ProcessEnv): boolean {
  if (MAKERS && MAKERS !== 'built-in') throw new Error(`MAKERS must be built-in or absent, not ${MAKERS}.`)
  return MAKERS === 'built-in'
}

/**
 * Reads the configuration from the environment; `found` are the servers of this machine. Throws if it is not valid,
 * before anything starts.
 */
export function providerConfigFrom(environment: NodeJS.ProcessEnv, found?: FoundServers): ProviderConfig {
  const { PROVIDERS, VENDOR_URLS, ELEVENLABS_API_KEY, PEXELS_API_KEY, FAL_KEY, HEYGEN_API_KEY } = environment
  if (isBuiltInOnly(environment)) return builtInProviderConfig
  const given = parsed('PROVIDERS', PROVIDERS, v.record(v.string(), v.unknown()))
  const named = openAiFrom(environment)
  const configured = merged(given.openai, named.openai)
  const usable = foundFor({ ...named.chosen, ...given }, configured, found)
  const openai = merged(configured, usable.openai)
  const providers = JSON.stringify({
    ...usable.chosen,
    ...named.chosen,
    ...given,
    ...(openai !== undefined && { openai }),
  })
  refuseUnnamedModels(parsed('PROVIDERS', providers, providerChoice))
  parsed('VENDOR_URLS', VENDOR_URLS, vendorUrls)
  return {
    providers,
    urls: VENDOR_URLS || '{}',
    keys: {
      ...(ELEVENLABS_API_KEY && { elevenlabs: ELEVENLABS_API_KEY }),
      ...(PEXELS_API_KEY && { pexels: PEXELS_API_KEY }),
      ...(FAL_KEY && { fal: FAL_KEY }),
      ...(HEYGEN_API_KEY && { heygen: HEYGEN_API_KEY }),
      ...named.keys,
    },
  }
}

type Names = Record<string, unknown>

/** The part of the variables' names: `OPENAI_TEXT_MODEL`. */
const variables: Record<OpenAiCapability, { part: string; key: keyof ProviderKeys; chooses: Names }> = {
  text: { part: 'TEXT', key: 'openaiText', chooses: { writer: 'openai', director: 'openai' } },
  speech: { part: 'SPEECH', key: 'openaiSpeech', chooses: { narrator: 'openai', expressive: 'openai' } },
  transcription: { part: 'TRANSCRIBE', key: 'openaiTranscription', chooses: { transcriber: 'openai' } },
  images: { part: 'IMAGE', key: 'openaiImages', chooses: { images: 'openai' } },
}

/**
 * What the OPENAI_* variables configure and choose. OpenAI serves every capability; another server those that have an
 * address or a model of their own, and text.
 */
function openAiFrom(environment: NodeJS.ProcessEnv) {
  const read = (name: string) => environment[`OPENAI_${name}`]?.trim() || undefined
  const [key, baseUrl, voices] = [read('API_KEY'), read('BASE_URL'), read('SPEECH_VOICE')]
  const isOpenAi = !baseUrl || URL.parse(baseUrl)?.origin === new URL(openAiUrl).origin
  const keys: Record<string, string> = key ? { openai: key } : {}
  const openai: Names = baseUrl ? { baseUrl } : {}
  const chosen: Names = {}
  for (const [capability, { part, key: keyName, chooses }] of Object.entries(variables)) {
    const [ownUrl, model, ownKey] = [read(`${part}_BASE_URL`), read(`${part}_MODEL`), read(`${part}_API_KEY`)]
    if (ownKey) keys[keyName] = ownKey
    const fields = {
      ...(ownUrl && { baseUrl: ownUrl }),
      ...(model && { model }),
      ...(capability === 'speech' && voices && { voices: voices.split(',').map((name) => name.trim()) }),
    }
    if (Object.keys(fields).length > 0) openai[capability] = fields
    const isShared = Boolean(key ?? baseUrl) && (isOpenAi || capability === 'text' || Boolean(model))
    if (ownUrl || ownKey || isShared) Object.assign(chosen, chooses)
  }
  return { chosen, keys, openai: Object.keys(openai).length > 0 ? openai : undefined }
}

const isNames = (value: unknown): value is Names => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields of the first object win, also those of a capability. Whether they are valid is checked afterwards. */
function merged(first: unknown, second: Names | undefined): unknown {
  if (first === undefined || second === undefined) return first ?? second
  if (!isNames(first)) return first
  const both = Object.keys(first).filter((name) => isNames(first[name]) && isNames(second[name]))
  const fields = both.map((name) => [name, { ...(second[name] as Names), ...(first[name] as Names) }])
  return { ...second, ...first, ...Object.fromEntries(fields) }
}

const foundCapabilities = (found: FoundServers | undefined) =>
  (['text', 'speech', 'transcription'] as const).flatMap((capability) => {
    const server = found?.[capability]
    return server ? [{ capability, ...server }] : []
  })

/** Found servers for the capabilities that nothing else chooses or gives an address to. */
function foundFor(chosen: Names, configured: unknown, found: FoundServers | undefined) {
  const fields = isNames(configured) ? configured : {}
  const hasAddress = (capability: string) => isNames(fields[capability]) && 'baseUrl' in fields[capability]
  const isChosen = (capability: OpenAiCapability) =>
    Object.keys(variables[capability].chooses).every((name) => name in chosen)
  const usable = foundCapabilities(found).filter(({ capability }) => !isChosen(capability) && !hasAddress(capability))
  return {
    chosen: Object.assign({}, ...usable.map(({ capability }) => variables[capability].chooses)) as Names,
    openai:
      usable.length === 0
        ? undefined
        : Object.fromEntries(usable.map(({ capability, baseUrl, model }) => [capability, { baseUrl, model }])),
  }
}

/** Which found servers a configuration uses, one line each. */
export function foundServerLines(found: FoundServers, { providers }: ProviderConfig): string[] {
  const choice = v.parse(providerChoice, JSON.parse(providers))
  return foundCapabilities(found).flatMap(({ capability, name, address, baseUrl }) => {
    const used = openAiAddress(choice, capability)
    if (!usesOpenAi(choice, capability) || used.baseUrl !== baseUrl) return []
    return [`Uses ${used.model} of ${name} on ${address} for ${purposes[capability]}.`]
  })
}

const purposes = { text: 'scripts and slides', speech: 'voices', transcription: 'the words of uploads' }

/** The service would fail at the first video. */
function refuseUnnamedModels(choice: ProviderChoice): void {
  for (const capability of openAiCapabilities) {
    const { baseUrl, model } = openAiAddress(choice, capability)
    if (usesOpenAi(choice, capability) && !model)
      throw new Error(`Name the model of ${baseUrl} to use: set OPENAI_${variables[capability].part}_MODEL.`)
  }
}

function parsed<Schema extends v.GenericSchema>(name: string, text: string | undefined, schema: Schema) {
  const given = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text || '{}')
  if (given.success) return given.output
  const [issue] = given.issues
  throw new Error(`${name} is not valid${v.getDotPath(issue) ? ` at ${v.getDotPath(issue)}` : ''}: ${issue.message}`)
}

/**
 * The secret with the keys as JSON. Keys of the environment override those of the file, which is read at every call.
 */
export function providerKeysSecret(directory: string, { keys }: ProviderConfig): string {
  const file = join(directory, keysFile)
  const stored = existsSync(file)
    ? v.parse(v.pipe(v.string(), v.parseJson(), providerKeys), readFileSync(file, 'utf8'))
    : {}
  return JSON.stringify({ ...stored, ...keys })
}
