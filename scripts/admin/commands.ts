/** The registry of admin commands, in the order of the help. */
import { automationCommands } from './automations.ts'
import type { Command } from './command.ts'
import { keyCommands } from './keys.ts'
import { laneCommands } from './lanes.ts'
import { profileCommands } from './profiles.ts'
import { restoreCommands } from './restore.ts'
import { videoCommands } from './videos.ts'
import { webhookCommands } from './webhooks.ts'
import { workspaceCommands } from './workspaces.ts'

export const commands: Record<string, Command> = {
  ...workspaceCommands,
  ...keyCommands,
  ...profileCommands,
  ...automationCommands,
  ...videoCommands,
  ...webhookCommands,
  ...laneCommands,
  ...restoreCommands,
}
