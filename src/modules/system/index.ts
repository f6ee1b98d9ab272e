import type { Module } from '../../core/operation.ts'
import { jobDocument } from './documents.ts'
import * as jobs from './jobs.ts'
import { pruneJobs } from './pruning.ts'
import * as tools from './tools.ts'

export const systemModule: Module = {
  name: 'system',
  about: 'The tools themselves: which there are, what they take and answer; and how far work in the background is. Nouns: tool, job.',
  operations: [...Object.values(tools), ...Object.values(jobs)],
  documents: [jobDocument],
  jobs: [pruneJobs],
  schedules: [{ name: 'prune_jobs', cron: '17 3 * * *', kind: pruneJobs.name }],
}
