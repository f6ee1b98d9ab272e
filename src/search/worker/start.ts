import type { Worker, WorkerOptions } from 'node:worker_threads'
import { startThread } from '../../executable.ts'

/** Starts the search thread from the file in this folder. */
export function startSearchThread(options: WorkerOptions): Worker {
  return startThread('thread', import.meta.url, options)
}
