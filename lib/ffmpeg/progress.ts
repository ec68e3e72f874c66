/**
 * Parses the output of ffmpeg's `-progress` option: blocks of `key=value` lines, each ended by `progress=continue` or
 * `end`.
 */

/** One report. `outTimeMs` is the duration of the output so far; 0 where ffmpeg prints N/A. */
export interface FfmpegProgress {
  frame: number
  outTimeMs: number
  bytes: number
  ended: boolean
}

/** The complete reports in `text`, and the incomplete rest to prepend to the next chunk. */
export function parseProgress(text: string): { reports: FfmpegProgress[]; rest: string } {
  const blocks = text.split(/(?<=^progress=\w+\n)/m)
  const rest = /^progress=\w+\n/m.test(blocks.at(-1) ?? '') ? '' : (blocks.pop() ?? '')
  return { reports: blocks.map(readReport), rest }
}

function readReport(block: string): FfmpegProgress {
  const fields = new Map(block.split('\n').map((line) => splitField(line)))
  const numberOf = (key: string) => Math.max(0, Number(fields.get(key)) || 0)
  return {
    frame: numberOf('frame'),
    // `out_time_ms` also contains microseconds, a bug that ffmpeg keeps for compatibility.
    outTimeMs: numberOf('out_time_us') / 1000,
    bytes: numberOf('total_size'),
    ended: fields.get('progress') === 'end',
  }
}

function splitField(line: string): [string, string] {
  const equals = line.indexOf('=')
  return [line.slice(0, equals), line.slice(equals + 1).trim()]
}
