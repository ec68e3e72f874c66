/** A deployment: what is checked before it, and the comparison of the lanes after it. */
import { compareLanes } from '../admin/compare-lanes.ts'
import { selectDeployment } from '../admin/deployment.ts'
import { requireConcurrency } from './concurrency-quota.ts'
import { readSettings } from './settings.ts'

interface DeployDeps {
  /** Returns the exit code. */
  runCdk: (words: readonly string[]) => Promise<number>
  print: (sentence: string) => void
  /** Of the comparison, for tests. */
  clock?: Parameters<typeof compareLanes>[0]
}

/**
 * Returns the exit code: that of the CDK where it fails, and 1 where the lanes render different bytes or one of them fails.
 * @throws Error before anything is deployed if the settings are invalid or ask for more concurrency than the account has.
 */
export async function deploy(words: readonly string[], { runCdk, print, clock }: DeployDeps): Promise<number> {
  const { stage, region, profile, concurrency } = readSettings(words)
  if (region !== undefined) process.env.AWS_REGION = region
  if (profile !== undefined) process.env.AWS_PROFILE = profile
  await requireConcurrency(concurrency, stage)
  const code = await runCdk(['deploy', '--all', ...words])
  if (code !== 0) return code
  const { outcome, report } = await compareDeployedLanes(stage, clock)
  print(report)
  return outcome === 'equal' || outcome === 'unfinished' ? 0 : 1
}

async function compareDeployedLanes(stage: string, clock: DeployDeps['clock']) {
  try {
    await selectDeployment(`${stage}-reelsmith`)
    return await compareLanes(clock)
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    throw new Error(`All stacks are deployed, but the lanes could not be compared: ${reason}`, { cause: error })
  }
}
