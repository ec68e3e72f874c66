/** The operator's commands for automations. */

import { findVideo } from '../../lib/store/videos.ts'
import { advanceTestClock } from '../../lib/use-cases/automations/move-test-clock.ts'
import { pauseAutomations, resumeAutomations } from '../../lib/use-cases/automations/pause-all.ts'
import { triggerNextSlot } from '../../lib/use-cases/automations/trigger-next-slot.ts'
import { type Command, type Flags, requireFlag } from './command.ts'
import { workspacesOf, workspaceUsage } from './workspace-flag.ts'

export const automationCommands: Record<string, Command> = {
  'automation pause': {
    usage: `--all ${workspaceUsage}`,
    summary: 'Pauses all active automations, of every workspace unless one is named.',
    empty: 'No automations to pause.',
    run: (flags) => changeAll(flags, 'paused', pauseAutomations),
  },
  'automation resume': {
    usage: `--all ${workspaceUsage}`,
    summary: 'Resumes the automations that the pause command paused, and no others.',
    empty: 'No automations to resume.',
    run: (flags) => changeAll(flags, 'resumed', resumeAutomations),
  },
  'slot fire': {
    usage: `--automation AUTOMATION ${workspaceUsage}`,
    summary: 'Runs the next slot of an automation now.',
    run: async (flags) => {
      const automationId = requireFlag(flags, 'automation')
      return triggerNextSlot(await workspaceOf(automationId, flags), automationId)
    },
  },
  'clock advance': {
    usage: '--workspace WORKSPACE 30d|12h|45m',
    summary: 'Moves the clock of a test workspace from slot to slot.',
    hasArgument: true,
    run: (flags, { isLocal }) =>
      advanceTestClock(requireFlag(flags, 'workspace'), secondsIn(flags.argument ?? ''), {
        allowAnyWorkspace: isLocal === true,
      }),
  },
}

/** One row for each workspace of which an automation was changed. */
async function changeAll(
  flags: Flags,
  name: 'paused' | 'resumed',
  change: (workspaceId: string, reason: 'operator') => Promise<number>,
): Promise<object[]> {
  if (!flags.all) throw new Error('--all is required: the command changes all automations.')
  const rows: object[] = []
  for (const workspaceId of await workspacesOf(flags)) {
    const count = await change(workspaceId, 'operator')
    if (count > 0) rows.push({ workspaceId, [name]: count })
  }
  return rows
}

const unitSeconds = { d: 24 * 60 * 60, h: 60 * 60, m: 60 } as const

function secondsIn(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,3})([dhm])$/.exec(text) ?? []
  if (!count)
    throw new Error(
      `The time to advance must be a number of days, hours or minutes, such as 30d, 12h or 45m, not "${text}".`,
    )
  return Number(count) * unitSeconds[unit as keyof typeof unitSeconds]
}

async function workspaceOf(automationId: string, flags: Flags): Promise<string> {
  for (const workspaceId of await workspacesOf(flags))
    if (await findVideo(workspaceId, automationId)) return workspaceId
  throw new Error(`There is no automation ${automationId}.`)
}
