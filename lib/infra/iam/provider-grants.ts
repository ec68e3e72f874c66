/** The configured provider of each capability, and the grants that calling it needs: none for built-in ones. */
import { Aws } from 'aws-cdk-lib'
import * as v from 'valibot'
import {
  bedrockMediaModels,
  type ChosenCapability,
  openAiAddress,
  openAiCapabilities,
  type ProviderChoice,
  providerChoice,
  usesOpenAi,
} from '../../domain/generation/provider-choice.ts'
import { checkUrl } from '../../egress/address-policy.ts'
import type { DeploymentContext } from '../deployment-context.ts'
import { type Grant, type GrantsFor, listBucket, readProviderKeys, writePreviews, writeVoices } from './grants.ts'

/** Parses the context value `providers`: an object in the settings file, or JSON after `-c`. Throws if it is invalid. */
export function parseProviderChoice(context: unknown): ProviderChoice {
  const schema = typeof context === 'string' ? v.pipe(v.string(), v.parseJson(), providerChoice) : providerChoice
  const parsed = v.safeParse(schema, context ?? {})
  if (!parsed.success) throw wrongChoice(v.getDotPath(parsed.issues[0]) ?? 'the top level', parsed.issues[0].message)
  refuseLocalServers(parsed.output)
  return parsed.output
}

const wrongChoice = (path: string, reason: string) =>
  new Error(`The context value \`providers\` is wrong at ${path}: ${reason}`)

/** Functions of AWS reach no machine of the operator's network. */
function refuseLocalServers(choice: ProviderChoice): void {
  for (const capability of openAiCapabilities) {
    const { baseUrl, model } = openAiAddress(choice, capability)
    try {
      checkUrl(baseUrl, { allowHttp: false, allowLoopback: false })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw wrongChoice(
        `openai.${capability}`,
        `${reason} A deployment in AWS reaches public servers over https only; use one on your machine with npm start.`,
      )
    }
    if (usesOpenAi(choice, capability) && !model)
      throw wrongChoice(`openai.${capability}.model`, `Name the model of ${baseUrl} to use.`)
  }
}

/** A choice without built-in providers. */
export const externalProviders = {
  writer: 'bedrock',
  director: 'bedrock',
  research: 'wikipedia',
  narrator: 'polly',
  expressive: 'elevenlabs',
  transcriber: 'transcribe',
  images: 'stability',
  footage: 'pexels',
  animator: 'luma',
  avatars: 'heygen',
} as const satisfies Record<ChosenCapability, string>

/** Every capability that an OpenAI-compatible server can have. */
export const openAiProviders = {
  writer: 'openai',
  director: 'openai',
  narrator: 'openai',
  expressive: 'openai',
  transcriber: 'openai',
  images: 'openai',
} as const satisfies Partial<Record<ChosenCapability, string>>

type ExternalProvider<Name extends ChosenCapability> = Exclude<ProviderChoice[Name], 'built-in' | 'none'>

const bedrockArn = (suffix: string) => `arn:${Aws.PARTITION}:bedrock:${suffix}`
const modelArn = (region: string, modelId: string) => `${bedrockArn(region)}::foundation-model/${modelId}`

/** An inference profile routes requests to its model in any region of its geography; both must be allowed. */
const invokeTextModel: GrantsFor = ({ providers: { textModel } }) => {
  const actions = ['bedrock:InvokeModel']
  const [, modelId] = /^(?:global|apac|us-gov|[a-z]{2})\.(.+)$/.exec(textModel) ?? []
  if (!modelId) return [{ actions, resources: [modelArn(Aws.REGION, textModel)] }]
  return [
    { actions, resources: [`${bedrockArn(`${Aws.REGION}:${Aws.ACCOUNT_ID}`)}:inference-profile/${textModel}`] },
    {
      actions,
      resources: [modelArn('*', modelId)],
      wildcard: 'One model; the inference profile chooses the region within its geography.',
    },
  ]
}

const invokeStability: GrantsFor = () => {
  const { region, modelId } = bedrockMediaModels.stability
  return [{ actions: ['bedrock:InvokeModel'], resources: [modelArn(region, modelId)] }]
}

/** Bedrock writes the result into the bucket with the permissions of the caller. */
const invokeLuma: GrantsFor = () => {
  const { region, modelId } = bedrockMediaModels.luma
  return [
    { actions: ['bedrock:InvokeModel'], resources: [modelArn(region, modelId)] },
    {
      actions: ['bedrock:GetAsyncInvoke'],
      resources: [`${bedrockArn(`${region}:${Aws.ACCOUNT_ID}`)}:async-invoke/*`],
      wildcard: 'The id of an invocation is assigned at its start.',
    },
  ]
}

const callPolly = (action: string): Grant => ({
  actions: [action],
  resources: ['*'],
  wildcard:
    'The action does not support resource-level permissions: https://docs.aws.amazon.com/polly/latest/dg/api-permissions-reference.html.',
})

/** Transcribe reads and writes the bucket with the permissions of the caller. */
const runTranscribe: GrantsFor = () => [
  {
    actions: ['transcribe:StartTranscriptionJob', 'transcribe:GetTranscriptionJob'],
    resources: ['*'],
    wildcard: 'Jobs are named at run time, and starting one does not support resource-level permissions.',
  },
]

const grantsByProvider: { [Name in ChosenCapability]: Record<ExternalProvider<Name>, GrantsFor> } = {
  writer: { bedrock: invokeTextModel, openai: readProviderKeys },
  director: { bedrock: invokeTextModel, openai: readProviderKeys },
  // Public and without a key.
  research: { wikipedia: () => [] },
  narrator: { polly: () => [callPolly('polly:SynthesizeSpeech')], openai: readProviderKeys },
  expressive: { elevenlabs: readProviderKeys, openai: readProviderKeys },
  transcriber: { transcribe: runTranscribe, openai: readProviderKeys },
  images: { stability: invokeStability, openai: readProviderKeys, wikimedia: () => [], openverse: () => [] },
  footage: { pexels: readProviderKeys, wikimedia: () => [] },
  animator: { fal: readProviderKeys, luma: invokeLuma },
  avatars: { fal: readProviderKeys, heygen: readProviderKeys },
}

const hasProviderVoices = ({ providers: { narrator, expressive } }: DeploymentContext) =>
  narrator !== 'built-in' || expressive !== 'none'

/** For functions that list voices and cache the list. */
export const voiceListGrants: GrantsFor = (deployment) => [
  ...(deployment.providers.narrator === 'polly' ? [callPolly('polly:DescribeVoices')] : []),
  ...(deployment.providers.narrator === 'openai' ? providerGrants(deployment, 'narrator') : []),
  ...providerGrants(deployment, 'expressive'),
  ...(hasProviderVoices(deployment) ? [writeVoices(deployment)] : []),
]

/** For the function that creates voice previews on first request. */
export const voicePreviewGrants: GrantsFor = (deployment) =>
  hasProviderVoices(deployment)
    ? [listBucket(deployment), writePreviews(deployment), ...providerGrants(deployment, 'narrator', 'expressive')]
    : []

/** Grants for using these capabilities with the configured providers. */
export const providerGrants = (deployment: DeploymentContext, ...capabilities: ChosenCapability[]): Grant[] =>
  capabilities.flatMap((capability) => {
    const grantsOf: Record<string, GrantsFor | undefined> = grantsByProvider[capability]
    return grantsOf[deployment.providers[capability]]?.(deployment) ?? []
  })
