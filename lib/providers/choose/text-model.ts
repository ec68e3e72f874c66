/** The model that writes and directs where the deployment chose one. Whoever did not never loads the SDK behind it. */
import { bedrockClient } from '../bedrock.ts'
import type { BedrockModel } from '../structured-output.ts'
import { chosenProviders } from './provider-choice.ts'

const client = bedrockClient()

export const textModel = (): BedrockModel => ({ client, modelId: chosenProviders().textModel })
