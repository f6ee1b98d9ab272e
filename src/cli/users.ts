import type { Command } from 'commander'
import type { Id } from '../core/ids.ts'
import type { Store } from '../db/open.ts'
import { hashPassword } from '../keys/argon.ts'
import { checkPassword } from '../keys/passwords.ts'
import { addPerson, checkPerson, demandPerson, setPasswordHash, setStatus, type Role } from '../keys/people.ts'
import { passkeysOf } from '../sessions/passkeys.ts'
import { command, group, isoOrNull, print, table, type Common } from './command.ts'
import { withStore } from './open.ts'
import { register as registerPasskeys } from './passkeys.ts'
import { demandOrganization } from './orgs.ts'
import { readPassword } from './password.ts'

export function register(program: Command): void {
  const users = group(program, 'users', 'Creates, lists and deactivates people, and sets their passwords.', [
    'workspace users create --email ann@example.org --name "Ann Lee"',
    'workspace users list',
    'workspace users deactivate ann@example.org',
  ])
  command(users, 'create', 'Adds a person to an organization.', [
    'workspace users create --email ann@example.org --name "Ann Lee"',
    'pass show ann | workspace users create --email ann@example.org --name "Ann Lee" --admin --password-stdin',
  ])
    .requiredOption('--email <address>', 'their address, with which they sign in')
    .requiredOption('--name <name>', 'their name')
    .option('--org <name or id>', 'the organization; may be left out where there is only one')
    .option('--timezone <zone>', "their time zone (default: the organization's)")
    .option('--admin', 'as an administrator')
    .option('--guest', 'as a guest')
    .option('--password-stdin', 'read a password from stdin; without, they cannot sign in with one')
    .action(create)
  command(users, 'list', 'Lists people.', ['workspace users list --org "Acme Ltd"', 'workspace users list --json'])
    .option('--org <name or id>', 'of one organization only')
    .action(list)
  command(users, 'deactivate <email>', 'Deactivates a person; their keys stop at the next request.', ['workspace users deactivate ann@example.org']).action(deactivate)
  command(users, 'activate <email>', 'Lets a deactivated person in again; keys that were not revoked work again.', ['workspace users activate ann@example.org']).action(activate)
  command(users, 'set-password <email>', 'Gives a person a new password.', ['pass show ann | workspace users set-password ann@example.org --password-stdin'])
    .requiredOption('--password-stdin', 'read it from stdin; at a terminal it is asked for')
    .action(changePassword)
  registerPasskeys(users)
}

interface Create extends Common {
  email: string
  name: string
  org?: string
  timezone?: string
  admin?: true
  guest?: true
  passwordStdin?: true
}

async function create(given: Create, self: Command): Promise<void> {
  if (given.admin && given.guest) self.error('error: a person is an administrator or a guest, not both')
  checkPerson(given)
  const role: Role = given.admin ? 'admin' : given.guest ? 'guest' : 'member'
  const passwordHash = given.passwordStdin ? await newPasswordHash() : undefined
  const made = await withStore(given, async ({ store, clock, settings }) => {
    const org = await demandOrganization(store, given.org)
    const id = await addPerson(store, clock, { ...given, org: org.id, role, passwordHash, plans: settings }, 'workspace users create')
    return { id, email: given.email.trim().toLowerCase(), name: given.name.trim(), role, org: { id: org.id, name: org.name } }
  })
  print(given.json, made, () => `Added ${made.name} <${made.email}> to ${made.org.name} as ${role} (${made.id}).\nNext: workspace keys create --user ${made.email} --name …`)
}

async function list(given: Common & { org?: string }): Promise<void> {
  const rows = await withStore(given, async ({ store }) => people(store, given.org === undefined ? undefined : (await demandOrganization(store, given.org)).id))
  const shown = rows.map(({ created_at, ...row }) => ({ ...row, created_at: isoOrNull(created_at) }))
  const lines = shown.map(one => [one.id, one.email, one.name, one.role, one.status, String(one.active_keys), one.organization])
  print(given.json, shown, () => table(['ID', 'EMAIL', 'NAME', 'ROLE', 'STATUS', 'KEYS', 'ORGANIZATION'], lines))
}

function people(store: Store, org: Id<'orgs'> | undefined) {
  const all = store.read.selectFrom('users').innerJoin('orgs', 'orgs.id', 'users.org_id')
  return (org ? all.where('users.org_id', '=', org) : all)
    .select(['users.id', 'users.email', 'users.display_name as name', 'users.role', 'users.status', 'orgs.name as organization', 'users.created_at'])
    .select(eb => eb.selectFrom('api_keys').whereRef('api_keys.owner_id', '=', 'users.id').where('revoked_at', 'is', null).select(of => of.fn.countAll<number>().as('n')).as('active_keys'))
    .orderBy('orgs.created_at')
    .orderBy('users.id')
    .execute()
}

const deactivate = (email: string, given: Common) => change(email, given, 'deactivated')
const activate = (email: string, given: Common) => change(email, given, 'active')

async function change(email: string, given: Common, status: 'active' | 'deactivated'): Promise<void> {
  const { id, email: address, changed } = await withStore(given, async ({ store, clock, settings }) => {
    const person = await demandPerson(store, email)
    return { ...person, changed: await setStatus(store, clock, person, status, settings) }
  })
  print(given.json, { id, email: address, status, changed }, () => `${address} is ${changed ? 'now' : 'already'} ${status}.`)
}

async function changePassword(email: string, given: Common): Promise<void> {
  const passwordHash = await newPasswordHash()
  const { person, passkeys } = await withStore(given, async ({ store, clock }) => {
    const person = await demandPerson(store, email)
    await setPasswordHash(store, clock, person, passwordHash)
    return { person, passkeys: (await passkeysOf(store, person.id)).length }
  })
  const also = passkeys === 0 ? '' : ` Their passkeys (${passkeys}) let them in as before; \`workspace users passkeys remove ${person.email} --all\` ends those.`
  print(given.json, { id: person.id, email: person.email, changed: true, passkeys }, () => `${person.email} has a new password.${also}`)
}

/** Slow by design, so it is done before the database is opened. */
async function newPasswordHash(): Promise<string> {
  const password = await readPassword()
  checkPassword(password)
  return hashPassword(password)
}
