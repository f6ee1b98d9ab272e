import type { Command } from 'commander'
import { Refusal } from '../../kernel/refusal.ts'
import type { Settings } from '../../config/settings.ts'
import { findKey } from '../../keys/issue.ts'
import { requirePerson } from '../../identity/people.ts'
import { usageOf, type OrgUsage } from '../../limits/usage.ts'
import { addCommand, print, table, type CommonOptions } from '../command.ts'
import { withStore, type CommandContext } from '../open.ts'
import { requireOrganization } from '../people/orgs.ts'

const examples = [
  'workspace usage',
  'workspace usage --org "Acme Ltd" --json',
  'workspace usage --user ann@example.org',
  'workspace usage --key svc_k3J9xQ2a',
]

export function registerUsageCommand(program: Command): void {
  addCommand(
    program,
    'usage',
    'Show calls made today and this month by person and key, and the limits of the plan.',
    examples,
  )
    .option('--org <name or id>', 'only this organization')
    .option('--user <email>', 'only this person')
    .option('--key <key>', 'only this key, by id or first characters')
    .action(usage)
}

interface UsageOptions extends CommonOptions {
  org?: string
  user?: string
  key?: string
}

async function usage(options: UsageOptions): Promise<void> {
  const orgUsages = await withStore(options, async (opened) =>
    (await loadUsages(opened, options)).map((orgUsage) => withPlan(orgUsage, opened.settings)),
  )
  print(
    options.json,
    orgUsages,
    () => orgUsages.map(formatUsage).join('\n\n') || 'There is no organization yet.',
  )
}

async function loadUsages(
  { store, clock }: CommandContext,
  { org, user, key }: UsageOptions,
): Promise<OrgUsage[]> {
  const person = user === undefined ? undefined : await requirePerson(store, user)
  const keyRow = key === undefined ? undefined : await findKey(store, key)
  if (person && keyRow && keyRow.owner_id !== person.id)
    throw new Refusal('invalid_argument', 'That key does not belong to that person.')
  const orgId = org === undefined ? undefined : (await requireOrganization(store, org)).id
  const selectedOrg = orgId ?? person?.org_id ?? keyRow?.org_id
  const all =
    selectedOrg === undefined
      ? (await store.read.selectFrom('orgs').select('id').orderBy('created_at').execute()).map(
          (row) => row.id,
        )
      : [selectedOrg]
  const usages: OrgUsage[] = []
  for (const id of all)
    usages.push(await usageOf(store, id, clock.now(), { person: person?.id, key: keyRow?.id }))
  return usages
}

function withPlan(orgUsage: OrgUsage, { plans, default_plan }: Settings) {
  const name =
    orgUsage.plan !== null && Object.hasOwn(plans, orgUsage.plan) ? orgUsage.plan : default_plan
  return {
    ...orgUsage,
    plan: name,
    limits: plans[name]!,
    ...(orgUsage.plan === null || orgUsage.plan === name ? {} : { unknown_plan: orgUsage.plan }),
  }
}

type PlanUsage = ReturnType<typeof withPlan>

function formatUsage(item: PlanUsage): string {
  const { calls_per_day, calls_per_month, members, storage_bytes } = item.limits
  const head = [
    `${item.name}: plan ${item.plan}${item.unknown_plan === undefined ? '' : ` (it was given ${item.unknown_plan}, which WORKSPACE_PLANS does not name here)`}`,
    `  calls today (${item.day}, ${item.timezone})  ${share(item.today, calls_per_day)}`,
    `  calls this month  ${share(item.month, calls_per_month)}`,
    `  people  ${share(item.members, members)}`,
    `  bytes of files  ${share(item.storage_bytes, storage_bytes)}`,
  ]
  const lines = item.lines.map((line) => [
    line.email,
    line.key_name ?? '– (signed in)',
    line.key_id ?? '–',
    String(line.today),
    String(line.month),
  ])
  return `${head.join('\n')}\n${lines.length === 0 ? '  No calls this month.' : table(['PERSON', 'KEY', 'ID', 'TODAY', 'MONTH'], lines)}`
}

function share(used: number, limit: number | undefined): string {
  if (limit === undefined) return String(used)
  const percent = limit === 0 ? 100 : Math.floor((100 * used) / limit)
  return `${used} of ${limit} (${percent} %)${percent >= 80 ? ' !' : ''}`
}
