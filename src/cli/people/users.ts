import { Argument, type Command } from 'commander'
import type { Id } from '../../kernel/ids.ts'
import type { Store } from '../../db/open.ts'
import { hashPassword } from '../../keys/argon.ts'
import { checkPassword } from '../../identity/passwords.ts'
import {
  addPerson,
  checkPerson,
  requirePerson,
  setPasswordHash,
  setRole,
  setStatus,
  type Role,
} from '../../identity/people.ts'
import type { Row } from '../../records/resource.ts'
import { passkeysOf } from '../../identity/passkeys.ts'
import { createResetLinkAsOperator } from '../../identity/resets.ts'
import {
  addCommand,
  addCommandGroup,
  isoOrNull,
  print,
  table,
  type CommonOptions,
} from '../command.ts'
import { baseUrlOf, withStore, type CommandContext } from '../open.ts'
import { registerPasskeysCommands as registerPasskeys } from './passkeys.ts'
import { requireOrganization } from './orgs.ts'
import { readPassword } from './password.ts'

export function registerUsersCommands(program: Command): void {
  const users = addCommandGroup(
    program,
    'users',
    'Create, list and deactivate people, and set their roles and passwords.',
    [
      'workspace users create --email ann@example.org --name "Ann Lee"',
      'workspace users list',
      'workspace users deactivate ann@example.org',
    ],
  )
  registerCreate(users)
  addCommand(users, 'list', 'List people.', [
    'workspace users list --org "Acme Ltd"',
    'workspace users list --json',
  ])
    .option('--org <name or id>', 'only this organization')
    .action(printUsers)
  addCommand(
    users,
    'deactivate <email>',
    'Deactivate a person. Their keys stop working at the next request.',
    ['workspace users deactivate ann@example.org'],
  ).action(deactivate)
  addCommand(
    users,
    'activate <email>',
    'Reactivate a person. Keys that were not revoked work again.',
    ['workspace users activate ann@example.org'],
  ).action(activate)
  registerCredentials(users)
  registerPasskeys(users)
}

function registerCreate(users: Command): void {
  addCommand(
    users,
    'create',
    'Add a person to an organization. Without --password-stdin, prints a link with which they set their own password.',
    [
      'workspace users create --email ann@example.org --name "Ann Lee"',
      'pass show ann | workspace users create --email ann@example.org --name "Ann Lee" --admin --password-stdin',
    ],
  )
    .requiredOption('--email <address>', 'email address, used to sign in')
    .requiredOption('--name <name>', 'full name')
    .option('--org <name or id>', 'organization (default: the only one)')
    .option('--timezone <zone>', "time zone (default: the organization's)")
    .option('--admin', 'make them an administrator')
    .option('--guest', 'make them a guest')
    .option('--password-stdin', 'read their password from stdin instead of printing a link')
    .option('--no-link', 'neither a password nor a link: they cannot sign in to the web app yet')
    .action(createUser)
}

/** Commands for roles and credentials. */
function registerCredentials(users: Command): void {
  addCommand(users, 'set-role <email>', 'Make a person an administrator, a member or a guest.', [
    'workspace users set-role ann@example.org admin',
  ])
    .addArgument(new Argument('<role>', 'new role').choices(['admin', 'member', 'guest']))
    .action(changeRole)
  addCommand(
    users,
    'password-link <email>',
    'Print a link with which a person sets a new password. It works once, within 24 hours.',
    ['workspace users password-link ann@example.org'],
  ).action(printLink)
  addCommand(users, 'set-password <email>', "Set a person's password.", [
    'pass show ann | workspace users set-password ann@example.org --password-stdin',
  ])
    .requiredOption('--password-stdin', 'read it from stdin; prompts at a terminal')
    .action(changePassword)
}

interface CreateOptions extends CommonOptions {
  email: string
  name: string
  org?: string
  timezone?: string
  admin?: true
  guest?: true
  passwordStdin?: true
  link: boolean
}

async function createUser(options: CreateOptions, self: Command): Promise<void> {
  if (options.admin && options.guest)
    self.error('error: a person is an administrator or a guest, not both')
  checkPerson(options)
  const role: Role = roleOf(options)
  const passwordHash = options.passwordStdin ? await newPasswordHash() : undefined
  const user = await withStore<NewUser>(options, async ({ store, clock, settings }) => {
    const org = await requireOrganization(store, options.org)
    const id = await addPerson(
      store,
      clock,
      { ...options, org: org.id, role, passwordHash, plans: settings },
      'workspace users create',
    )
    const userFields = {
      id,
      email: options.email.trim().toLowerCase(),
      name: options.name.trim(),
      role,
      org: { id: org.id, name: org.name },
    }
    if (passwordHash !== undefined || !options.link) return userFields
    return {
      ...userFields,
      ...(await linkFor({ store, clock, settings }, await requirePerson(store, id))),
    }
  })
  print(options.json, user, () => {
    const link =
      user.password_link !== undefined ? `\n${linkText(user.name, user.password_link)}\n` : ''
    return `Added ${user.name} <${user.email}> to ${user.org.name} as ${role} (${user.id}).\n${link}Next: workspace keys create --user ${user.email} --name …`
  })
}

