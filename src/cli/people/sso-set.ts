import { Option, type Command } from 'commander'
import { omitUndefined } from '../../kernel/present.ts'
import { accountRules, clientAuthChoices, linkingRules } from '../../sso/provider-checks.ts'
import { updateProvider, type Provider } from '../../sso/providers.ts'
import { addCommand, print, type CommonOptions } from '../command.ts'
import { withApp } from '../open.ts'
import { readPassword } from './password.ts'
import { requireProvider, recordSso } from './sso-provider.ts'

interface SetOptions extends CommonOptions {
  name?: string
  clientId?: string
  clientSecretStdin?: true
  scopes?: string
  groupsClaim?: string
  domain?: string[]
  accounts?: Provider['accounts']
  linking?: Provider['linking']
  clientAuth?: Provider['client_auth']
}

export function registerSsoSetCommand(sso: Command): void {
  addCommand(
    sso,
    'set <provider>',
    'Change what is set about a provider. What is not given stays; the issuer always does.',
    [
      'workspace sso set Keycloak --accounts domain --domain example.org',
      'pass show keycloak | workspace sso set Keycloak --client-secret-stdin',
    ],
  )
    .option('--name <name>', 'name on the button of the sign-in page')
    .option('--client-id <id>', 'client id that the provider shows')
    .option('--client-secret-stdin', 'read a new client secret from stdin')
    .option('--scopes <scopes>', 'scopes separated by spaces')
    .option('--groups-claim <claim>', 'claim that lists groups; "" for none')
    .option('--domain <domain...>', 'domains of email addresses, in place of the present ones')
    .addOption(
      new Option('--accounts <rule>', 'who gets an account at the first sign-in').choices(
        accountRules,
      ),
    )
    .addOption(
      new Option('--linking <rule>', 'how existing accounts are connected').choices(linkingRules),
    )
    .addOption(
      new Option('--client-auth <way>', 'how the client secret is sent').choices(clientAuthChoices),
    )
    .action(setSsoProvider)
}

async function setSsoProvider(text: string, options: SetOptions): Promise<void> {
  const { name, clientId, scopes, groupsClaim, domain, accounts, linking, clientAuth } = options
  const clientSecret = options.clientSecretStdin ? await readPassword() : undefined
  const patch = omitUndefined({
    ...{ name, clientId, scopes, groupsClaim, domains: domain, accounts, linking, clientAuth },
    clientSecret,
  })
  const provider = await withApp(options, async (app) => {
    const row = await requireProvider(app, text)
    await app.store.writer.run(async () => {
      await updateProvider(app, row, patch)
      const loggedArguments = { provider: row.id, changed: Object.keys(patch) }
      await recordSso(app, row.org_id, 'update_sso_provider', loggedArguments)
    })
    return row
  })
  print(
    options.json,
    { id: provider.id, changed: Object.keys(patch) },
    () => `${patch.name ?? provider.name} was changed.`,
  )
}
