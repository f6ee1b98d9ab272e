import { type Actor, isAdmin, nameOfKey } from './actor.ts'
import { Refusal } from './refusal.ts'

/**
 * Rewords the refusal of an administrators-only action for an administrator whose key lacks the rights: the
 * general message would say that the person is not an administrator.
 */
export function explainMissingAdminRights(
  { role, key, ...actor }: Actor,
  refusal: Refusal,
): Refusal {
  if (refusal.code !== 'permission_denied' || role !== 'admin' || !key) return refusal
  if (isAdmin({ role, key, ...actor }) || !/\badministrators?\b/.test(refusal.message))
    return refusal
  if (refusal.message.includes('does not have administrator rights')) return refusal
  return new Refusal(
    'permission_denied',
    `${nameOfKey(key)} does not have administrator rights. ${refusal.message}`,
    { ...refusal.more, hint: 'Use a key created with `workspace keys create --admin`.' },
  )
}
