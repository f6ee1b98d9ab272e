import type { Command } from 'commander'
import { Refusal } from '../../kernel/refusal.ts'
import { listClients, setClientPolicy } from '../../oauth/client-list.ts'
import { registerManually } from '../../oauth/clients.ts'
import { OAuthError } from '../../oauth/errors.ts'
import { manualMetadata } from '../../oauth/metadata.ts'
import {
  addCommand,
  addCommandGroup,
  isoOrNull,
  print,
  table,
  formatMoment,
  type CommonOptions,
} from '../command.ts'
import { withStore } from '../open.ts'
import { policyTexts, recordOAuthDecision } from './oauth-decision.ts'
import { registerCallbackHostCommands } from './oauth-hosts.ts'

const route = 'workspace oauth clients'

export function registerOAuthCommands(program: Command): void {
  const oauth = addCommandGroup(
    program,
    'oauth',
    'Programs that people connect by signing in (OAuth).',
    ['workspace oauth clients list'],
  )
  const clients = addCommandGroup(oauth, 'clients', 'List, enter, allow and refuse programs.', [
    'workspace oauth clients list',
    'workspace oauth clients add --name "Copilot Studio" --redirect https://global.consent.azure-apim.net/redirect/abc',
    'workspace oauth clients refuse cl_…',
  ])
  addCommand(clients, 'list', 'List the programs that this instance knows.', [
    'workspace oauth clients list',
    'workspace oauth clients list --json',
  ]).action(printOauthClients)
  addCommand(
    clients,
    'add',
    'Enter a program that cannot register itself. Its id and its secret are shown once.',
    [
      'workspace oauth clients add --name "Copilot Studio" --redirect https://global.consent.azure-apim.net/redirect/abc',
    ],
  )
    .requiredOption('--name <name>', 'name that people see')
    .requiredOption('--redirect <url...>', 'redirect address; give several, separated by spaces')
    .action(add)
  addCommand(clients, 'allow <client>', 'Allow a program that the settings would not.', [
    'workspace oauth clients allow https://assistant.example/client.json',
  ]).action((client: string, options: CommonOptions) => decide(client, 'allow', options))
  addCommand(
    clients,
    'refuse <client>',
    'Refuse a program: no one can connect it, and its connections get no more tokens.',
    ['workspace oauth clients refuse cl_…'],
  ).action((client: string, options: CommonOptions) => decide(client, 'refuse', options))
  addCommand(clients, 'reset <client>', 'Let the settings decide about a program again.', [
    'workspace oauth clients reset cl_…',
  ]).action((client: string, options: CommonOptions) => decide(client, 'default', options))
  registerCallbackHostCommands(oauth)
}

async function printOauthClients(options: CommonOptions): Promise<void> {
  const rows = await withStore(options, ({ store }) => listClients(store))
  const presented = rows.map((row) => ({
    client_id: row.client_id,
    name: row.name,
    source: row.source,
    policy: row.policy,
    redirect_uris: JSON.parse(row.redirects_json) as string[],
    connections: row.connections,
    created_at: isoOrNull(row.created_at),
    used_at: isoOrNull(row.used_at),
    problem: row.problem,
  }))
  print(options.json, presented, () =>
    table(
      ['CLIENT', 'NAME', 'SOURCE', 'POLICY', 'CONNECTIONS', 'LAST USED', 'PROBLEM'],
      rows.map((row) => [
        row.client_id,
        row.name,
        row.source,
        row.policy,
        String(row.connections),
        formatMoment(row.used_at),
        row.problem ?? '–',
      ]),
    ),
  )
}

async function add(
  cliOptions: CommonOptions & { name: string; redirect: string | string[] },
): Promise<void> {
  const registered = await withStore(cliOptions, async ({ store, clock }) => {
    try {
      const metadata = manualMetadata(cliOptions.name, [cliOptions.redirect].flat())
      const now = clock.now()
      return await store.writer.run(async () => {
        const entered = await registerManually(store, now, metadata)
        const { clientId: client_id, name } = entered.client
        const loggedArguments = { client_id, name }
        await recordOAuthDecision(store, now, { tool: 'add_oauth_client', route, loggedArguments })
        return entered
      })
    } catch (error) {
      if (error instanceof OAuthError) throw new Refusal('invalid_argument', error.message)
      throw error
    }
  })
  const { clientId, name } = registered.client
  print(
    cliOptions.json,
    {
      client_id: clientId,
      client_secret: registered.secret,
      name,
      redirect_uris: registered.client.redirects,
    },
    () =>
      `${name} can be connected with:\n\n  client id      ${clientId}\n  client secret  ${registered.secret}\n\nThe secret is not shown again.`,
  )
}

async function decide(
  clientId: string,
  policy: 'default' | 'allow' | 'refuse',
  options: CommonOptions,
): Promise<void> {
  await withStore(options, ({ store, clock }) =>
    store.writer.run(async () => {
      const now = clock.now()
      await setClientPolicy(store, now, clientId, policy)
      const loggedArguments = { client_id: clientId, policy }
      await recordOAuthDecision(store, now, {
        tool: 'set_oauth_client_policy',
        route,
        loggedArguments,
      })
    }),
  )
  print(options.json, { client_id: clientId, policy }, () => `${clientId} ${policyTexts[policy]}.`)
}
