/** Publishers and connectors of one fictitious platform under the names of all, with the steps that real ones have. */
import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import type { PostingState, StepOutcome } from '../../../lib/domain/publishing/posting.ts'
import type { Tokens } from '../../../lib/domain/records/tokens.ts'
import type { ConnectedAccount, ConsentConnector, PasswordConnector } from '../../../lib/platforms/connector.ts'
import { NoResponse, NotSent } from '../../../lib/platforms/failures.ts'
import type { PublishContext, Publisher } from '../../../lib/platforms/publisher.ts'
import { reopenSendWindow, secondsUntilConsistent } from '../../../lib/platforms/send-window.ts'
import { now } from './clock.ts'

type Operation = Parameters<typeof simulator.platform>[0]

async function ask(operation: Operation, { account, post }: Pick<PublishContext, 'account' | 'post'>) {
  try {
    return await simulator.platform(operation, { account: account.externalId, post: post.id })
  } catch (error) {
    const { name, message } = error as Error
    if (name === 'NotSent') throw new NotSent(message)
    throw name === 'NoAnswer' ? new NoResponse(message) : error
  }
}

/** What the answer of a platform that accepted nothing means. */
function refusalOf(error: Error): StepOutcome {
  const { name, message } = error
  if (name === 'TokenRefused') return { kind: 'unauthorised' }
  if (name === 'Busy') return { kind: 'retry', waitSeconds: 5, message }
  if (name === 'PostRefused') return { kind: 'refused', code: 'caption-not-allowed', message }
  throw error
}

type State = { step: 'upload' } | { step: 'publish'; armedAt: string }

const isArmed = (state: PostingState): state is Extract<State, { step: 'publish' }> => state.step === 'publish'
/** How much later the list of posts shows a new one. */
const listLagSeconds = 5

export const publisherOf = (platform: PlatformId): Publisher => ({
  platform,
  validate: () => null,
  initialState: () => ({ step: 'upload' }),
  mayPublish: ({ step }) => step === 'publish',
  step: async (state, context) => {
    try {
      if (!isArmed(state)) {
        await ask('upload', context)
        return { kind: 'continue', state: { step: 'publish', armedAt: now() } as State, waitSeconds: 2 }
      }
      const reopened = reopenSendWindow(state, context.now)
      if (reopened) return reopened
      const { externalId } = await ask('publish', context)
      return { kind: 'done', externalId: externalId!, url: null }
    } catch (error) {
      return refusalOf(error as Error)
    }
  },
  lookUp: async (state, context) => {
    try {
      const { externalId } = await ask('lookUp', context)
      if (externalId) return { kind: 'published', externalId, url: null }
      const waitSeconds = isArmed(state) ? secondsUntilConsistent(state, context, listLagSeconds) : 0
      return waitSeconds > 0 ? { kind: 'unsure', waitSeconds } : { kind: 'absent', state }
    } catch (error) {
      if ((error as Error).name !== 'Denied') throw error
      return { kind: 'unsure', waitSeconds: 60, isDenied: true }
    }
  },
})

/** Of access tokens: some end within a run. */
const tokenSeconds = [120, 900, 3_600]

const freshTokens = (): Tokens => ({
  access: `access-${simulator.random()}`,
  accessEndsAt: new Date(
    simulator.now() + tokenSeconds[Math.floor(simulator.random() * tokenSeconds.length)]! * 1000,
  ).toISOString(),
  refresh: `refresh-${simulator.random()}`,
  refreshEndsAt: null,
})

const connectionOf = (externalId: string): ConnectedAccount => ({
  identity: { externalId, username: externalId, displayName: externalId, pictureUrl: null },
  settings: {},
  tokens: freshTokens(),
})

export const directConnector = (platform: PlatformId): ConsentConnector & PasswordConnector => ({
  platform,
  consentUrl: async (_client, { state }) => `https://platform.test/consent?state=${encodeURIComponent(state)}`,
  exchange: async (_deps, _consent, code) => [connectionOf(code)],
  signIn: async (_deps, { identifier }) => connectionOf(identifier),
  refresh: async (_deps, tokens) => {
    try {
      await simulator.platform('refresh', { token: tokens.refresh ?? '' })
      return { kind: 'renewed', tokens: freshTokens() }
    } catch (error) {
      if ((error as Error).name === 'TokenRefused') return { kind: 'refused' }
      throw new NoResponse((error as Error).message)
    }
  },
  identify: async () => null,
})
export const connectorOf = directConnector
export const connectorWithUrls = directConnector
export const zernioConnectorOf = directConnector
