import { operation } from '../../operations/operation.ts'
import { job } from './access.ts'
import { Job, showJob } from './shapes.ts'

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
    return showJob(row)
  },
})
