/** Example responses of `routes/workspace.ts`. */
import { platforms } from '../../../domain/core/platform.ts'
import { builtInVoices } from '../../../domain/videos/voices.ts'
import { accountView, voiceView } from '../../views/index.ts'
import { ledgerEntryView } from '../../views/ledger.ts'
import { type ExampleScenario, examplePage } from './scenario.ts'

export const workspaceExamples = ({ workspace, at, mediaUrl }: ExampleScenario) => ({
  getAccount: accountView(workspace, at(0)),
  listLedger: examplePage(
    ledgerEntryView({
      kind: 'capture',
      runId: 'run_01kbexample',
      credits: 10,
      unit: 'video',
      metered: true,
      at: at(20),
    }),
  ),
  listVoices: builtInVoices.slice(0, 1).map((voice) => voiceView(voice, true, mediaUrl)),
  listPlatforms: platforms,
})
