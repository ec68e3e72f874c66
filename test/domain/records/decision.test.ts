/** What follows from a decision: the videos that it changes, and the runs whose permits it frees. */
import { expect, it } from 'vitest'
import { changedVideos, endedRuns, type RecordChange } from '../../../lib/domain/records/decision.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { renderedVideo } from '../support/publications.ts'
import { videoThatIs } from '../support/videos.ts'

const change = (before: Video | undefined, after: Video): RecordChange => ({ record: 'video', before, after })
const removal = (before: Video): RecordChange => ({
  ...{ record: 'video', before, after: undefined },
  ...{ holdings: { storedBytes: 0, clips: 0 }, parentIsGone: false },
})
const open = videoThatIs.generating()
const done = { ...open, process: { ...open.process!, status: 'COMPLETED' as const } }
const rendering = { ...open, render: { ...renderedVideo.render!, status: 'PROCESSING' as const } }

it('the changed videos are those that are left', () => {
  expect(changedVideos({ changes: [change(open, done), removal(open), change(undefined, rendering)] })).toEqual([
    done,
    rendering,
  ])
})

it.each<[string, RecordChange[], string[]]>([
  ['ends', [change(open, done)], ['run_1']],
  ['goes on', [change(open, { ...open, title: 'Named' })], []],
  ['has ended before', [change(done, { ...done, title: 'Named' })], []],
  ['begins', [change(undefined, open)], []],
  ['is removed with its video', [removal(rendering)], ['run_1', 'run_2']],
  ['is replaced', [change(open, { ...open, process: { ...open.process!, runId: 'run_9' } })], ['run_1']],
  ['was closed and is open again', [change(done, open)], []],
])('a run that %s frees its permit: %#', (_name, changes, runs) => {
  expect(endedRuns({ changes })).toEqual(runs)
})
