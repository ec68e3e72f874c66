/** Which capabilities an OpenAI-compatible server has, and where. */
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import {
  openAiAddress,
  type ProviderChoice,
  providerChoice,
  providerKeys,
  usesOpenAi,
} from '../../../lib/domain/generation/provider-choice.ts'

const choice = (fields: Partial<ProviderChoice>) => fields as ProviderChoice

describe('the providers of a deployment', () => {
  const parsed = (value: object) => v.safeParse(providerChoice, value)
  const isValid = (value: object) => parsed(value).success

  it('are built in unless others are chosen', () => {
    const { writer, narrator, expressive, research, transcriber } = v.parse(providerChoice, {})
    expect({ writer, narrator, expressive, research, transcriber }).toEqual({
      ...{ writer: 'built-in', narrator: 'built-in', expressive: 'none' },
      ...{ research: 'built-in', transcriber: 'built-in' },
    })
    expect(['built-in', 'bedrock', 'openai', 'other'].map((writer) => isValid({ writer }))).toEqual([
      true,
      true,
      true,
      false,
    ])
    expect(isValid({ unknown: 'built-in' })).toBe(false)
  })

  it.each([
    ['http://127.0.0.1:11434', 'http://127.0.0.1:11434/v1'],
    ['http://127.0.0.1:11434/', 'http://127.0.0.1:11434/v1'],
    ['https://a.example/api/', 'https://a.example/api'],
    ['https://a.example/api//', 'https://a.example/api'],
    ['https://a.example/v1', 'https://a.example/v1'],
    ['ftp://a.example/v1', undefined],
    ['https://user@a.example/v1', undefined],
    ['https://a.example/v1?key=1', undefined],
  ])('have a server at %s: %s', (baseUrl, expected) => {
    const { output, success } = parsed({ openai: { baseUrl } })
    expect(success ? (output as ProviderChoice).openai!.baseUrl : undefined).toBe(expected)
  })

  it('name at most 100 voices of a server, and no empty model', () => {
    const voices = (count: number) => ({ openai: { speech: { voices: Array(count).fill('alloy') } } })
    expect([isValid(voices(100)), isValid(voices(101))]).toEqual([true, false])
    expect([isValid({ openai: { text: { model: ' a ' } } }), isValid({ openai: { text: { model: ' ' } } })]).toEqual([
      true,
      false,
    ])
  })

  it('have keys without the newline of an editor', () => {
    expect(v.parse(providerKeys, { pexels: 'key\n' })).toEqual({ pexels: 'key' })
    expect(v.safeParse(providerKeys, { pexels: 'kéy' }).success).toBe(false)
  })
})

describe('a capability is served by the server', () => {
  it('where one of its makers is chosen', () => {
    expect(usesOpenAi(choice({ writer: 'openai', director: 'built-in' }), 'text')).toBe(true)
    expect(usesOpenAi(choice({ writer: 'built-in', director: 'openai' }), 'text')).toBe(true)
    expect(usesOpenAi(choice({ writer: 'built-in', director: 'built-in' }), 'text')).toBe(false)
    expect(usesOpenAi(choice({ writer: 'openai' }), 'images')).toBe(false)
  })
})

describe('the address of a capability', () => {
  it('is its own, then the shared one, then that of OpenAI, whose model is known', () => {
    const openai = {
      baseUrl: 'http://127.0.0.1:11434/v1',
      text: { model: 'qwen' },
      speech: {},
      transcription: {},
      images: { baseUrl: 'http://127.0.0.1:9/v1' },
    }
    expect(openAiAddress(choice({ openai }), 'text')).toEqual({
      baseUrl: openai.baseUrl,
      model: 'qwen',
      isShared: true,
    })
    expect(openAiAddress(choice({ openai }), 'images')).toEqual({
      baseUrl: 'http://127.0.0.1:9/v1',
      model: undefined,
      isShared: false,
    })
    expect(openAiAddress(choice({}), 'text')).toMatchObject({ baseUrl: 'https://api.openai.com/v1', isShared: true })
    expect(openAiAddress(choice({}), 'text').model).toBeTruthy()
  })
})
