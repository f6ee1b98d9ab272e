import { presenter } from '../../operations/listing/presenters.ts'
import { job } from './access.ts'
import { presentJob } from './shapes.ts'

export const systemPresenters = [
  presenter(job, {
    operation: 'get_job',
    entries: (_, rows) => rows.map((row) => presentJob(row)),
  }),
]
