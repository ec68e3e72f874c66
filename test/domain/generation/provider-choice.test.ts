/** Which capabilities an OpenAI-compatible server has, and where. */
import { describe, expect, it } from 'vitest'
import { openAiAddress, type ProviderChoice, usesOpenAi } from '../../../lib/domain/generation/provider-choice.ts'

const choice = (fields: Partial<ProviderChoice>) => fields as ProviderChoice

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
