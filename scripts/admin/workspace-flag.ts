/** Finding records by their id alone: they are addressed by workspace, so without `--workspace` every workspace is searched. */
import { listWorkspaces } from '../../lib/store/workspaces.ts'
import type { Flags } from './command.ts'

export const workspaceUsage = '[--workspace WORKSPACE]'

export const workspacesOf = async ({ workspace }: Flags): Promise<string[]> =>
  workspace ? [workspace] : (await listWorkspaces()).map(({ id }) => id)
