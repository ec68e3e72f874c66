/** Compares the workers of a deployment. docs/operations/deploy.md says when. */
import type { Command } from './command.ts'
import { compareLanes } from './compare-lanes.ts'

export const laneCommands: Record<string, Command> = {
  'lanes compare': {
    usage: '',
    summary: 'Renders a fixed video in the media function and in a task, and fails unless both give the same bytes.',
    run: async () => {
      const { outcome, ...comparison } = await compareLanes()
      if (outcome !== 'equal') throw new Error(comparison.report)
      return comparison
    },
  },
}
