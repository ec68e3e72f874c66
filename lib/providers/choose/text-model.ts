/** The Bedrock model of the writer and the director. Import it lazily: it loads the SDK. */
import { bedrockClient } from '../bedrock.ts'
import { bedrockTextModel } from '../text-model/bedrock.ts'
import type { TextModel } from '../text-model/index.ts'
import { chosenProviders } from './provider-choice.ts'

const client = bedrockClient()

export const textModel = (): TextModel => bedrockTextModel({ client, modelId: chosenProviders().textModel })
