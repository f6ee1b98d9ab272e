import { operation } from '../../operations/operation.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { cancelJob, job } from './access.ts'
import { Job, presentJob } from './shapes.ts'

export const getJob = operation({
  name: 'get_job',
  kind: 'read',
  rest: 'GET /api/jobs/{job_id}',
  about: 'Status of a background job you started: state, progress, result or error',
  on: { job: job.see },
  output: Job,
  unlisted: true,
  openToAllKeys: true,
  async handle({ job: row }) {
    return presentJob(row)
  },
})

export const cancelJobOperation = operation({
  name: 'cancel_job',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/jobs/{job_id}/cancel',
  about: 'Stops a background job that you started; what it has already done stays',
  on: { job: job.edit },
  output: Job,
  unlisted: true,
  openToAllKeys: true,
  undoCaveat: 'A job that was stopped does not start again: call the operation that started it.',
  async handle({ job: row }, ctx) {
    if (!ctx.catalogue.startedJobs.has(row.kind))
      throw new Refusal(
        'conflict',
        `A job ${row.kind} cannot be cancelled.`,
        'Only jobs whose id was in the answer of a call can be.',
      )
    return presentJob(await cancelJob(ctx, row))
  },
})
