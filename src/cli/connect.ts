import { suggestionFor } from '../kernel/text/nearest.ts'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { isExecutable, lastingPath } from '../executable.ts'
import { checkConnection } from '../assistants/check.ts'
import { clientOf, clients, setupOf, targetFor } from '../assistants/clients.ts'
import type { Client } from '../assistants/client.ts'
import { inFull, platformHere } from '../assistants/show.ts'
import {
  parseEndpoint,
  BadTarget,
  keyVariable,
  mcpUrl,
  narrowSelection,
  placeholder,
  selectionOf,
  type KeyText,
  type Target,
} from '../assistants/target.ts'
import { trustOwnCertificate } from './server/certificate.ts'
import { command, print, table, type Common } from './command.ts'
import { checkSignIn } from './connect-sign-in.ts'
import { writeSetup } from './connect-write.ts'
import { exits, Stop } from './exit.ts'
import { settingsOf } from './open.ts'
import { runningServer } from './server/running-server.ts'

export function registerConnectCommand(program: Command): void {
  command(
    program,
    'connect [client]',
    "Show how to connect an assistant; without a name, list the supported programs. --write adds the connection to the program's configuration, --check tests it.",
    [
      'workspace connect',
      'workspace connect claude-code --url https://work.example.org --key svc_…',
      'WORKSPACE_KEY=svc_… workspace connect cursor --preset core --write',
      'WORKSPACE_KEY=svc_… workspace connect --check',
      'workspace connect --check --oauth --url https://work.example.org',
    ],
  )
    .option(
      '--url <url>',
      'address of the instance (default: the server running on the data folder, then WORKSPACE_URL)',
    )
    .option(
      '--key <key>',
      `API key, or "env" to write a reference to ${keyVariable} instead (default: the value of ${keyVariable})`,
    )
    .option(
      '--preset <name>',
      'which tools: core, daily, all or compact (default: core for Cursor and Windsurf, all otherwise)',
    )
    .option(
      '--toolsets <names>',
      'only the tools of these modules, comma-separated; tasks:ro for read access only',
    )
    .option('--readonly', 'only read-only tools')
    .option('--name <name>', 'name of the connection in the program', 'workspace')
    .option(
      '--write',
      "add it to the program's configuration file, keeping its other contents and a backup copy",
    )
    .option('--file <file>', "with --write: another file, such as a project's")
    .option('--check', "connect, and print the key's owner and the number of tools")
    .option(
      '--oauth',
      'with --check: go the way of an assistant that signs in, without a key, up to the page on which a person decides',
    )
    .option(
      '--allow-http',
      'with --check: allow sending the key over plain http to another machine',
    )
    .action(runConnect)
}

interface Given extends Common {
  url?: string
  key?: string
  preset?: string
  toolsets?: string
  readonly?: true
  name: string
  write?: true
  file?: string
  check?: true
  oauth?: true
  allowHttp?: true
}

async function runConnect(id: string | undefined, options: Given): Promise<void> {
  const client = id === undefined ? undefined : requireClient(id)
  const target = client ? targetFor(client, connectTargetOf(options)) : connectTargetOf(options)
  if (options.write && !client)
    throw new Stop('usage', 'Which program? Use: workspace connect <client> --write')
  if (options.oauth && !options.check)
    throw new Stop('usage', '--oauth goes with --check: workspace connect --check --oauth')
  if (options.write) await writeClientConfig(client!, target, options)
  else if (client && !options.check) printSetup(client, target, options)
  else if (!options.check) printClients(options)
  if (options.oauth) await checkSignIn(target, options.json)
  else if (options.check) await tryOut(target, options)
}

function requireClient(id: string): Client {
  const client = clientOf(id)
  if (client) return client
  const ids = clients.map((item) => item.id)
  throw new Stop(
    'refused',
    `Unknown program ${id.slice(0, 80)}.${suggestionFor(id, ids)} Known: ${ids.join(', ')}.`,
  )
}

