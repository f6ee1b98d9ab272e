import type { Command } from 'commander'
import { verifyCalls } from '../audit/verify.ts'
import { command, group, print, type Common } from './command.ts'
import { exits } from './exit.ts'
import { withStore } from './open.ts'

export function register(program: Command): void {
  const audit = group(program, 'audit', 'Checks that the call log is whole.', ['workspace audit verify'])
  command(audit, 'verify', 'Recomputes the chain of the call log from its first entry, and names the first that was changed or is missing. Exit code 0 or 1; works while the server runs.', [
    'workspace audit verify',
    'workspace audit verify --json',
  ]).action(verify)
}

async function verify(given: Common): Promise<void> {
  const reports = await withStore(given, async ({ store }) => {
    const names = new Map((await store.read.selectFrom('orgs').select(['id', 'name']).execute()).map(org => [org.id as string, org.name]))
    return verifyCalls(store.raw.read).map(report => ({ ...report, name: names.get(report.org_id) ?? report.org_id }))
  })
  const ok = reports.every(report => !report.broken)
  print(given.json, { ok, organizations: reports }, () => reports.map(sentence).join('\n') || 'There is no organization yet.')
  if (!ok) process.exitCode = exits.refused
}

function sentence({ name, entries, broken }: ReturnType<typeof verifyCalls>[number] & { name: string }): string {
  if (!broken) return `${name}: ${entries} entries, whole.`
  return `${name}: BROKEN at entry ${broken.seq} (${broken.id}): ${broken.why}. The ${entries - 1} before it are whole.`
}
