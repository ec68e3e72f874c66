/** Measures a finished render: loudness and silence, which platforms would otherwise alter. */
import { renderChecks } from '../../../lib/domain/generation/quality/checks.ts'
import { type Quality, qualityOf } from '../../../lib/domain/records/quality.ts'
import { restrictedInput } from '../../../lib/ffmpeg/limits.ts'
import { runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import { analyseSound } from '../../../lib/render/sound/sound-analysis.ts'
import type { FfmpegContext } from '../ffmpeg-context.ts'

/** Hz. Speech has no significant content above half of it. */
const sampleRate = 24_000
const timeoutMs = 60_000

/** The result is only reported: rendering is deterministic, so a retry would not change it. */
export async function measureRenderQuality(
  path: string,
  context: Pick<FfmpegContext, 'directory' | 'signal'>,
): Promise<Quality> {
  const { output } = await runFfmpeg({
    ...context,
    timeoutMs,
    arguments: [
      ...['-v', 'error', ...restrictedInput(path, 'mov'), '-map', '0:a:0', '-ac', '1', '-ar', `${sampleRate}`],
      ...['-f', 's16le', 'pipe:1'],
    ],
  })
  const samples = new Int16Array(Uint8Array.from(output).buffer, 0, output.length >> 1)
  return qualityOf(renderChecks(analyseSound({ samples, sampleRate })))
}
