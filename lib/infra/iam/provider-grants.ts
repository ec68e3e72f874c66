/** What the deployment chose for each capability, and what asking for it takes: nothing where it is built in. */
import { Aws } from 'aws-cdk-lib'
import * as v from 'valibot'
import { bedrockMediaModels, type ProviderChoice, providerChoice } from '../../domain/generation/provider-choice.ts'
import type { DeploymentContext } from '../deployment-context.ts'
import { type Grant, listBucket, readProviderKeys, writePreviews, writeVoices } from './grants.ts'

/** The context value `providers`: an object in `cdk.json`, or the same as JSON after `-c`. Throws where it names what is not there. */
export function parseProviderChoice(context: unknown): ProviderChoice {
  const schema = typeof context === 'string' ? v.pipe(v.string(), v.parseJson(), providerChoice) : providerChoice
  const given = v.safeParse(schema, context ?? {})
  if (given.success) return given.output
  const [issue] = given.issues
  throw new Error(`The context value \`providers\` is wrong at ${v.getDotPath(issue) ?? 'the whole'}: ${issue.message}`)
}

export type Capability = Exclude<keyof ProviderChoice, 'textModel'>
/** A choice in which nothing is built in. */
export const externalProviders = {
  writer: 'bedrock',
  director: 'bedrock',
  narrator: 'polly',
  expressive: 'elevenlabs',
  transcriber: 'transcribe',
  images: 'stability',
  footage: 'pexels',
  animator: 'luma',
  avatars: 'heygen',
} as const satisfies Record<Capability, string>

type Vendor<Name extends Capability> = Exclude<ProviderChoice[Name], 'built-in' | 'none'>
type GrantsFor = (shared: DeploymentContext) => Grant[]

const bedrock = (place: string) => `arn:${Aws.PARTITION}:bedrock:${place}`
const modelArn = (region: string, modelId: string) => `${bedrock(region)}::foundation-model/${modelId}`

/** An inference profile hands the request to its model in whichever region has room, and both have to be allowed. */
const askTextModel: GrantsFor = ({ providers: { textModel } }) => {
  const actions = ['bedrock:InvokeModel']
  const [, modelId] = /^(?:global|apac|us-gov|[a-z]{2})\.(.+)$/.exec(textModel) ?? []
  if (!modelId) return [{ actions, resources: [modelArn(Aws.REGION, textModel)] }]
  return [
    { actions, resources: [`${bedrock(`${Aws.REGION}:${Aws.ACCOUNT_ID}`)}:inference-profile/${textModel}`] },
    {
      actions,
      resources: [modelArn('*', modelId)],
      wildcard: 'One model; the inference profile chooses the region among those of its geography.',
    },
  ]
}

const drawWithStability: GrantsFor = () => {
  const { region, modelId } = bedrockMediaModels.stability
  return [{ actions: ['bedrock:InvokeModel'], resources: [modelArn(region, modelId)] }]
}

/** Bedrock writes the clip into the bucket in the name of whoever asked. */
const animateWithLuma: GrantsFor = () => {
  const { region, modelId } = bedrockMediaModels.luma
  return [
    { actions: ['bedrock:InvokeModel'], resources: [modelArn(region, modelId)] },
    {
      actions: ['bedrock:GetAsyncInvoke'],
      resources: [`${bedrock(`${region}:${Aws.ACCOUNT_ID}`)}:async-invoke/*`],
      wildcard: 'An invocation gets its id when it is started.',
    },
  ]
}

const askPolly = (action: string): Grant => ({
  actions: [action],
  resources: ['*'],
  wildcard: 'The action knows no resource: https://docs.aws.amazon.com/polly/latest/dg/api-permissions-reference.html.',
})

/** Transcribe reads and writes the bucket in the name of whoever asked. */
const hearWithTranscribe: GrantsFor = () => [
  {
    actions: ['transcribe:StartTranscriptionJob', 'transcribe:GetTranscriptionJob'],
    resources: ['*'],
    wildcard: 'A job is named at run time, and starting one knows no resource.',
  },
]

const grantsByProvider: { [Name in Capability]: Record<Vendor<Name>, GrantsFor> } = {
  writer: { bedrock: askTextModel },
  director: { bedrock: askTextModel },
  narrator: { polly: () => [askPolly('polly:SynthesizeSpeech')] },
  expressive: { elevenlabs: readProviderKeys },
  transcriber: { transcribe: hearWithTranscribe },
  images: { stability: drawWithStability },
  footage: { pexels: readProviderKeys },
  animator: { fal: readProviderKeys, luma: animateWithLuma },
  avatars: { fal: readProviderKeys, heygen: readProviderKeys },
}

const hasVoicesOfVendors = ({ providers: { narrator, expressive } }: DeploymentContext) =>
  narrator !== 'built-in' || expressive !== 'none'

/** For whoever must know which voices there are, and keeps their list. */
export const voiceListGrants: GrantsFor = (shared) => [
  ...(shared.providers.narrator === 'polly' ? [askPolly('polly:DescribeVoices')] : []),
  ...providerGrants(shared, 'expressive'),
  ...(hasVoicesOfVendors(shared) ? [writeVoices(shared)] : []),
]

/** For whoever has a voice say a sentence once, for all who want to hear it. */
export const voicePreviewGrants: GrantsFor = (shared) =>
  hasVoicesOfVendors(shared)
    ? [listBucket(shared), writePreviews(shared), ...providerGrants(shared, 'narrator', 'expressive')]
    : []

/** The grants of whoever asks for these capabilities, as the deployment chose them. */
export const providerGrants = (shared: DeploymentContext, ...capabilities: Capability[]): Grant[] =>
  capabilities.flatMap((capability) => {
    const vendors: Record<string, GrantsFor | undefined> = grantsByProvider[capability]
    return vendors[shared.providers[capability]]?.(shared) ?? []
  })
