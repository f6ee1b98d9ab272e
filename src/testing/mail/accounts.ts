import type { App } from '../../operations/app.ts'
import type { Row } from '../../records/resource.ts'
import { asPerson } from '../../operations/jobs/system.ts'
import type { Someone } from '../harness.ts'

/** Credentials of a test account, besides its columns. */
export interface Opening {
  password?: string
  refreshToken?: string
}

/** A newly connected account of a person, without testing the connection. Without servers it cannot connect. */
export function connectAccount(
  app: App,
  person: Someone,
  more: Partial<Row<'accounts'>> = {},
  { password, refreshToken }: Opening = {},
): Promise<Row<'accounts'>> {
  return asPerson(app, person.id, 'connect_account', async (ctx) => {
    const address = more.address ?? person.actor.email
    const row = await ctx.add('accounts', {
      owner_id: person.id,
      provider: 'imap',
      address,
      display_name: person.actor.display_name,
      login: address,
      has_mail: 1,
      has_calendar: 0,
      has_drive: 0,
      status: 'active',
      services_json: '{}',
      servers_json: '{}',
      signed_in_at: ctx.now,
      is_default: 0,
      ...more,
    })
    if (password !== undefined) await ctx.secrets.put('accounts', row, 'password', password)
    if (refreshToken !== undefined)
      await ctx.secrets.put('accounts', row, 'refresh_token', refreshToken)
    return row
  })
}
