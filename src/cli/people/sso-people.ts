import { Argument, type Command } from 'commander'
import { requirePerson } from '../../identity/people.ts'
import { notFound } from '../../kernel/refusal.ts'
import { identitiesOf, removeIdentity } from '../../sso/identities.ts'
import { setEmergencyAccount, setProviderOnly } from '../../sso/policy.ts'
import { addCommand, addCommandGroup, print, type CommonOptions } from '../command.ts'
import { withApp } from '../open.ts'
import { requireOrganization } from './orgs.ts'
import { recordSso } from './sso-provider.ts'

export function registerSsoPeopleCommands(sso: Command): void {
  addCommand(
    sso,
    'only',
    'Let people sign in by a provider only, except for emergency accounts. Open sessions go on.',
    ['workspace sso only on', 'workspace sso only off'],
  )
    .addArgument(new Argument('<state>', 'on or off').choices(['on', 'off']))
    .option('--org <name or id>', 'organization (default: the only one)')
    .action(setOnly)
  const emergency = addCommandGroup(
    sso,
    'emergency',
    'Accounts that can sign in with a password or a passkey while the provider is down.',
    ['workspace sso emergency add ann@example.org'],
  )
  addCommand(emergency, 'add <email>', 'Let a person sign in without the provider.', [
    'workspace sso emergency add ann@example.org',
  ]).action((email: string, options: CommonOptions) => markEmergencyAccount(email, true, options))
  addCommand(emergency, 'remove <email>', 'Let a person sign in by the provider only again.', [
    'workspace sso emergency remove ann@example.org',
  ]).action((email: string, options: CommonOptions) => markEmergencyAccount(email, false, options))
  addCommand(
    sso,
    'unlink <email>',
    'Disconnect a person from their accounts at providers, for one whose account there was made anew.',
    ['workspace sso unlink ann@example.org'],
  ).action(unlink)
}

async function setOnly(
  state: 'on' | 'off',
  options: CommonOptions & { org?: string },
): Promise<void> {
  const changed = await withApp(options, async (app) => {
    const org = await requireOrganization(app.store, options.org)
    return app.store.writer.run(async () => {
      const isNew = await setProviderOnly(app.store, app.clock.now(), org.id, state === 'on')
      if (isNew) await recordSso(app, org.id, 'set_sso_only', { only: state === 'on' })
      return isNew
    })
  })
  print(options.json, { only: state === 'on', changed }, () =>
    state === 'on'
      ? 'People sign in by a provider only, except for emergency accounts.'
      : 'People sign in in every way again.',
  )
}

async function markEmergencyAccount(
  email: string,
  isEmergency: boolean,
  cliOptions: CommonOptions,
): Promise<void> {
  const name = await withApp(cliOptions, async (app) => {
    const person = await requirePerson(app.store, email)
    await app.store.writer.run(async () => {
      await setEmergencyAccount(app.store, app.clock.now(), person, isEmergency)
      const loggedArguments = { person: person.id, emergency: isEmergency }
      await recordSso(app, person.org_id, 'set_emergency_account', loggedArguments)
    })
    return person.display_name
  })
  print(cliOptions.json, { email, emergency: isEmergency }, () =>
    isEmergency
      ? `${name} can always sign in with a password or a passkey.`
      : `${name} is no emergency account any more.`,
  )
}

async function unlink(email: string, options: CommonOptions): Promise<void> {
  const { name, count } = await withApp(options, async (app) => {
    const person = await requirePerson(app.store, email)
    const rows = await identitiesOf(app.store.read, person.id)
    if (rows.length === 0) throw notFound('connected account', 'email')
    await app.store.writer.run(async () => {
      for (const row of rows) await removeIdentity(app.store, person, row.provider_id)
      await recordSso(app, person.org_id, 'unlink_sso_identity', { person: person.id })
    })
    return { name: person.display_name, count: rows.length }
  })
  print(options.json, { email, unlinked: count }, () => `${name} was disconnected.`)
}
