/** What `npm start` uses without `PROVIDERS`: servers that already run on this machine, and the OPENAI_* variables. */
import { createServer } from 'node:http'
import { parse } from 'valibot'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openAiAddress, providerChoice } from '../../lib/domain/generation/provider-choice.ts'
import { chooseChatModel, discoverServers, type FoundServers } from '../../local/discover-servers.ts'
import { listen } from '../../local/listen.ts'
import { foundServerLines, providerConfigFrom, providerKeysSecret } from '../../local/provider-config.ts'
import manifest from '../../package.json' with { type: 'json' }
import { temporaryDirectory } from '../support/temporary-directory.ts'

/** A server on a port of its own, which answers one path with JSON. `silent` never answers. */
async function serving(path: string, body: object | 'silent'): Promise<number> {
  const server = createServer((request, response) => {
    if (body === 'silent') return
    response.statusCode = request.url === path ? 200 : 404
    response.end(JSON.stringify(body))
  })
  const { url, stop } = await listen(server, 0)
  onTestFinished(stop)
  return Number(new URL(url).port)
}

/** Nothing listens there. */
const closed = { ollama: 1, lmStudio: 1, llamaServer: 1, kokoro: 1, speaches: 1 }
const models = (...ids: string[]) => ({ object: 'list', data: ids.map((id) => ({ id, object: 'model' })) })
const none: FoundServers = { text: undefined, speech: undefined, transcription: undefined }
const tags = (...names: string[]) => ({ models: names.map((name) => ({ name, details: { family: 'qwen2' } })) })

describe('the search for servers', () => {
  it('finds Ollama and its first chat model', async () => {
    const ollama = await serving('/api/tags', tags('nomic-embed-text:latest', 'qwen2.5:7b', 'llama3.2:3b'))
    const found = await discoverServers({ ...closed, ollama })
    expect(found).toEqual({
      ...none,
      text: {
        name: 'Ollama',
        address: `127.0.0.1:${ollama}`,
        baseUrl: `http://127.0.0.1:${ollama}/v1`,
        model: 'qwen2.5:7b',
      },
    })
  })

  it('finds LM Studio and llama-server by their models, and no other program on the same port', async () => {
    const lmStudio = await serving('/v1/models', models('text-embedding-nomic-embed-text-v1.5', 'qwen2.5-7b-instruct'))
    expect((await discoverServers({ ...closed, lmStudio })).text).toMatchObject({
      name: 'LM Studio',
      model: 'qwen2.5-7b-instruct',
    })
    const llamaServer = await serving('/v1/models', { data: [{ id: 'gemma-3-4b-it.gguf', owned_by: 'llamacpp' }] })
    expect((await discoverServers({ ...closed, llamaServer })).text).toMatchObject({ name: 'llama-server' })
    const other = await serving('/v1/models', models('some-model'))
    expect((await discoverServers({ ...closed, llamaServer: other })).text).toBeUndefined()
  })

  it('finds Kokoro-FastAPI for voices, and Speaches for voices and transcripts', async () => {
    const kokoro = await serving('/v1/models', models('tts-1', 'tts-1-hd', 'kokoro'))
    const speaches = await serving('/v1/models', {
      data: [
        { id: 'Systran/faster-whisper-small', task: 'automatic-speech-recognition' },
        { id: 'speaches-ai/Kokoro-82M-v1.0-ONNX', task: 'text-to-speech' },
      ],
    })
    expect(await discoverServers({ ...closed, kokoro, speaches })).toMatchObject({
      speech: { name: 'Kokoro-FastAPI', model: 'kokoro' },
      transcription: { name: 'Speaches', model: 'Systran/faster-whisper-small' },
    })
    expect((await discoverServers({ ...closed, speaches })).speech).toMatchObject({ name: 'Speaches' })
  })

  it('finds nothing where nothing answers in time, or something else answers', async () => {
    expect(await discoverServers(closed)).toEqual(none)
    const ollama = await serving('/api/tags', 'silent')
    const lmStudio = await serving('/v1/models', { error: 'Unexpected endpoint' })
    const startedAt = performance.now()
    expect(await discoverServers({ ...closed, ollama, lmStudio })).toEqual(none)
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })

  it.each([
    [['nomic-embed-text', 'bge-m3:latest', 'all-minilm:l6'], undefined],
    [['qwen2.5-coder:7b', 'llama3.1:8b'], 'llama3.1:8b'],
    [['qwen3:8b', 'mistral:7b-instruct'], 'mistral:7b-instruct'],
    [['llama3:8b-text', 'gemma3:4b'], 'gemma3:4b'],
    [['qwen2.5-coder:7b'], 'qwen2.5-coder:7b'],
    [['Systran/faster-whisper-small', 'kokoro', 'gemma-3-4b-it'], 'gemma-3-4b-it'],
  ])('chooses of %s the model %s', (names, model) => {
    expect(chooseChatModel(names)).toBe(model)
  })
})

