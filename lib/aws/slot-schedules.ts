/**
 * EventBridge Scheduler: calls the slot worker when a slot of an automation is due. The only client of the scheduler.
 */
import { ConflictException, CreateScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler'
import type { SlotTimer } from '../domain/core/outbox.ts'
import { env } from '../env.ts'

const scheduler = new SchedulerClient({
  maxAttempts: 4,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
})

/** After this the sweeper is faster. */
const retrySeconds = 60

/**
 * Creates a one-time schedule for the slot worker, which deletes itself afterwards. Idempotent: its name consists of
 * the automation and the second. A schedule outdated by an edit finds nothing to do.
 */
export async function createSlotSchedule({
  workspaceId,
  automationId,
  at,
}: SlotTimer & { workspaceId: string }): Promise<void> {
  const { groupName, workerArn, roleArn, deadLettersArn } = env.slotSchedules()
  const second = at.slice(0, 19)
  try {
    await scheduler.send(
      new CreateScheduleCommand({
        GroupName: groupName,
        Name: `${automationId}-${second.replace(/\D/g, '')}`,
        ScheduleExpression: `at(${second})`,
        ScheduleExpressionTimezone: 'UTC',
        FlexibleTimeWindow: { Mode: 'OFF' },
        ActionAfterCompletion: 'DELETE',
        Target: {
          Arn: workerArn,
          RoleArn: roleArn,
          Input: JSON.stringify({ workspaceId, automationId }),
          RetryPolicy: { MaximumEventAgeInSeconds: retrySeconds, MaximumRetryAttempts: 2 },
          DeadLetterConfig: { Arn: deadLettersArn },
        },
      }),
    )
  } catch (error) {
    if (!(error instanceof ConflictException)) throw error
  }
}
