import { runTick } from '../../operations/jobs/system.ts'
import { Queue } from '../../jobs/queue.ts'
import type { TestWorkspace } from '../../testing/harness.ts'
import { feedAutomations } from './triggers/feed.ts'
import { followRuns } from './runs/maintenance.ts'

// Test helpers for a server's background work.

/** Runs all due work until none is left. */
export async function runAutomations({ app }: TestWorkspace): Promise<void> {
  const queue = new Queue(app, { random: () => 0.5 })
  for (let round = 0; round < 200; round++) {
    let busy = false
    for (const tick of [feedAutomations, followRuns]) {
      if (await tick.due!(app.store.read)) {
        busy = true
        while (await runTick(app, tick));
      }
    }
    await queue.drain()
    if (!busy && !(await feedAutomations.due!(app.store.read))) return
  }
  throw new Error('Work remains after 200 rounds.')
}