function connectTargetOf(options: Given): Target {
  try {
    const { baseUrl, selection } = parseEndpoint(options.url ?? knownAddress(options.data))
    if (!/^[\w-]{1,40}$/.test(options.name))
      throw new BadTarget(
        'name',
        `--name takes up to 40 letters, digits, - and _; not ${options.name.slice(0, 80)}.`,
      )
    return {
      baseUrl,
      selection: narrowSelection(selection, selectionOf(options)),
      key: parseKeyOption(options.key),
      name: options.name,
      bridge: bridgeHere(),
    }
  } catch (error) {
    if (error instanceof BadTarget) throw new Stop('refused', error.message)
    throw error
  }
}

function knownAddress(data: string | undefined): string {
  const settings = settingsOf({ data })
  const running = runningServer(settings.data)
  if (running?.url.startsWith('https:')) trustOwnCertificate(settings.data)
  return (
    running?.url ||
    process.env.WORKSPACE_URL ||
    settings.base_url ||
    `http://${settings.host}:${settings.port}`
  )
}

function parseKeyOption(keyOption: string | undefined): KeyText {
  if (keyOption === 'env') return { variable: keyVariable }
  const text = (keyOption ?? process.env[keyVariable] ?? '').trim() || placeholder
  if (/^[\x21-\x7e]+$/.test(text)) return { text }
  throw new BadTarget('key', 'This is not a key: it contains characters that keys never have.')
}

/** Full paths: desktop programs lack the PATH of a shell. */
function bridgeHere(): string[] {
  if (isExecutable) return [lastingPath(), 'mcp']
  const launcher = import.meta.url.endsWith('.mjs') ? '../bin/workspace' : '../../bin/workspace'
  return [process.execPath, fileURLToPath(new URL(launcher, import.meta.url)), 'mcp']
}

function printClients(options: Given): void {
  const rows = clients.map(({ id, title }) => ({ id, title }))
  print(
    options.json,
    rows,
    () =>
      `${table(
        ['CLIENT', 'PROGRAM'],
        rows.map((row) => [row.id, row.title]),
      )}\n\nworkspace connect <client> shows the steps; --write applies them, --check tests the connection.`,
  )
}

function printSetup(client: Client, target: Target, cliOptions: Given): void {
  const setup = setupOf(client, target)
  const { baseUrl, selection } = target
  print(
    cliOptions.json,
    { base_url: baseUrl, mcp_url: mcpUrl(baseUrl, selection), ...setup },
    () => inFull(setup, platformHere()) + missing(target),
  )
}

function missing({ key }: Target): string {
  if (!('text' in key) || key.text !== placeholder) return ''
  return `\n\nReplace ${placeholder} with your key, or pass it with --key or in ${keyVariable}. \`workspace keys create --user … --name …\` creates one.`
}

async function writeClientConfig(client: Client, target: Target, options: Given): Promise<void> {
  const written =
    client.asksForKey && options.key === undefined
      ? { ...target, key: { variable: keyVariable } }
      : target
  const done = writeSetup(setupOf(client, written), written, options.file)
  print(options.json && !options.check, done, () => {
    if (!done.changed) return `${done.file} is already up to date; nothing was changed.`
    return [
      `Added to ${done.file}.`,
      ...(done.backup ? [`The previous version is in ${done.backup}.`] : []),
      ...done.next,
    ].join('\n')
  })
}

async function tryOut({ baseUrl, selection, key }: Target, cliOptions: Given): Promise<void> {
  const text = 'text' in key ? key.text : process.env[keyVariable]
  if (!text || text === placeholder)
    throw new Stop('refused', `No key to test with. Pass one with --key or in ${keyVariable}.`)
  const checked = await checkConnection(mcpUrl(baseUrl, selection), baseUrl, text, {
    allowHttp: cliOptions.allowHttp ?? false,
  })
  if ('advice' in checked) {
    process.exitCode = exits.refused
    if (cliOptions.json) return print(true, { ok: false, ...checked }, String)
    return void process.stderr.write(`workspace: ${checked.message}\n${checked.advice}\n`)
  }
  const { url, person, tools, protocol, server, connectMs, listMs } = checked
  print(
    cliOptions.json,
    { ok: true, url, person, tools, protocol, server, connect_ms: connectMs, list_ms: listMs },
    () => {
      const who = person
        ? `the key of ${person.name} <${person.email}>`
        : 'a key whose owner is not shown'
      return `Connected to ${server} at ${url} with ${who}.\n${tools} tools, protocol ${protocol}; ${connectMs} ms to connect, ${listMs} ms for the list.`
    },
  )
}
