import type { Command } from 'commander'
import {
  listCallbackHosts,
  parseCallbackHost,
  setCallbackHostPolicy,
  type CallbackHostPolicy,
} from '../../oauth/callback-hosts.ts'
import { command, group, isoOrNull, print, table, when, type Common } from '../command.ts'
import { withStore } from '../open.ts'
import { decided, recordOAuthDecision } from './oauth-decision.ts'

/** Registers `workspace oauth hosts`. */
export function registerCallbackHostCommands(oauth: Command): void {
  const hosts = group(
    oauth,
    'hosts',
    'Allow and refuse hosts to which answers to programs go, whichever program asks.',
    ['workspace oauth hosts list', 'workspace oauth hosts allow assistant.example'],
  )
  command(hosts, 'list', 'List the hosts about which something is decided.', [
    'workspace oauth hosts list',
    'workspace oauth hosts list --json',
  ]).action(printCallbackHosts)
  command(
    hosts,
    'allow <host>',
    'Let programs register and connect that are answered at a host, on port 443, where the settings admit known ones only.',
    ['workspace oauth hosts allow assistant.example'],
  ).action((host: string, options: Common) => decide(host, 'allow', options))
  command(
    hosts,
    'refuse <host>',
    'Refuse a host: nothing can be connected that is answered there, and connections that were get no more tokens.',
    ['workspace oauth hosts refuse assistant.example'],
  ).action((host: string, options: Common) => decide(host, 'refuse', options))
  command(hosts, 'reset <host>', 'Let the settings decide about a host again.', [
    'workspace oauth hosts reset assistant.example',
  ]).action((host: string, options: Common) => decide(host, 'default', options))
}

async function printCallbackHosts(options: Common): Promise<void> {
  const rows = await withStore(options, ({ store }) => listCallbackHosts(store))
  const presented = rows.map((row) => ({ ...row, created_at: isoOrNull(row.created_at) }))
  print(options.json, presented, () =>
    table(
      ['HOST', 'POLICY', 'SINCE'],
      rows.map(({ host, policy, created_at }) => [host, policy, when(created_at)]),
    ),
  )
}

async function decide(text: string, policy: CallbackHostPolicy, cliOptions: Common): Promise<void> {
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
  print(cliOptions.json, { host, policy }, () => `${host} ${decided[policy]}.`)
}
