import type { Module } from '../../operations/module.ts'
import { jobDocument } from './documents.ts'
import * as jobs from './jobs.ts'
import { pruneJobs } from './pruning.ts'
import * as tools from './tools.ts'
import { systemPresenters } from './presenters.ts'

export const systemModule: Module = {
  name: 'system',
  about:
    'The tools themselves, with their inputs and outputs, and the progress of background jobs. Nouns: tool, job.',
  operations: [...Object.values(tools), ...Object.values(jobs)],
  documents: [jobDocument],
  jobs: [pruneJobs],
  schedules: [{ name: 'prune_jobs', cron: '17 3 * * *', kind: pruneJobs.name }],
  presenters: systemPresenters,
}
