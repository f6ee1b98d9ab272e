import { isAdmin, type Actor } from '../kernel/actor.ts'
import type { App } from '../operations/app.ts'
import { isId, type Id } from '../kernel/ids.ts'
import { denied, notFound, Refusal } from '../kernel/refusal.ts'
import type { Row } from '../records/resource.ts'
import type { Store } from '../db/open.ts'
import { NotSignedIn } from '../keys/verify.ts'

/** @throws Refusal permission_denied */
export function requireAdmin(actor: Actor): void {
  if (!isAdmin(actor)) throw denied('Only administrators may do this.')
}

/** The same with the current state of the database; inside a writer job. @throws Refusal */
export async function recheckAdmin({ keys }: Pick<App, 'keys'>, actor: Actor): Promise<void> {
  const present = await keys.currentActorInJob(actor)
  if (!present) throw new NotSignedIn()
  requireAdmin(present)
}

/** Runs an administrators-only action in a writer job. @throws Refusal */
export async function asAdmin<T>(
  app: App,
  actor: Actor,
  action: (now: number) => Promise<T>,
): Promise<T> {
  requireAdmin(actor)
  return app.store.writer.run(async () => {
    await recheckAdmin(app, actor)
    return action(app.clock.now())
  })
}

/** A colleague that an administrator is about to change; never themselves. @throws Refusal */
export async function requireColleague(
  db: Store['read'],
  actor: Actor,
  id: string,
): Promise<Row<'users'>> {
  const row = isId('usr', id)
    ? await db
        .selectFrom('users')
        .selectAll()
        .where('org_id', '=', actor.org_id)
        .where('id', '=', id as Id<'users'>)
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('person', 'id')
  if (row.id === actor.id)
    throw new Refusal('conflict', 'You cannot do this to yourself.', 'Another administrator can.')
  return row
}

/** Looks up the target of a link. A wrong link counts as a guess by its address. @throws Refusal */
export async function findByLink<T>(
  { limits }: Pick<App, 'limits'>,
  ip: string,
  find: () => Promise<T | undefined>,
): Promise<T> {
  limits.addresses.requireUnblocked(ip)
  const row = await find()
  if (row !== undefined) return row
  limits.addresses.recordFailure(ip)
  throw new Refusal('not_found', 'This link is invalid or has expired.', {
    field: 'token',
    hint: 'Check that you copied all of it, or ask for a new one.',
  })
}
