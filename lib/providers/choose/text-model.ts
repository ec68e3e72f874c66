/** The model that writes and directs where the deployment chose one. Whoever did not never loads the SDK behind it. */
import { bedrockClient } from '../bedrock.ts'
import type { BedrockText } from '../structured-output.ts'
import { chosen } from './provider-choice.ts'

const client = bedrockClient()

export const textModel = (): BedrockText => ({ client, modelId: chosen().textModel })
