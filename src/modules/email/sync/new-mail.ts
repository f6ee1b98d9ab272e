import type { Outbound } from '../../../outbound/outbound.ts'

/** Accounts of which a server has just told this process that something happened: a run that is under way looks at once. Anyone who notes it asks for a run too. */
const announced = new WeakMap<Outbound, Set<string>>()

export function markServerChanged(outbound: Outbound, accountId: string): void {
  const all = announced.get(outbound) ?? new Set<string>()
  announced.set(outbound, all.add(accountId))
}

/** Whether there was something, of which no one has to be told again. */
export function takeNewsOf(outbound: Outbound, accountId: string): boolean {
  return announced.get(outbound)?.delete(accountId) ?? false
}
