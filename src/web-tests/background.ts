import { Queue } from '../jobs/queue.ts'
import { followChanges } from '../jobs/scheduler.ts'
import { startWatches } from '../jobs/watch-runner.ts'
import type { Web } from './setup.ts'

/** Runs a server's background work: jobs, ticks, mailbox watches. Returns a function that stops it. */
export function runBackground({ app }: Pick<Web, 'app'>): () => Promise<void> {
  const controller = new AbortController()
  const queue = new Queue(app, { poll: 50, isOnlyServer: true })
  queue.start()
  const unfollow = followChanges(app, controller.signal)
  const unwatch = startWatches(app)
  return async () => {
    controller.abort()
    await Promise.all([unfollow(), unwatch(), queue.stop(2_000)])
  }
}
