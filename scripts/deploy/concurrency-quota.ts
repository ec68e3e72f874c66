/** The account's quota of concurrent Lambda executions. */
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda'

/**
 * With more concurrency than the account has, CloudFormation would fail in the middle of a deployment, and the workers would
 * take shares of executions that do not exist.
 * @throws Error that says what to set.
 */
export async function requireConcurrency(concurrency: number, stage: string): Promise<void> {
  const { AccountLimit } = await new LambdaClient({}).send(new GetAccountSettingsCommand({}))
  const quota = AccountLimit?.ConcurrentExecutions
  if (quota === undefined) throw new Error('AWS did not return the quota of concurrent Lambda executions.')
  if (concurrency <= quota) return
  throw new Error(
    `\`concurrency\` is ${concurrency}, but the account may run ${quota} functions at once: set "concurrency": ${quota} in deployments/${stage}.json, or raise the quota "Concurrent executions" of Lambda first.`,
  )
}
