import type { Outbound } from '../../../outbound/outbound.ts'

/** Accounts of which a server has just told this process that something happened: a run that is under way looks at once. Whoever notes it asks for a run too. */
const told = new WeakMap<Outbound, Set<string>>()

export function noteNewsOf(outbound: Outbound, accountId: string): void {
  const all = told.get(outbound) ?? new Set<string>()
  told.set(outbound, all.add(accountId))
}

/** Whether there was something, of which nobody has to be told again. */
export function takeNewsOf(outbound: Outbound, accountId: string): boolean {
  return told.get(outbound)?.delete(accountId) ?? false
}
