import type { Command } from 'commander'
import {
  listCallbackHosts,
  parseCallbackHost,
  setCallbackHostPolicy,
  type CallbackHostPolicy,
} from '../../oauth/callback-hosts.ts'
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

/** Registers `workspace oauth hosts`. */
export function registerCallbackHostCommands(oauth: Command): void {
  const hosts = addCommandGroup(
    oauth,
    'hosts',
    'Allow and refuse hosts to which answers to programs go, whichever program asks.',
    ['workspace oauth hosts list', 'workspace oauth hosts allow assistant.example'],
  )
  addCommand(hosts, 'list', 'List the hosts about which something is decided.', [
    'workspace oauth hosts list',
    'workspace oauth hosts list --json',
  ]).action(printCallbackHosts)
  addCommand(
    hosts,
    'allow <host>',
    'Let programs register and connect that are answered at a host, on port 443, where the settings admit known ones only.',
    ['workspace oauth hosts allow assistant.example'],
  ).action((host: string, options: CommonOptions) => decide(host, 'allow', options))
  addCommand(
    hosts,
    'refuse <host>',
    'Refuse a host: nothing can be connected that is answered there, and connections that were get no more tokens.',
    ['workspace oauth hosts refuse assistant.example'],
  ).action((host: string, options: CommonOptions) => decide(host, 'refuse', options))
  addCommand(hosts, 'reset <host>', 'Let the settings decide about a host again.', [
    'workspace oauth hosts reset assistant.example',
  ]).action((host: string, options: CommonOptions) => decide(host, 'default', options))
}

async function printCallbackHosts(options: CommonOptions): Promise<void> {
  const rows = await withStore(options, ({ store }) => listCallbackHosts(store))
  const presented = rows.map((row) => ({ ...row, created_at: isoOrNull(row.created_at) }))
  print(options.json, presented, () =>
    table(
      ['HOST', 'POLICY', 'SINCE'],
      rows.map(({ host, policy, created_at }) => [host, policy, formatMoment(created_at)]),
    ),
  )
}

async function decide(
  text: string,
  policy: CallbackHostPolicy,
  cliOptions: CommonOptions,
): Promise<void> {
  const host = parseCallbackHost(text)
  await withStore(cliOptions, ({ store, clock }) =>
    store.writer.run(async () => {
      const now = clock.now()
      await setCallbackHostPolicy(store, now, host, policy)
      await recordOAuthDecision(store, now, {
        tool: 'set_oauth_callback_host_policy',
        route: 'workspace oauth hosts',
        loggedArguments: { host, policy },
      })
    }),
  )
  print(cliOptions.json, { host, policy }, () => `${host} ${policyTexts[policy]}.`)
}
