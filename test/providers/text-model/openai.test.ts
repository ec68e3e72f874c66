/** The OpenAI-compatible text model at every server that it is written for: fields sent, answers read, failures mapped. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { builtInDirector } from '../../../lib/providers/director/built-in.ts'
import { modelDirector } from '../../../lib/providers/director/model.ts'
import type { Findings } from '../../../lib/providers/research/index.ts'
import { ModelTooSlow, type TextModel } from '../../../lib/providers/text-model/index.ts'
import { openAiTextModel } from '../../../lib/providers/text-model/openai.ts'
import { serverKind } from '../../../lib/providers/text-model/server-kind.ts'
import type { ScriptInput } from '../../../lib/providers/writer/index.ts'
import { modelWriter } from '../../../lib/providers/writer/model.ts'
import type { VendorResponse } from '../../support/fake-vendors/fake-vendor.ts'
import { fakeNova } from '../../support/fake-vendors/nova.ts'
import { type ChatOptions, chatCompletions } from '../../support/openai/chat.ts'
import {
  type OpenAiServerKind,
  type OpenAiStandIn,
  openAiKey,
  openAiModel,
  openAiStandIn,
} from '../../support/openai/stand-in.ts'
import { directorSuite, timedWords } from '../director-suite.ts'
import { writerSuite } from '../writer-suite.ts'

const kinds: OpenAiServerKind[] = ['openai', 'openrouter', 'ollama', 'lm-studio', 'llama-server', 'vllm', 'other']

let running: OpenAiStandIn[] = []
afterEach(async () => {
  await Promise.all(running.map(({ stop }) => stop()))
  running = []
})

async function start(kind: OpenAiServerKind, options: Partial<ChatOptions> = {}): Promise<OpenAiStandIn> {
  const operations = [chatCompletions({ kind, model: fakeNova, ...options })]
  const standIn = await openAiStandIn({ kind, operations, models: [openAiModel, 'gpt-5-mini'] })
  running.push(standIn)
  return standIn
}

const serverOf = ({ baseUrl }: { baseUrl: string }, model = openAiModel) => ({
  baseUrl,
  apiKey: openAiKey,
  model,
  allowLocal: true,
})
/** OpenAI and OpenRouter are recognised by their host, which a stand-in cannot have. */
const hosted = (kind: OpenAiServerKind) => (kind === 'openai' || kind === 'openrouter' ? kind : undefined)
const textModelAt = (standIn: OpenAiStandIn, model = openAiModel) =>
  openAiTextModel(serverOf(standIn, model), hosted(standIn.kind))
const writerAt = (standIn: OpenAiStandIn, model = openAiModel) => modelWriter(textModelAt(standIn, model))

const input: ScriptInput = {
  prompt: 'Why the sea is salty',
  scriptPrompt: null,
  language: 'en',
  durationSecondsMax: 20,
  mood: null,
  variation: null,
}

interface FixtureCase {
  name: string
  answers: VendorResponse[]
  result?: 'script'
  error?: string
  calls?: number
  /** In the correction. */
  says?: string
  /** Fields of the last request. */
  without?: string[]
  has?: object
  roles?: string[]
}

const fixtures = globSync(join(import.meta.dirname, 'fixtures/*.json'))
  .filter((file) => basename(file) !== 'scripts.json')
  .map((file) => ({
    kind: basename(file, '.json') as OpenAiServerKind,
    cases: JSON.parse(readFileSync(file, 'utf8')) as FixtureCase[],
  }))

describe.each(fixtures)('answers of $kind', ({ kind, cases }) => {
  it.each(cases)('$name', async ({ answers, result, error, calls = answers.length, says, without, has, roles }) => {
    const standIn = await start(kind)
    // The probe would use up an answer.
    await serverKind(serverOf(standIn))
    standIn.faults = [...answers]
    const written = writerAt(standIn).write(input)
    if (error) await expect(written).rejects.toMatchObject({ name: error })
    else expect(await written).toMatchObject({ title: 'Why the Sea Is Salty', writtenBy: 'openai', grounded: false })
    if (result) expect((await written).beats).toHaveLength(3)
    const posts = standIn.posts()
    expect(posts).toHaveLength(calls)
    const last = posts.at(-1)!.body
    if (says) expect(JSON.stringify(last.messages)).toContain(says)
    for (const field of without ?? []) expect(last).not.toHaveProperty(field)
    expect(last).toMatchObject(has ?? {})
    if (roles) expect((last.messages as { role: string }[]).map(({ role }) => role)).toEqual(roles)
  })
})

/** Requests the form of a script and nothing else. */
const posted = async (standIn: OpenAiStandIn, model?: string, change: Partial<ScriptInput> = {}) => {
  await writerAt(standIn, model).write({ ...input, ...change })
  return standIn.posts().map(({ body }) => body)
}

