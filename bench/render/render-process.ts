/** Runs `render-once.ts` as a process and measures it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RenderedVideo } from '../../containers/media/render/render-composition.ts'
import { type CommandTiming, measureCommand } from './measure.ts'
import type { RenderOnceRequest } from './render-once.ts'

export type RenderRun = CommandTiming & Pick<RenderedVideo, 'sha256' | 'bytes' | 'reuse' | 'videoPath'>

type Request = Omit<RenderOnceRequest, 'directory'>

/** Renders into a new directory in `base`, which is deleted again unless `keepFiles`. */
export async function renderInProcess(base: string, request: Request, keepFiles = false): Promise<RenderRun> {
  const timing = await measureCommand(renderCommand(base, request))
  const run: RenderRun = { ...timing, ...JSON.parse(timing.output) }
  if (!keepFiles) rmSync(join(run.videoPath, '..'), { recursive: true })
  return run
}

/** The command of a render into a new directory in `base`. */
export function renderCommand(base: string, request: Request): string[] {
  const directory = mkdtempSync(join(base, 'render-'))
  const file = `${directory}.json`
  writeFileSync(file, JSON.stringify({ ...request, directory } satisfies RenderOnceRequest))
  const script = join(import.meta.dirname, 'render-once.ts')
  return [process.execPath, '--disable-warning=ExperimentalWarning', script, file]
}
