/** EventBridge Scheduler: wakes automations when their slots are due. The one door to it. */
import { ConflictException, CreateScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler'
import type { SlotTimer } from '../domain/core/outbox.ts'
import { env } from '../env.ts'

const scheduler = new SchedulerClient({
  maxAttempts: 4,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
})

/** Behind it the sweeper is faster. */
const retrySeconds = 60

/**
 * Plans one call of the slot worker, to the second, which deletes itself when it is done. Named by what it is for: planned already is as good
 * as planned, and one that an edit made needless finds nothing to do.
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
