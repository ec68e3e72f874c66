/** The client of EventBridge Scheduler, on the local emulator. */
import { DeleteScheduleCommand, GetScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler'
import { describe, expect, it } from 'vitest'
import { createSlotSchedule } from '../../lib/aws/slot-schedules.ts'
import { env } from '../../lib/env.ts'

describe('a slot timer', () => {
  it('invokes the worker once, at its second, however often it was set, and is deleted then', async () => {
    const ids = { workspaceId: 'wsp_1', automationId: `vid_${Date.now()}` }
    const alarm = { ...ids, at: '2099-12-31T23:59:07.250Z', cause: 'x' }
    await Promise.all([createSlotSchedule(alarm), createSlotSchedule(alarm)])
    await createSlotSchedule(alarm)
    const { groupName: GroupName, workerArn, roleArn, deadLettersArn } = env.slotSchedules()
    const schedule = { GroupName, Name: `${ids.automationId}-20991231235907` }
    const client = new SchedulerClient()
    expect(await client.send(new GetScheduleCommand(schedule))).toMatchObject({
      ...schedule,
      ScheduleExpression: 'at(2099-12-31T23:59:07)',
      ScheduleExpressionTimezone: 'UTC',
      ActionAfterCompletion: 'DELETE',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Arn: workerArn,
        RoleArn: roleArn,
        Input: JSON.stringify(ids),
        DeadLetterConfig: { Arn: deadLettersArn },
      },
    })
    await client.send(new DeleteScheduleCommand(schedule))
  })
})
