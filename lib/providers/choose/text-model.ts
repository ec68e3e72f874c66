/** The Bedrock model of the writer and the director. Import it lazily: it loads the SDK. */
import { bedrockClient } from '../bedrock.ts'
import type { BedrockModel } from '../structured-output.ts'
import { chosenProviders } from './provider-choice.ts'

const client = bedrockClient()

export const textModel = (): BedrockModel => ({ client, modelId: chosenProviders().textModel })
