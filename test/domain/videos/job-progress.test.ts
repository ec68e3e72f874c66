import { expect, it } from 'vitest'
import type { RenderJob } from '../../../lib/domain/records/jobs.ts'
import { withReported } from '../../../lib/domain/videos/job-progress.ts'

const job = { runId: 'run_1', status: 'PROCESSING', progress: 10 } as RenderJob

it.each([
  ['its own, where no worker has reported', { batchPercents: [] }, 10],
  ['what its worker reports', { progress: 40, batchPercents: [] }, 40],
  ['no less than before', { progress: 5, batchPercents: [] }, 10],
  ['that of its batches, each of which counts the same', { batches: 2, batchPercents: [100, 50] }, 67],
  ['at most 90 before the batches are joined', { batches: 2, batchPercents: [100, 100] }, 90],
  ['its own, where the number of batches is unknown', { batchPercents: [100] }, 10],
])('the progress of a job is %s', (_, reported, progress) => {
  expect(withReported(job, reported)).toEqual({ ...job, progress })
})