function roleOf(cliOptions: CreateOptions): Role {
  if (cliOptions.admin) return 'admin'
  return cliOptions.guest ? 'guest' : 'member'
}

type NewUser = {
  id: string
  email: string
  name: string
  role: Role
  org: { id: string; name: string }
} & Partial<PasswordLink>

interface PasswordLink {
  password_link: string
  password_link_expires_at: string
}

async function linkFor(
  { store, clock, settings }: CommandContext,
  person: Row<'users'>,
): Promise<PasswordLink> {
  const { token, expires_at } = await createResetLinkAsOperator(store, clock, person)
  return {
    password_link: `${baseUrlOf(settings)}/reset/${token}`,
    password_link_expires_at: new Date(expires_at).toISOString(),
  }
}

function linkText(name: string, link: string): string {
  return `${name} sets a password here, to sign in to the web app (works once, within 24 hours):\n\n  ${link}\n`
}

async function printLink(email: string, options: CommonOptions): Promise<void> {
  const result = await withStore(options, async (opened) => {
    const person = await requirePerson(opened.store, email)
    return {
      id: person.id,
      name: person.display_name,
      email: person.email,
      ...(await linkFor(opened, person)),
    }
  })
  print(options.json, result, () => linkText(result.name, result.password_link).trimEnd())
}

async function changeRole(email: string, role: Role, cliOptions: CommonOptions): Promise<void> {
  const {
    id,
    email: address,
    changed,
  } = await withStore(cliOptions, async ({ store, clock }) => {
    const person = await requirePerson(store, email)
    return { ...person, changed: await setRole(store, clock, person, role) }
  })
  print(
    cliOptions.json,
    { id, email: address, role, changed },
    () =>
      `${address} is ${changed ? 'now' : 'already'} ${role === 'admin' ? 'an administrator' : `a ${role}`}.`,
  )
}

async function printUsers(options: CommonOptions & { org?: string }): Promise<void> {
  const rows = await withStore(options, async ({ store }) =>
    listPeople(
      store,
      options.org === undefined ? undefined : (await requireOrganization(store, options.org)).id,
    ),
  )
  const presented = rows.map(({ created_at, ...row }) => ({
    ...row,
    created_at: isoOrNull(created_at),
  }))
  const lines = presented.map((item) => [
    item.id,
    item.email,
    item.name,
    item.role,
    item.status,
    String(item.active_keys),
    item.organization,
  ])
  print(options.json, presented, () =>
    table(['ID', 'EMAIL', 'NAME', 'ROLE', 'STATUS', 'KEYS', 'ORGANIZATION'], lines),
  )
}

function listPeople(store: Store, org: Id<'orgs'> | undefined) {
  const all = store.read.selectFrom('users').innerJoin('orgs', 'orgs.id', 'users.org_id')
  return (org ? all.where('users.org_id', '=', org) : all)
    .select([
      'users.id',
      'users.email',
      'users.display_name as name',
      'users.role',
      'users.status',
      'orgs.name as organization',
      'users.created_at',
    ])
    .select((eb) =>
      eb
        .selectFrom('api_keys')
        .whereRef('api_keys.owner_id', '=', 'users.id')
        .where('revoked_at', 'is', null)
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .as('active_keys'),
    )
    .orderBy('orgs.created_at')
    .orderBy('users.id')
    .execute()
}

const deactivate = (email: string, options: CommonOptions) =>
  changeUserStatus(email, options, 'deactivated')
const activate = (email: string, options: CommonOptions) =>
  changeUserStatus(email, options, 'active')

async function changeUserStatus(
  email: string,
  cliOptions: CommonOptions,
  status: 'active' | 'deactivated',
): Promise<void> {
  const {
    id,
    email: address,
    changed,
  } = await withStore(cliOptions, async ({ store, clock, settings }) => {
    const person = await requirePerson(store, email)
    return { ...person, changed: await setStatus(store, clock, person, status, settings) }
  })
  print(
    cliOptions.json,
    { id, email: address, status, changed },
    () => `${address} is ${changed ? 'now' : 'already'} ${status}.`,
  )
}

async function changePassword(email: string, options: CommonOptions): Promise<void> {
  const passwordHash = await newPasswordHash()
  const { person, passkeys } = await withStore(options, async ({ store, clock }) => {
    const person = await requirePerson(store, email)
    await setPasswordHash(store, clock, person, passwordHash)
    return { person, passkeys: (await passkeysOf(store, person.id)).length }
  })
  const passkeysNote =
    passkeys === 0
      ? ''
      : ` Their passkeys (${passkeys}) still work; \`workspace users passkeys remove ${person.email} --all\` removes them.`
  print(
    options.json,
    { id: person.id, email: person.email, changed: true, passkeys },
    () => `${person.email} has a new password.${passkeysNote}`,
  )
}

/** Hashing is slow by design, so it is done before the database is opened. */
async function newPasswordHash(): Promise<string> {
  const password = await readPassword()
  checkPassword(password)
  return hashPassword(password)
}
