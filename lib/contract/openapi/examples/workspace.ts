/** Example responses of `routes/workspace.ts`. */
import { platforms } from '../../../domain/core/platform.ts'
import { builtInVoices } from '../../../domain/videos/voices.ts'
import { accountView, voiceView } from '../../views/index.ts'
import type { ExampleScenario } from './scenario.ts'

export const workspaceExamples = ({ workspace, at, mediaUrl }: ExampleScenario) => ({
  getAccount: accountView(workspace, at(0)),
  listVoices: builtInVoices.slice(0, 1).map((voice) => voiceView(voice, true, mediaUrl)),
  listPlatforms: platforms,
})
