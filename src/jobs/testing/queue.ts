import type { TestContext } from 'node:test'
import { z } from 'zod'
import { exponentialBackoff } from '../../kernel/backoff.ts'
import { jobKind, type JobContext, type JobKind } from '../../operations/jobs/job.ts'
import { operation } from '../../operations/operation.ts'
import type { Module } from '../../operations/module.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { modules } from '../../modules/index.ts'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../testing/harness.ts'
import { Queue, type QueueOptions } from '../queue.ts'

/** Body of a test job. */
export type Work = (args: { n: number }, job: JobContext) => Promise<unknown>

const startWork = operation({
  name: 'start_work',
  kind: 'write',
  rest: 'POST /api/work',
  about: 'Ask for work in the background',
  input: { n: z.int() },
  output: z.strictObject({ job_id: z.string() }),
  dryRun: true,
  async handle({ n }, ctx) {
    const job_id = await ctx.job('work', { n })
    if (n < 0) throw new Refusal('conflict', 'After the job was asked for.')
    return { job_id }
  },
})

/** A workspace with a queue of its own. */
export interface QueueWorkspace extends TestWorkspace {
  queue: Queue
  /** The row of a job. */
  row(id: string): Record<string, any>
  count(where: string): number
  requesterOf(who: Someone): { org_id: never; owner_id: never; key_id: null }
}

/** A workspace whose module has one kind of job, with the test's work, and one operation that requests it. */
export async function workspaceWithQueue(
  t: TestContext,
  work: Work,
  { options = {}, kind = {} }: { options?: QueueOptions; kind?: Partial<JobKind> } = {},
): Promise<QueueWorkspace> {
  const workKind = jobKind({
    name: 'work',
    about: 'For this test',
    args: z.strictObject({ n: z.int() }),
    concurrency: 100,
    backoff: exponentialBackoff({ first: 1000, max: 8000 }),
    ...kind,
    run: work as never,
  })
  const module: Module = {
    name: 'working',
    about: 'For this test.',
    operations: [startWork],
    jobs: [workKind],
  }
  const workspace = await makeWorkspace({
    modules: [...modules.map((item) => ({ ...item, schedules: [] })), module],
  })
  const queue = new Queue(workspace.app, { poll: 20, random: () => 0.5, ...options })
  t.after(async () => {
    await queue.stop(500)
    await workspace.close()
  })
  const { read } = workspace.app.store.raw
  return {
    ...workspace,
    queue,
    row: (id) => read.prepare('SELECT * FROM jobs WHERE id = ?').get(id) as Record<string, any>,
    count: (where) =>
      read.prepare(`SELECT count(*) FROM jobs WHERE ${where}`).pluck().get() as number,
    requesterOf: (who) => ({
      org_id: who.actor.org_id as never,
      owner_id: who.id as never,
      key_id: null,
    }),
  }
}
