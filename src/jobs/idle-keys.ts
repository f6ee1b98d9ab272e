import type { App } from '../operations/app.ts'
import { dayLength } from '../kernel/time/times.ts'

const warningPeriod = 30 * dayLength

/**
 * Expires keys that were not used for this many days (`key_idle_days`), since a leak of a forgotten key would go
 * unnoticed. The log names each once when 30 days are left; `warned` remembers which.
 */
export async function expireIdleKeys(app: App, warned: Set<string>): Promise<void> {
  const { settings, clock, store, log } = app
  if (settings.key_idle_days === 0) return
  const now = clock.now()
  const idle = await idleSince(app, now - settings.key_idle_days * dayLength + warningPeriod)
  const due = idle.filter((key) => key.used_at <= now - settings.key_idle_days * dayLength)
  for (const key of idle) {
    if (due.includes(key) || warned.has(key.id)) continue
    warned.add(key.id)
    log.warn('a key will expire because it is not used', {
      key: key.id,
      last_used_at: new Date(key.used_at).toISOString(),
    })
  }
  if (due.length === 0) return
  await store.writer.run(async () => {
    for (const key of due)
      await store.write
        .updateTable('api_keys')
        .set({ expires_at: now })
        .where('id', '=', key.id)
        .where('revoked_at', 'is', null)
        .execute()
  })
  for (const key of due) log.warn('a key has expired because it was not used', { key: key.id })
}

async function idleSince(app: App, moment: number) {
  const rows = await app.store.read
    .selectFrom('api_keys')
    .select((eb) => ['id', eb.fn.coalesce('last_used_at', 'created_at').as('used_at')])
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', app.clock.now())]))
    .where((eb) => eb(eb.fn.coalesce('last_used_at', 'created_at'), '<=', moment))
    .limit(100)
    .execute()
  return rows
}
