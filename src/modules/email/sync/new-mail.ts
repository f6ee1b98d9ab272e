import type { Outbound } from '../../../outbound/outbound.ts'

/** Accounts with changes announced by their server: a running sync checks them at once. Callers that mark an account also request a sync. */
const announced = new WeakMap<Outbound, Set<string>>()

export function markServerChanged(outbound: Outbound, accountId: string): void {
  const all = announced.get(outbound) ?? new Set<string>()
  announced.set(outbound, all.add(accountId))
}

/** Returns whether changes were announced, and clears the mark. */
export function takeServerChanged(outbound: Outbound, accountId: string): boolean {
  return announced.get(outbound)?.delete(accountId) ?? false
}