it('only npm start searches: the demo and the tests are the same on every machine', () => {
  const searching = Object.entries(manifest.scripts).filter(([, command]) => command.includes('--find-servers'))
  expect(searching.map(([name]) => name)).toEqual(['start'])
})

const at = (name: string, port: number, model: string) => ({
  ...{ name, model, address: `127.0.0.1:${port}`, baseUrl: `http://127.0.0.1:${port}/v1` },
})
const found: FoundServers = {
  text: at('Ollama', 11434, 'qwen2.5:7b'),
  speech: at('Kokoro-FastAPI', 8880, 'kokoro'),
  transcription: undefined,
}
const choiceOf = (environment: NodeJS.ProcessEnv, servers?: FoundServers) =>
  parse(providerChoice, JSON.parse(providerConfigFrom(environment, servers).providers))

describe('found servers', () => {
  it('make scripts, slides and voices, and each is named in one line', () => {
    const config = providerConfigFrom({}, found)
    const choice = choiceOf({}, found)
    expect(choice).toMatchObject({
      ...{ writer: 'openai', director: 'openai', narrator: 'openai', expressive: 'openai' },
      ...{ transcriber: 'built-in', images: 'built-in' },
    })
    expect(openAiAddress(choice, 'text')).toMatchObject({ baseUrl: 'http://127.0.0.1:11434/v1', model: 'qwen2.5:7b' })
    expect(foundServerLines(found, config)).toEqual([
      'Uses qwen2.5:7b of Ollama on 127.0.0.1:11434 for scripts and slides.',
      'Uses kokoro of Kokoro-FastAPI on 127.0.0.1:8880 for voices.',
    ])
  })

  it('are not used where the environment chooses otherwise', () => {
    expect(choiceOf({ PROVIDERS: '{"writer":"bedrock"}' }, found)).toMatchObject({
      ...{ writer: 'bedrock', director: 'openai' },
    })
    const withKey = { OPENAI_API_KEY: 'sk-1' }
    expect(choiceOf(withKey, found).openai).toBeUndefined()
    expect(foundServerLines(found, providerConfigFrom(withKey, found))).toEqual([])
    const otherAddress = { OPENAI_TEXT_BASE_URL: 'http://192.168.1.5:8000/v1', OPENAI_TEXT_MODEL: 'mine' }
    expect(openAiAddress(choiceOf(otherAddress, found), 'text')).toMatchObject({
      ...{ baseUrl: 'http://192.168.1.5:8000/v1', model: 'mine' },
    })
    expect(providerConfigFrom({ MAKERS: 'built-in', ...withKey }, found).providers).toBe('{}')
    expect(() => providerConfigFrom({ MAKERS: 'none' })).toThrow('MAKERS must be built-in or absent')
  })

  it('take another model by its variable', () => {
    const environment = { OPENAI_TEXT_MODEL: 'llama3.2:3b' }
    expect(openAiAddress(choiceOf(environment, found), 'text')).toMatchObject({
      ...{ baseUrl: 'http://127.0.0.1:11434/v1', model: 'llama3.2:3b' },
    })
    expect(foundServerLines(found, providerConfigFrom(environment, found))[0]).toContain('Uses llama3.2:3b of Ollama')
  })
})

