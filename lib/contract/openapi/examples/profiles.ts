/** Example responses of `routes/profiles.ts`. */
import { profileView } from '../../views/profiles.ts'
import { exampleProfile } from './publishing.ts'
import { type ExampleScenario, examplePage } from './scenario.ts'

export function profileExamples({ workspace, at }: ExampleScenario) {
  const profile = profileView(exampleProfile(workspace.id, at(0)), at(0))
  return {
    listProfiles: examplePage(profile),
    getProfile: profile,
    beginConnection: {
      url: 'https://www.tiktok.com/v2/auth/authorize/?response_type=code&client_key=aw1b2c3&state=wq0kP5',
      expiresAt: at(660),
    },
  }
}
