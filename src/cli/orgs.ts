import type { Command } from 'commander'
import { Refusal } from '../core/refusal.ts'
import type { Row } from '../core/resource.ts'
import type { Store } from '../db/open.ts'
import { addOrganization } from '../keys/people.ts'
import { setPlan } from '../limits/plan.ts'
import { command, group, isoOrNull, print, table, type Common } from './command.ts'
import { settingsOf, withStore } from './open.ts'

export function register(program: Command): void {
  const orgs = group(program, 'orgs', 'Creates and lists organizations, and gives them plans.', ['workspace orgs create --name "Acme Ltd" --timezone Europe/Berlin', 'workspace orgs list'])
  command(orgs, 'create', 'Makes an organization, and on an empty folder the workspace itself.', ['workspace orgs create --name "Acme Ltd" --timezone Europe/Berlin'])
    .requiredOption('--name <name>', 'its name')
    .option('--timezone <zone>', 'its time zone, of the IANA list (default: UTC)')
    .action(create)
  command(orgs, 'plan <org> <plan>', 'Gives an organization a plan of the settings; unlimited is always one. A server takes it up within a second.', ['workspace orgs plan "Acme Ltd" small', 'workspace orgs plan acme unlimited'])
    .option('--plans <file or JSON>', 'the plans, where the environment does not say (WORKSPACE_PLANS)')
    .action(plan)
  command(orgs, 'list', 'Lists the organizations.', ['workspace orgs list --json']).action(list)
}

async function create(given: Common & { name: string; timezone?: string }): Promise<void> {
  const id = await withStore(given, ({ store, clock }) => addOrganization(store, clock, given), 'begin')
  const made = { id, name: given.name.trim(), timezone: given.timezone ?? 'UTC' }
  print(given.json, made, () => `Made ${made.name} (${id}).\nNext: workspace users create --org ${id} --email … --name … --admin`)
}

async function plan(named: string, name: string, given: Common & { plans?: string }): Promise<void> {
  const { plans } = settingsOf({ plans: given.plans })
  const org = await withStore(given, async ({ store, clock }) => {
    const found = await demandOrganization(store, named)
    await setPlan(store, clock, plans, { org: found.id, plan: name })
    return found
  })
  print(given.json, { id: org.id, name: org.name, plan: name, limits: plans[name] }, () => `${org.name} has the plan ${name} now.`)
}

async function list(given: Common): Promise<void> {
  const rows = await withStore(given, ({ store }) => organizations(store))
  const shown = rows.map(({ id, name, default_timezone, people, created_at }) => ({ id, name, timezone: default_timezone, people, created_at: isoOrNull(created_at) }))
  print(given.json, shown, () => table(['ID', 'NAME', 'TIME ZONE', 'PEOPLE'], shown.map(one => [one.id, one.name, one.timezone, String(one.people)])))
}

function organizations(store: Store) {
  return store.read
    .selectFrom('orgs')
    .selectAll()
    .select(eb => eb.selectFrom('users').whereRef('users.org_id', '=', 'orgs.id').where('status', '=', 'active').select(of => of.fn.countAll<number>().as('n')).as('people'))
    .orderBy('created_at')
    .execute()
}

/** The organization of a name or id; where none is given, the only one there is. */
export async function demandOrganization(store: Store, text: string | undefined): Promise<Row<'orgs'>> {
  const all = await store.read.selectFrom('orgs').selectAll().orderBy('created_at').execute()
  const found = text === undefined ? all : all.filter(one => one.id === text || one.name.toLowerCase() === text.trim().toLowerCase())
  if (found.length === 1) return found[0]!
  if (all.length === 0) throw new Refusal('not_found', 'There is no organization yet.', 'Make one: workspace orgs create --name …')
  if (found.length === 0) throw new Refusal('not_found', `There is no organization ${JSON.stringify(text)}.`, `There are ${all.map(one => one.name).join(', ')}.`)
  throw new Refusal('invalid_argument', `Which organization? There are ${found.map(one => `${one.name} (${one.id})`).join(', ')}.`, { field: 'org', hint: 'Name one with --org.' })
}