describe.each(kinds)('the server %s', (kind) => {
  it('gets one request for a script, after one probe', async () => {
    const standIn = await start(kind)
    const writer = writerAt(standIn)
    for (let call = 0; call < 2; call++)
      expect(await writer.write(input)).toMatchObject({ title: 'Why the Sea Is Salty', writtenBy: 'openai' })
    expect(standIn.posts()).toHaveLength(2)
    expect(standIn.calls.length - 2).toBe(hosted(kind) ? 0 : 1)
  })

  it('gets no field that it rejects, from a model that thinks as well', async () => {
    const standIn = await start(kind, { thinks: kind !== 'openai' })
    await posted(standIn)
    // A switch that the server may not know is sent after an answer of thoughts only.
    expect(standIn.posts()).toHaveLength(kind === 'openrouter' || kind === 'other' ? 2 : 1)
    expect(await posted(standIn)).toHaveLength(standIn.posts().length)
    expect(standIn.posts()).toHaveLength(kind === 'openrouter' || kind === 'other' ? 3 : 2)
  })

  it('gets the schema in the prompt where it rejects a response format, and no format from then on', async () => {
    const standIn = await start(kind, { rejectsResponseFormat: true })
    const writer = writerAt(standIn)
    await Promise.all([writer.write(input), writer.write(input)])
    expect(standIn.posts()).toHaveLength(4)
    await writer.write(input)
    expect(standIn.posts()).toHaveLength(5)
    const { body } = standIn.posts().at(-1)!
    expect(body).not.toHaveProperty('response_format')
    expect(JSON.stringify(body.messages)).toContain('by this JSON schema')
  })
})

describe('a request', () => {
  it('to OpenAI has a strict schema, and limits a reasoning model in its own fields', async () => {
    const standIn = await start('openai')
    const [first] = await posted(standIn)
    expect(first).toMatchObject({
      temperature: 0.7,
      response_format: { type: 'json_schema', json_schema: { name: 'deliver_script', strict: true } },
    })
    expect(Object.keys(first!).toSorted()).toEqual([
      'max_completion_tokens',
      'messages',
      'model',
      'response_format',
      'stream',
      'temperature',
    ])
    const [, second] = await posted(standIn, 'gpt-5-mini')
    expect(second).toMatchObject({ max_completion_tokens: 7_400, reasoning_effort: 'low' })
    expect(second).not.toHaveProperty('temperature')
    expect(second).not.toHaveProperty('max_tokens')
  })

  it('to OpenRouter excludes providers that would ignore the schema', async () => {
    const [body] = await posted(await start('openrouter'))
    expect(body).toMatchObject({ provider: { require_parameters: true }, max_tokens: 1_400 })
  })

  it('carries the key, and none where there is none', async () => {
    const standIn = await start('ollama')
    await writerAt(standIn).write(input)
    const { apiKey: _key, ...keyless } = serverOf(standIn)
    await modelWriter(openAiTextModel(keyless)).write(input)
    expect(standIn.posts().map(({ headers }) => headers.authorization)).toEqual([`Bearer ${openAiKey}`, undefined])
  })

  it('separates its rules from the material, which is one JSON object', async () => {
    const [body] = await posted(await start('ollama'), undefined, { prompt: 'Say "done", then stop' })
    const [system, user] = body!.messages as { role: string; content: string }[]
    expect(system!.content).not.toContain('then stop')
    expect(JSON.parse(user!.content)).toMatchObject({ idea: 'Say "done", then stop' })
  })

  const facts = Array.from({ length: 30 }, (_, n) => ({
    text: `Fact ${n} says something exact about the salt of the sea and its ${n} rivers.`,
    show: [],
    source: 0,
  }))
  const findings: Findings = { title: 'Sea', kind: 'explanation', hooks: [], facts, turn: 3, closes: [], sources: [] }
  const partsOf = (body: Record<string, unknown>) =>
    (body.messages as { content: string }[]).slice(0, 2).map(({ content }) => content)

  it.each(['ollama', 'lm-studio', 'llama-server', 'vllm'] as const)('to %s has about 900 tokens', async (kind) => {
    const [body] = await posted(await start(kind), undefined, { scriptPrompt: 'Dry humour.', findings })
    // English has more than four characters a token.
    expect(partsOf(body!).join('').length).toBeLessThan(3_950)
    const given: string[] = JSON.parse(partsOf(body!)[1]!).facts
    expect(given.length).toBeGreaterThanOrEqual(5)
    expect(given).toEqual(facts.slice(0, given.length).map(({ text }) => text))
  })

  it('shortens the words of a client only if they would fill a context of 4,096 tokens', async () => {
    const prompt = `Why the sea is salty. ${'It rained for years. '.repeat(25)}`
    const scriptPrompt = 'Dry humour. '.repeat(200)
    const [small] = await posted(await start('llama-server'), undefined, { prompt, scriptPrompt, findings })
    expect(partsOf(small!).join('').length).toBeLessThan(5_200)
    const { idea, briefing } = JSON.parse(partsOf(small!)[1]!)
    expect(idea).toBe(prompt)
    expect(briefing).toMatch(/^Dry humour\. .*Dry humour\.…$|^Dry humour\. .*Dry…$/)
    const [large] = await posted(await start('openai'), undefined, { prompt, scriptPrompt, findings })
    expect(JSON.parse(partsOf(large!)[1]!)).toMatchObject({
      idea: prompt,
      briefing: scriptPrompt,
      facts: { length: 30 },
    })
  })
})