describe('the OPENAI_* variables', () => {
  const all = {
    ...{ writer: 'openai', director: 'openai', narrator: 'openai', expressive: 'openai' },
    ...{ transcriber: 'openai', images: 'openai' },
  }

  it('need only the key of OpenAI for everything that it can do', () => {
    const config = providerConfigFrom({ OPENAI_API_KEY: 'sk-1' })
    expect(choiceOf({ OPENAI_API_KEY: 'sk-1' })).toMatchObject(all)
    expect(JSON.parse(providerKeysSecret(temporaryDirectory(), config))).toEqual({ openai: 'sk-1' })
    expect(openAiAddress(choiceOf({ OPENAI_API_KEY: 'sk-1' }), 'transcription')).toEqual({
      ...{ baseUrl: 'https://api.openai.com/v1', model: 'whisper-1', isShared: true },
    })
  })

  it('choose models and voices', () => {
    const choice = choiceOf({
      ...{ OPENAI_API_KEY: 'sk-1', OPENAI_TEXT_MODEL: 'gpt-x', OPENAI_SPEECH_VOICE: 'nova, alloy' },
      ...{ OPENAI_TRANSCRIBE_MODEL: 'gpt-4o-transcribe', OPENAI_IMAGE_MODEL: 'dall-e-3' },
    })
    expect(choice.openai).toMatchObject({
      ...{ text: { model: 'gpt-x' }, speech: { voices: ['nova', 'alloy'] } },
      ...{ transcription: { model: 'gpt-4o-transcribe' }, images: { model: 'dall-e-3' } },
    })
  })

  it('use another server for text, and for what it has a model for', () => {
    const openRouter = { OPENAI_API_KEY: 'sk-or-1', OPENAI_BASE_URL: 'https://openrouter.ai/api/v1' }
    expect(() => providerConfigFrom(openRouter)).toThrow('set OPENAI_TEXT_MODEL')
    const withModel = { ...openRouter, OPENAI_TEXT_MODEL: 'qwen/qwen3-8b' }
    expect(choiceOf(withModel)).toMatchObject({ writer: 'openai', narrator: 'built-in', images: 'built-in' })
    expect(choiceOf({ ...withModel, OPENAI_TRANSCRIBE_MODEL: 'openai/whisper-1' })).toMatchObject({
      ...{ transcriber: 'openai', narrator: 'built-in' },
    })
  })

  it('send the key to the shared address only', () => {
    const environment = {
      ...{ OPENAI_API_KEY: 'sk-1', OPENAI_SPEECH_BASE_URL: 'http://127.0.0.1:8880/v1' },
      ...{ OPENAI_SPEECH_MODEL: 'kokoro' },
    }
    expect(openAiAddress(choiceOf(environment), 'speech')).toMatchObject({ isShared: false })
    expect(openAiAddress(choiceOf(environment), 'text')).toMatchObject({ isShared: true })
    const config = providerConfigFrom({ ...environment, OPENAI_SPEECH_API_KEY: 'own' })
    expect(config.keys).toEqual({ openai: 'sk-1', openaiSpeech: 'own' })
  })

  it.each([
    ['http://127.0.0.1:8880', 'http://127.0.0.1:8880/v1'],
    ['http://127.0.0.1:8880/v1/', 'http://127.0.0.1:8880/v1'],
    ['https://openrouter.ai/api/v1', 'https://openrouter.ai/api/v1'],
  ])('take %s as %s', (OPENAI_SPEECH_BASE_URL, baseUrl) => {
    const choice = choiceOf({ OPENAI_SPEECH_BASE_URL, OPENAI_SPEECH_MODEL: 'kokoro' })
    expect(openAiAddress(choice, 'speech').baseUrl).toBe(baseUrl)
  })

  it('choose one capability by its address alone', () => {
    const environment = { OPENAI_SPEECH_BASE_URL: 'http://127.0.0.1:8880/v1', OPENAI_SPEECH_MODEL: 'kokoro' }
    expect(choiceOf(environment)).toMatchObject({ narrator: 'openai', writer: 'built-in', transcriber: 'built-in' })
    expect(() => providerConfigFrom({ OPENAI_SPEECH_BASE_URL: 'http://127.0.0.1:8880/v1' })).toThrow(
      'Name the model of http://127.0.0.1:8880/v1 to use: set OPENAI_SPEECH_MODEL.',
    )
    expect(() => providerConfigFrom({ OPENAI_TEXT_BASE_URL: 'nonsense' })).toThrow(
      'PROVIDERS is not valid at openai.text.baseUrl',
    )
  })

  it('yield to PROVIDERS', () => {
    const environment = {
      OPENAI_API_KEY: 'sk-1',
      PROVIDERS: '{"images":"built-in","openai":{"text":{"model":"gpt-y"}}}',
    }
    expect(choiceOf(environment)).toMatchObject({ ...all, images: 'built-in' })
    expect(openAiAddress(choiceOf(environment), 'text').model).toBe('gpt-y')
  })
})
