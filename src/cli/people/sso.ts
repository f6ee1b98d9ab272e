import { Option, type Command } from 'commander'
import { ProviderClient } from '../../sso/client.ts'
import {
  accountRules,
  clientAuthChoices,
  linkingRules,
  type NewProvider,
} from '../../sso/provider-checks.ts'
import {
  deleteProvider,
  insertProvider,
  listProviders,
  type Provider,
} from '../../sso/providers.ts'
import { backchannelUrl, callbackUrl, signedOutUrl } from '../../sso/sign-in.ts'
import { addCommand, addCommandGroup, print, table, type CommonOptions } from '../command.ts'
import { withApp } from '../open.ts'
import { requireOrganization } from './orgs.ts'
import { readPassword } from './password.ts'
import { requireProvider, recordSso } from './sso-provider.ts'
import { registerSsoPeopleCommands } from './sso-people.ts'
import { registerSsoRuleCommands } from './sso-rules.ts'
import { registerScimCommands } from './scim.ts'
import { registerSsoSetCommand } from './sso-set.ts'

export function registerSsoCommands(program: Command): void {
  const sso = addCommandGroup(program, 'sso', 'Let people sign in at identity providers.', [
    'workspace sso list',
    'pass show entra | workspace sso add --name Entra --issuer https://login.microsoftonline.com/<tenant id>/v2.0 --client-id <id> --client-secret-stdin',
  ])
  registerAdd(sso)
  registerSsoSetCommand(sso)
  addCommand(sso, 'list', 'List the providers with what they are set to.', [
    'workspace sso list',
    'workspace sso list --json',
  ]).action(printSsoProviders)
  addCommand(
    sso,
    'check <provider>',
    'Try all of a sign-in at a provider that needs no person: metadata, keys, sign-in page, client secret.',
    ['workspace sso check Entra'],
  ).action(checkProvider)
  addCommand(
    sso,
    'remove <provider>',
    'Remove a provider. Accounts stay; sessions that began with it end.',
    ['workspace sso remove Entra'],
  ).action(removeProvider)
  registerSsoRuleCommands(sso)
  registerSsoPeopleCommands(sso)
  registerScimCommands(sso)
}

function registerAdd(sso: Command): void {
  addCommand(
    sso,
    'add',
    'Add a provider. Its client secret is read from stdin; prints the redirect address to enter there.',
    [
      'pass show keycloak | workspace sso add --name Keycloak --issuer https://login.example.org/realms/work --client-id workspace --groups-claim groups --client-secret-stdin',
      'pass show google | workspace sso add --name Google --issuer https://accounts.google.com --client-id <id> --domain example.org --accounts domain --client-secret-stdin',
    ],
  )
    .requiredOption('--name <name>', 'name on the button of the sign-in page')
    .requiredOption('--issuer <address>', 'issuer, as its discovery document says it')
    .requiredOption('--client-id <id>', 'client id that the provider shows')
    .requiredOption('--client-secret-stdin', 'read the client secret from stdin')
    .option('--org <name or id>', 'organization (default: the only one)')
    .option('--scopes <scopes>', 'scopes separated by spaces (default: openid profile email)')
    .option('--groups-claim <claim>', 'claim that lists groups; dots lead into objects')
    .option('--domain <domain...>', 'domains of email addresses that belong to the organization')
    .addOption(
      new Option('--accounts <rule>', 'who gets an account at the first sign-in')
        .choices(accountRules)
        .default('invited'),
    )
    .addOption(
      new Option(
        '--linking <rule>',
        'how existing accounts are connected: by signing in to them once, by the address in a trusted domain, or not',
      )
        .choices(linkingRules)
        .default('ask'),
    )
    .addOption(
      new Option(
        '--client-auth <way>',
        'how the client secret is sent: as the metadata say, in the header, or in the body',
      )
        .choices(clientAuthChoices)
        .default('auto'),
    )
    .action(add)
}

interface AddOptions extends CommonOptions {
  name: string
  issuer: string
  clientId: string
  org?: string
  scopes?: string
  groupsClaim?: string
  domain?: string[]
  accounts: Provider['accounts']
  linking: Provider['linking']
  clientAuth: Provider['client_auth']
}

async function add({ domain, ...options }: AddOptions): Promise<void> {
  const clientSecret = await readPassword()
  const providerInput: NewProvider = { ...options, clientSecret, domains: domain }
  const added = await withApp(options, async (app) => {
    const org = await requireOrganization(app.store, options.org)
    const provider = await app.store.writer.run(async () => {
      const row = await insertProvider(app, org.id, providerInput)
      await recordSso(app, row.org_id, 'add_sso_provider', { provider: row.id, name: row.name })
      return row
    })
    return { provider, redirect: callbackUrl(app.baseUrl, provider.id) }
  })
  const { id, name } = added.provider
  print(
    options.json,
    { id, name, redirect_uri: added.redirect },
    () =>
      `${name} was added (${id}).\n\nEnter this redirect address at the provider:\n  ${added.redirect}\n\nThen: workspace sso check ${id}`,
  )
}

async function printSsoProviders(options: CommonOptions): Promise<void> {
  const providers = await withApp(options, ({ store }) => listProviders(store.read))
  print(options.json, providers.map(presentSsoProvider), () =>
    table(
      ['ID', 'NAME', 'ISSUER', 'ACCOUNTS', 'LINKING', 'DOMAINS', 'GROUP RULES'],
      providers.map((row) => [
        row.id,
        row.name,
        row.issuer,
        row.accounts,
        row.linking,
        row.domains.join(', ') || '–',
        String(row.rules.length),
      ]),
    ),
  )
}

function presentSsoProvider(row: Provider): Record<string, unknown> {
  const { groupsClaim, ...base } = row
  return { ...base, groups_claim: groupsClaim ?? null }
}

async function checkProvider(text: string, options: CommonOptions): Promise<void> {
  const report = await withApp(options, async (app) => {
    const provider = await requireProvider(app, text)
    const redirectUri = callbackUrl(app.baseUrl, provider.id)
    const { metadata, keys, clientAuth, unchecked } = await new ProviderClient(app).inspect(
      provider,
      redirectUri,
    )
    return {
      id: provider.id,
      issuer: metadata.issuer,
      redirect_uri: redirectUri,
      backchannel_logout_uri: backchannelUrl(app.baseUrl, provider.id),
      post_logout_redirect_uri: signedOutUrl(app.baseUrl),
      algorithms: metadata.id_token_signing_alg_values_supported ?? [],
      keys,
      client_auth: clientAuth ?? null,
      unchecked,
    }
  })
  print(
    options.json,
    report,
    () =>
      `${report.issuer} answers.\nRedirect address: ${report.redirect_uri}\nBack-channel logout: ${report.backchannel_logout_uri}\nAfter signing out: ${report.post_logout_redirect_uri}\nSigns its tokens with: ${report.algorithms.join(', ')}\n${report.client_auth === null ? '' : `Accepts the client secret by: ${report.client_auth}\n`}Not checked: ${report.unchecked.join('; ')}`,
  )
}

async function removeProvider(text: string, cliOptions: CommonOptions): Promise<void> {
  const { id, name } = await withApp(cliOptions, async (app) => {
    const provider = await requireProvider(app, text)
    await app.store.writer.run(async () => {
      await deleteProvider(app, provider)
      await recordSso(app, provider.org_id, 'remove_sso_provider', { provider: provider.id })
    })
    return provider
  })
  print(cliOptions.json, { id, removed: true }, () => `${name} was removed.`)
}