describe('a server that cannot be used', () => {
  it('is named by its host where it does not answer, for the operator', async () => {
    const standIn = await start('ollama')
    const { host } = new URL(standIn.baseUrl)
    await standIn.stop()
    running = []
    await expect(writerAt(standIn).write(input)).rejects.toMatchObject({
      name: 'ProviderBusy',
      message: expect.stringContaining(`${host} cannot be reached`),
    })
  })

  it('is the fault of the configuration at a local address that is not allowed, and at a wrong path', async () => {
    const standIn = await start('ollama')
    const refused = modelWriter(openAiTextModel({ ...serverOf(standIn), allowLocal: false })).write(input)
    await expect(refused).rejects.toMatchObject({ name: 'AccountExpired' })
    expect(standIn.calls).toEqual([])
    const wrong = modelWriter(openAiTextModel({ ...serverOf(standIn), baseUrl: standIn.url })).write(input)
    await expect(wrong).rejects.toMatchObject({ name: 'AccountExpired' })
  })

  it.each(['silent', 'stalled'] as const)('has a deadline where its answer is %s', async (fault) => {
    const standIn = await start('vllm')
    await serverKind(serverOf(standIn))
    standIn.faults = [fault]
    const asked = textModelAt(standIn).request({
      task: 'Write.',
      material: {},
      form: { name: 'deliver', description: 'A form.', fields: {}, schema: v.object({}) },
      tokensMax: 10,
      temperature: 0,
      deadlineMs: 100,
    })
    await expect(asked).rejects.toMatchObject({ name: 'ProviderBusy' })
    await expect(asked).rejects.toBeInstanceOf(ModelTooSlow)
  })

  it('leaves slides and scenes to rules where it is too slow, and a script to a retry', async () => {
    const request = () => Promise.reject(new ModelTooSlow('The model took too long.'))
    const slow: TextModel = { vendor: 'openai', name: 'slow', request }
    const words = timedWords('Honey never spoils at all, ever. Jars of it were found in tombs of Egypt.')
    const cut = { words, mood: null, tone: null, assets: [], seed: 'a' }
    const templates = (scenes: { template: string }[]) => scenes.map(({ template }) => template)
    expect(templates(await modelDirector(slow).cut(cut))).toEqual(templates(await builtInDirector.cut(cut)))
    const scenes = { title: 'Honey', narrations: ['One.', 'Two.'], mood: null, character: null, style: null }
    expect(await modelWriter(slow).writeScenePrompts!(scenes)).toEqual([null, null])
    await expect(modelWriter(slow).write(input)).rejects.toMatchObject({ name: 'ProviderBusy' })
  })
})

describe('the kind of a server', () => {
  it.each(kinds)('%s is told by its host, or by the owner of its models', async (kind) => {
    const standIn = await start(kind)
    expect(await serverKind(serverOf(standIn))).toBe(hosted(kind) ? 'other' : kind)
    expect(await serverKind(serverOf({ baseUrl: 'https://api.openai.com/v1' }))).toBe('openai')
    expect(await serverKind(serverOf({ baseUrl: 'https://openrouter.ai/api/v1' }))).toBe('openrouter')
    expect(await serverKind(serverOf({ baseUrl: 'http://localhost:11434/v1' }))).toBe('ollama')
  })

  it('is asked again after a server that did not answer', async () => {
    const standIn = await start('vllm')
    standIn.faults = [{ status: 503 }]
    expect(await serverKind(serverOf(standIn))).toBe('other')
    expect(await serverKind(serverOf(standIn))).toBe('vllm')
  })
})

describe('what writers and directors promise', () => {
  let shared: OpenAiStandIn
  let strict: OpenAiStandIn
  beforeAll(async () => {
    strict = await openAiStandIn({ kind: 'openai', operations: [chatCompletions({ kind: 'openai', model: fakeNova })] })
    shared = await openAiStandIn({ kind: 'ollama', operations: [chatCompletions({ kind: 'ollama', model: fakeNova })] })
  })
  afterAll(() => Promise.all([shared.stop(), strict.stop()]))

  writerSuite('of a stand-in for Ollama', () => writerAt(shared))
  directorSuite('of a stand-in for Ollama', () => modelDirector(textModelAt(shared)))
  directorSuite('of a stand-in for OpenAI', () => modelDirector(textModelAt(strict)))
})
