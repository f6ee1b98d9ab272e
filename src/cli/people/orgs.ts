import type { Command } from 'commander'
import { isTimezone } from '../../kernel/fields.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Row } from '../../records/resource.ts'
import type { Store } from '../../db/open.ts'
import { addOrganization } from '../../identity/organization-creation.ts'
import { setPlan } from '../../limits/plan.ts'
import {
  addCommand,
  addCommandGroup,
  isoOrNull,
  print,
  table,
  type CommonOptions,
} from '../command.ts'
import { settingsOf, withStore } from '../open.ts'

export function registerOrgsCommands(program: Command): void {
  const orgs = addCommandGroup(
    program,
    'orgs',
    'Create and list organizations, and assign plans.',
    ['workspace orgs create --name "Acme Ltd" --timezone Europe/Berlin', 'workspace orgs list'],
  )
  addCommand(
    orgs,
    'create',
    'Create an organization. In an empty data folder, this creates the workspace too.',
    ['workspace orgs create --name "Acme Ltd" --timezone Europe/Berlin'],
  )
    .requiredOption('--name <name>', 'name')
    .option('--timezone <zone>', "IANA time zone (default: this machine's)")
    .option('--force', 'create it even if there is one with this name already')
    .action(createOrg)
  addCommand(
    orgs,
    'plan <org> <plan>',
    'Assign a plan from the settings to an organization ("unlimited" always exists). A running server applies it within a second.',
    ['workspace orgs plan "Acme Ltd" small', 'workspace orgs plan acme unlimited'],
  )
    .option('--plans <file or JSON>', 'plan definitions (WORKSPACE_PLANS)')
    .action(assignPlan)
  addCommand(orgs, 'list', 'List the organizations.', ['workspace orgs list --json']).action(
    printOrganizations,
  )
}

async function createOrg(
  options: CommonOptions & { name: string; timezone?: string; force?: true },
): Promise<void> {
  const { name, timezone = machineTimezone() } = options
  const id = await withStore(
    options,
    async ({ store, clock }) => {
      if (!options.force) await requireNewName(store, name)
      return addOrganization(store, clock, { name, timezone })
    },
    'begin',
  )
  const organization = { id, name: name.trim(), timezone }
  const timezoneNote =
    options.timezone === undefined
      ? `Time zone: ${timezone}, as on this machine (--timezone sets another).\n`
      : ''
  print(
    options.json,
    organization,
    () =>
      `Created ${organization.name} (${id}).\n${timezoneNote}Next: workspace users create --org ${id} --email … --name … --admin`,
  )
}

/** The time zone of this machine, if known. */
function machineTimezone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return isTimezone(timeZone) ? timeZone : 'UTC'
}

/** @throws Refusal conflict */
async function requireNewName(store: Store, name: string): Promise<void> {
  const all = await store.read.selectFrom('orgs').select(['id', 'name']).execute()
  const existing = all.find((org) => org.name.toLowerCase() === name.trim().toLowerCase())
  if (existing)
    throw new Refusal(
      'conflict',
      `There is already an organization named ${existing.name} (${existing.id}).`,
      {
        field: 'name',
        hint: 'Choose another name, or add --force to create a second one with this name.',
      },
    )
}

async function assignPlan(
  orgName: string,
  name: string,
  options: CommonOptions & { plans?: string },
): Promise<void> {
  const { plans } = settingsOf({ plans: options.plans })
  const org = await withStore(options, async ({ store, clock }) => {
    const organization = await requireOrganization(store, orgName)
    await setPlan(store, clock, plans, { org: organization.id, plan: name })
    return organization
  })
  print(
    options.json,
    { id: org.id, name: org.name, plan: name, limits: plans[name] },
    () => `${org.name} is now on the ${name} plan.`,
  )
}

async function printOrganizations(cliOptions: CommonOptions): Promise<void> {
  const rows = await withStore(cliOptions, ({ store }) => listOrganizations(store))
  const presented = rows.map(({ id, name, default_timezone, people, created_at }) => ({
    id,
    name,
    timezone: default_timezone,
    people,
    created_at: isoOrNull(created_at),
  }))
  print(cliOptions.json, presented, () =>
    table(
      ['ID', 'NAME', 'TIME ZONE', 'PEOPLE'],
      presented.map((item) => [item.id, item.name, item.timezone, String(item.people)]),
    ),
  )
}

function listOrganizations(store: Store) {
  return store.read
    .selectFrom('orgs')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('users')
        .whereRef('users.org_id', '=', 'orgs.id')
        .where('status', '=', 'active')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .as('people'),
    )
    .orderBy('created_at')
    .execute()
}

/** The organization with a name or id; without one, the only organization. */
export async function requireOrganization(
  store: Store,
  text: string | undefined,
): Promise<Row<'orgs'>> {
  const all = await store.read.selectFrom('orgs').selectAll().orderBy('created_at').execute()
  const matches =
    text === undefined
      ? all
      : all.filter(
          (item) => item.id === text || item.name.toLowerCase() === text.trim().toLowerCase(),
        )
  if (matches.length === 1) return matches[0]!
  if (all.length === 0)
    throw new Refusal(
      'not_found',
      'There is no organization yet.',
      'Create one: workspace orgs create --name …',
    )
  if (matches.length === 0)
    throw new Refusal(
      'not_found',
      `There is no organization ${JSON.stringify(text)}.`,
      `There are ${all.map((item) => item.name).join(', ')}.`,
    )
  throw new Refusal(
    'invalid_argument',
    `Which organization? There are ${matches.map((item) => `${item.name} (${item.id})`).join(', ')}.`,
    { field: 'org', hint: 'Name one with --org.' },
  )
}
