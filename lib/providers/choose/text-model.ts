/** The language model of the writer and the director. Loads what it calls: the Bedrock SDK, or the OpenAI adapter. */
import type { TextModel } from '../text-model/index.ts'
import { openAiServer } from './openai.ts'
import { chosenProviders } from './provider-choice.ts'

export async function textModel(provider: 'bedrock' | 'openai'): Promise<TextModel> {
  if (provider === 'openai') {
    const { openAiTextModel } = await import('../text-model/openai.ts')
    return openAiTextModel(await openAiServer('text'))
  }
  const { bedrockTextModel } = await import('../text-model/bedrock.ts')
  return bedrockTextModel({ client: await bedrock(), modelId: chosenProviders().textModel })
}

let client: Promise<ReturnType<typeof import('../bedrock.ts').bedrockClient>> | undefined

/** One client per process: it keeps its connections. */
const bedrock = () => {
  client ??= import('../bedrock.ts').then(({ bedrockClient }) => bedrockClient())
  return client
}
