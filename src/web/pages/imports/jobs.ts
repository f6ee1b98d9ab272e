import { queryOptions } from '@tanstack/react-query'
import { callByName } from '../../api/client.ts'
import { ApiError } from '../../api/problem.ts'
import { queries } from '../../api/queries.ts'
import { notify, pushUndo, undoLast } from '../../store/index.ts'
import { t } from '../../texts/index.ts'

/** A job as returned by the server: the job endpoints are not in the list of operations. */
export interface ImportJob {
  id: string
  state: 'waiting' | 'running' | 'done' | 'dead' | 'cancelled'
  progress?: { done: number; total?: number; message?: string }
  result?: unknown
  error?: string
}

const pollMs = 1000
const offlinePollMs = 5000

export const isRunning = ({ state }: ImportJob) => state === 'waiting' || state === 'running'

/** Query for a job; while `followJob` polls it, all its observers are updated. */
export const jobQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['call', 'get_job', { job_id: jobId }],
    queryFn: ({ signal }) => callByName<ImportJob>('get_job', { job_id: jobId }, signal),
  })

/** Stops a job; its results so far stay. @throws ApiError */
export const stopJob = (jobId: string) => callByName<ImportJob>('cancel_job', { job_id: jobId })

/** Follows a job to its end, even after its dialog was closed. @throws ApiError if the job cannot be read */
export async function followJob(jobId: string): Promise<ImportJob> {
  for (;;) {
    const job = await fetchJob(jobId)
    if (job && !isRunning(job)) return job
    await new Promise((resolve) => setTimeout(resolve, job ? pollMs : offlinePollMs))
  }
}

/** The current state of a job; undefined while the server is unreachable. */
async function fetchJob(jobId: string): Promise<ImportJob | undefined> {
  try {
    return await queries.fetchQuery({ ...jobQuery(jobId), staleTime: 0 })
  } catch (error) {
    if (error instanceof ApiError && (error.isOffline || error.status >= 500)) return undefined
    throw error
  }
}

/** Reports the end of an import; `z` undoes all its calls together. */
export function notifyImported(
  text: string,
  callIds: readonly string[],
  problem?: string | undefined,
): void {
  const [first] = callIds
  for (const callId of callIds) pushUndo({ callId, text, group: first })
  notify({
    text,
    ...(problem !== undefined && { problem }),
    seconds: problem === undefined ? 20 : 0,
    actions:
      first === undefined ? [] : [{ label: t.app.sync.undo, run: () => void undoLast(first) }],
  })
}
