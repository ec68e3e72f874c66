/**
 * Language models of Bedrock (Converse API): the model is forced to call one tool, whose input is the form.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html (read November 2026)
 */
import type {
  BedrockRuntimeClient,
  ContentBlock,
  ConverseCommandOutput,
  Message,
  ToolInputSchema,
} from '@aws-sdk/client-bedrock-runtime'
import { ConverseCommand } from '@aws-sdk/client-bedrock-runtime'
import { bedrockFailure } from '../bedrock.ts'
import { type FormPrompt, type Reply, refusalField, textModelOf } from '../structured-output.ts'
import type { TextModel } from './index.ts'

export interface BedrockModel {
  client: BedrockRuntimeClient
  /** Id of a model or of an inference profile. */
  modelId: string
}

export const bedrockTextModel = ({ client, modelId }: BedrockModel): TextModel =>
  textModelOf<Message>({
    vendor: 'bedrock',
    name: modelId,
    open: (material) => ({ role: 'user', content: [{ text: material }] }),
    async ask({ system, form, tokensMax, temperature }, messages, deadlineMs) {
      const schema = {
        type: 'object',
        properties: { ...form.fields, refusal: refusalField },
        required: Object.keys(form.fields),
      }
      const inputSchema: ToolInputSchema = { json: schema }
      const command = new ConverseCommand({
        modelId,
        system: [{ text: system }],
        messages,
        inferenceConfig: { maxTokens: tokensMax, temperature },
        toolConfig: {
          tools: [{ toolSpec: { name: form.name, description: form.description, inputSchema } }],
          toolChoice: { tool: { name: form.name } },
        },
      })
      try {
        return replyOf(await client.send(command, { abortSignal: AbortSignal.timeout(deadlineMs) }), form)
      } catch (error) {
        throw bedrockFailure(error)
      }
    },
  })

type Call = ContentBlock.ToolUseMember

function replyOf({ output, stopReason }: ConverseCommandOutput, { name }: FormPrompt['form']): Reply<Message> {
  const call = output?.message?.content?.find((block): block is Call => block.toolUse?.name === name)
  const isRefusal = stopReason === 'guardrail_intervened' || stopReason === 'content_filtered'
  const fault = !call
    ? `Call the tool ${name}; nothing else is read.`
    : stopReason === 'max_tokens'
      ? 'It was cut off: answer much more briefly.'
      : undefined
  return {
    output: call?.toolUse.input,
    isRefusal,
    ...(fault !== undefined && { fault }),
    correction: (faults) =>
      correction(`This cannot be used. ${faults} Call the tool again with all of its fields.`, call),
  }
}

/**
 * Reports the faults as the result of the tool call, or as plain text without one. Bedrock requires alternating roles
 * with content.
 */
function correction(text: string, call?: Call): Message[] {
  if (!call)
    return [
      { role: 'assistant', content: [{ text: 'I answered without the tool.' }] },
      { role: 'user', content: [{ text }] },
    ]
  const result = { toolUseId: call.toolUse.toolUseId, content: [{ text }], status: 'error' as const }
  return [
    { role: 'assistant', content: [call] },
    { role: 'user', content: [{ toolResult: result }] },
  ]
}
