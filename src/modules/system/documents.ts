import type { z } from 'zod'
import { document } from '../../operations/documents.ts'
import { blocks, factList, fenced } from '../../kernel/text/markdown.ts'
import { job, newestJobs } from './access.ts'
import type { Job } from './shapes.ts'

/**
 * Lets assistants follow work that outlives its call: an operation returns a job id, and this address reports its
 * progress.
 */
export const jobDocument = document({
  name: 'jobs',
  title: 'Job',
  about: 'Status of a background job that you started, by id: state, progress, result or error',
  resource: job,
  read: { operation: 'get_job', argument: 'job_id' },
  subscribable: false,
  searchedColumns: ['jobs.kind'],
  newest: newestJobs,
  candidates: (ctx, text, limit) => newestJobs(ctx, undefined, limit, text),
  text: textOfJob,
})

/** A job as Markdown. */
function textOfJob({
  id,
  kind,
  state,
  attempts,
  progress,
  result,
  error,
  ...times
}: z.infer<typeof Job>): string {
  return blocks(
    `# ${kind.replaceAll('_', ' ')}`,
    factList({
      State: state,
      Progress:
        progress &&
        `${progress.done}${progress.total === undefined ? '' : ` of ${progress.total}`}${progress.message ? `, ${progress.message}` : ''}`,
      Attempts: attempts,
      Error: error,
      Created: times.created_at,
      Started: times.started_at,
      Finished: times.finished_at,
      Id: id,
    }),
    result === undefined
      ? ''
      : `Result:\n\n${fenced(JSON.stringify(result, undefined, 2), 'json')}`,
  )
}
