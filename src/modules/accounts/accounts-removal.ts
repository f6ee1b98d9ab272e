import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import { RemovedAccount } from './shapes.ts'
import { revoke } from '../../connectors/google/oauth.ts'
import { jobKind } from '../../operations/jobs/job.ts'
import { endpoint, type PersonRequest } from '../../operations/endpoints/endpoint.ts'
import { requireAccount } from './updates.ts'
import { isRemoved } from './sync-lists.ts'
import { requestSender, forgetToken, googleClient } from './sync-sign-in.ts'
import { ensureDefaultAccount } from './defaults.ts'

/** Erases the local data of a removed account, and then its row: thousands of mails take a while. */
export const eraseAccount = jobKind({
  name: 'erase_account',
  about: 'Erases the local copies of a removed account',
  args: z.strictObject({ account_id: z.string() }),
  concurrency: 1,
  maxAttempts: 50,
  async run({ account_id }, job) {
    const isErasable = await job.write((system) => isRemoved(system, account_id))
    if (isErasable) await job.erase('accounts', account_id)
    return { erased: isErasable }
  },
})

export const removeAccount = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/accounts/:id/remove',
  name: 'remove_account',
  about: 'removes it, ends the consent, and erases its local data',
  output: RemovedAccount,
  async handle(_, request) {
    const row = await request.read((ctx) => requireAccount(ctx, request))
    const refreshToken =
      row.provider === 'google'
        ? await request.secrets.read('accounts', row, 'refresh_token')
        : undefined
    await request.change(async (ctx) => {
      const before = await requireAccount(ctx, request)
      await ctx.change('accounts', before, {
        removed_at: ctx.now,
        is_default: 0,
        status: 'disabled',
        problem: null,
        problem_since: null,
      })
      await ensureDefaultAccount(ctx)
      await ctx.secrets.drop('accounts', before)
      await ctx.job(eraseAccount.name, { account_id: before.id }, { uniqueKey: before.id })
    })
    forgetToken(request.outbound, row.id)
    const revoked =
      refreshToken === undefined ? undefined : await revokeConsent(request, refreshToken)
    return {
      id: row.id,
      removed: true as const,
      ...(revoked === undefined
        ? {}
        : omitNullish({
            consent_ended: revoked,
            what_to_do: revoked
              ? undefined
              : 'Google could not be notified. Remove the access of this workspace at myaccount.google.com/permissions.',
          })),
    }
  },
})

/** Runs when nothing here can use the token any more. Returns whether Google confirms the revocation. */
async function revokeConsent(request: PersonRequest, refreshToken: string): Promise<boolean> {
  try {
    await revoke(
      googleClient(request.settings),
      requestSender(request.outbound, request.signal),
      refreshToken,
    )
    return true
  } catch (error) {
    request.log.warn('the consent of an account that was removed could not be ended', {
      why: error instanceof Error ? error.message.slice(0, 200) : String(error),
    })
    return false
  }
}
