import type { Id } from '../../../kernel/ids.ts'
import { z } from 'zod'
import { GiveUp, jobKind, type JobContext } from '../../../operations/jobs/job.ts'
import { Unreachable } from '../../../outbound/guard.ts'
import { emailNow } from '../outbox/access-outcomes.ts'
import { wayOut, type Leaving } from '../outbox/unsubscribe-methods.ts'

const timeout = 15_000
const maxAttempts = 5

/** Unsubscribes by one click, as RFC 8058 has it: one POST that carries nothing of its sender but what the link itself holds. */
export const unsubscribe = jobKind({
  name: 'unsubscribe',
  about: 'Unsubscribes from mail of a sender',
  args: z.strictObject({ email_id: z.string() }),
  maxAttempts: maxAttempts + 1,
  async run({ email_id }, job) {
    const emailState = await job.write((system) => emailNow(system, email_id as Id<'emails'>))
    const way =
      emailState &&
      wayOut(
        JSON.parse(emailState.row.unsubscribe_json ?? '{}') as Leaving,
        emailState.row.authentication_json,
      )
    if (way?.by !== 'post') return { asked: false }
    const problem = await asked(job, way.url)
    if (problem === undefined) return { asked: true }
    if (job.attempt < maxAttempts && !problem.isFinal) throw new Error(problem.words)
    await job.write((system) =>
      system.as(emailState!.row.owner_id, async (ctx) =>
        ctx.notify(
          'reminder',
          [emailState!.row.owner_id],
          'emails',
          emailState!.row,
          `Unsubscribing failed: ${problem.words}`,
        ),
      ),
    )
    throw new GiveUp(problem.words)
  },
})

async function asked(
  job: JobContext,
  url: string,
): Promise<{ words: string; isFinal: boolean } | undefined> {
  try {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { status } = await job.outbound.request(
      url,
      { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' },
      { timeoutMs: timeout, signal: job.signal },
    )
    if (status >= 200 && status < 300) return undefined
    return {
      words: `the sender's server answered ${status}.`,
      isFinal: status >= 300 && status < 500 && status !== 429,
    }
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    job.signal.throwIfAborted()
    return {
      words: "the sender's server could not be reached.",
      isFinal: error.reason === 'blocked',
    }
  }
}
