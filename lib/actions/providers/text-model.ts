/** The model that writes and directs where the deployment chose one. Whoever did not never loads the SDK behind it. */
import { bedrockClient } from '../../providers/bedrock.ts'
import type { BedrockText } from '../../providers/bedrock-form.ts'
import { chosen } from './choice.ts'

const client = bedrockClient()

export const textModel = (): BedrockText => ({ client, modelId: chosen().textModel })
