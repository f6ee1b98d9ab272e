import type { Id } from '../../../kernel/ids.ts'
import { z } from 'zod'
import { GiveUp, jobKind, type JobContext } from '../../../operations/jobs/job.ts'
import { Unreachable } from '../../../outbound/guard.ts'
import { currentEmail } from '../outbox/access-outcomes.ts'
import { unsubscribeMethod, type UnsubscribeInfo } from '../outbox/unsubscribe-methods.ts'

const timeout = 15_000
const maxAttempts = 5

/** One-click unsubscribe (RFC 8058): a single POST that contains nothing about the person except the link itself. */
export const unsubscribe = jobKind({
  name: 'unsubscribe',
  about: 'Unsubscribes from mail of a sender',
  args: z.strictObject({ email_id: z.string() }),
  maxAttempts: maxAttempts + 1,
  async run({ email_id }, job) {
    const emailState = await job.write((system) => currentEmail(system, email_id as Id<'emails'>))
    const method =
      emailState &&
      unsubscribeMethod(
        JSON.parse(emailState.row.unsubscribe_json ?? '{}') as UnsubscribeInfo,
        emailState.row.authentication_json,
      )
    if (method?.by !== 'post') return { asked: false }
    const problem = await postUnsubscribe(job, method.url)
    if (problem === undefined) return { asked: true }
    if (job.attempt < maxAttempts && !problem.isFinal) throw new Error(problem.message)
    await job.write((system) =>
      system.as(emailState!.row.owner_id, async (ctx) =>
        ctx.notify(
          'reminder',
          [emailState!.row.owner_id],
          'emails',
          emailState!.row,
          `Unsubscribing failed: ${problem.message}`,
        ),
      ),
    )
    throw new GiveUp(problem.message)
  },
})

async function postUnsubscribe(
  job: JobContext,
  url: string,
): Promise<{ message: string; isFinal: boolean } | undefined> {
  try {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { status } = await job.outbound.request(
      url,
      { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' },
      { timeoutMs: timeout, signal: job.signal },
    )
    if (status >= 200 && status < 300) return undefined
    return {
      message: `the sender's server answered ${status}.`,
      isFinal: status >= 300 && status < 500 && status !== 429,
    }
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    job.signal.throwIfAborted()
    return {
      message: "the sender's server could not be reached.",
      isFinal: error.reason === 'blocked',
    }
  }
}
