/** A GGUF model in this process, by node-llama-cpp: messages in, text out, by a grammar where a schema is given. */
import { availableParallelism } from 'node:os'
import { InputRefused } from './child.ts'
import { loadPackage } from './load-package.ts'

export interface ChatSettings {
  packages: string
  model: string
}

export interface ChatInput {
  messages: readonly { role: 'system' | 'user' | 'assistant'; content: string }[]
  tokensMax: number
  temperature: number
  /** A JSON schema: the output is JSON of it. */
  schema?: object
}

export interface ChatOutput {
  text: string
  /** The output ended at `tokensMax`. */
  isCutOff: boolean
}

/** What is used of https://node-llama-cpp.withcat.ai/api (version 3). */
type HistoryItem = { type: 'system' | 'user'; text: string } | { type: 'model'; response: string[] }
interface LlamaCpp {
  getLlama(options: object): Promise<Llama>
  LlamaChat: new (options: {
    contextSequence: object
  }) => {
    generateResponse(
      history: HistoryItem[],
      options: object,
    ): Promise<{ response: string; metadata: { stopReason: string } }>
    dispose(): void
  }
}
interface Llama {
  loadModel(options: object): Promise<{ createContext(options: object): Promise<{ getSequence(): Sequence }> }>
  createGrammarForJsonSchema(schema: object): Promise<object>
}
interface Sequence {
  clearHistory(): Promise<void>
}

/** Of a script with its facts and one correction; more takes memory. */
const contextTokens = 8_192

export async function loadChat({ packages, model: modelPath }: ChatSettings) {
  const { getLlama, LlamaChat } = await loadPackage<LlamaCpp>(packages, 'node-llama-cpp')
  // Only the build in the package: another one would be compiled or downloaded.
  const llama = await getLlama({ gpu: false, build: 'never', skipDownload: true, logLevel: 'error' })
  const model = await llama.loadModel({ modelPath })
  // Two threads on two cores were slower than one: the renderer uses the other.
  const threads = Math.max(1, availableParallelism() - 1)
  const context = await model.createContext({ contextSize: { max: contextTokens }, sequences: 1, threads })
  const contextSequence = context.getSequence()
  const chat = new LlamaChat({ contextSequence })

  return async ({ messages, tokensMax, temperature, schema }: ChatInput): Promise<ChatOutput> => {
    await contextSequence.clearHistory()
    const history = messages.map(
      ({ role, content }): HistoryItem =>
        role === 'assistant' ? { type: 'model', response: [content] } : { type: role, text: content },
    )
    const grammar = schema && (await grammarOf(llama, schema))
    const { response, metadata } = await chat.generateResponse(history, {
      ...{ maxTokens: tokensMax, temperature },
      // Thoughts would be written outside of the grammar, and take most of the time.
      budgets: { thoughtTokens: 0 },
      ...(grammar && { grammar }),
    })
    return { text: response, isCutOff: metadata.stopReason === 'maxTokens' }
  }
}

async function grammarOf(llama: Llama, schema: object): Promise<object> {
  try {
    return await llama.createGrammarForJsonSchema(schema)
  } catch (error) {
    throw new InputRefused(`response_format: ${error instanceof Error ? error.message : error}`)
  }
}
