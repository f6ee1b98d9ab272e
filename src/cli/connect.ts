import { suggestionFor } from '../kernel/text/nearest.ts'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { isExecutable, lastingPath } from '../executable.ts'
import { checkConnection } from '../assistants/check.ts'
import { clientOf, clients, setupOf, targetFor } from '../assistants/clients.ts'
import type { Client } from '../assistants/client.ts'
import { fullSetupText, currentPlatform } from '../assistants/show.ts'
import {
  parseEndpoint,
  InvalidTarget,
  keyVariable,
  mcpUrl,
  overrideSelection,
  placeholder,
  selectionOf,
  type KeyText,
  type Target,
} from '../assistants/target.ts'
import { trustOwnCertificate } from './server/certificate.ts'
import { addCommand, print, table, type CommonOptions } from './command.ts'
import { checkSignIn } from './connect-sign-in.ts'
import { writeSetup } from './connect-write.ts'
import { exitCodes, CliError } from './exit.ts'
import { settingsOf } from './open.ts'
import { runningServer } from './server/running-server.ts'

export function registerConnectCommand(program: Command): void {
  addCommand(
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

interface ConnectOptions extends CommonOptions {
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

async function runConnect(id: string | undefined, options: ConnectOptions): Promise<void> {
  const client = id === undefined ? undefined : requireClient(id)
  const target = client ? targetFor(client, connectTargetOf(options)) : connectTargetOf(options)
  if (options.write && !client)
    throw new CliError('usage', 'Which program? Use: workspace connect <client> --write')
  if (options.oauth && !options.check)
    throw new CliError('usage', '--oauth goes with --check: workspace connect --check --oauth')
  if (options.write) await writeClientConfig(client!, target, options)
  else if (client && !options.check) printSetup(client, target, options)
  else if (!options.check) printClients(options)
  if (options.oauth) await checkSignIn(target, options.json)
  else if (options.check) await testConnection(target, options)
}

function requireClient(id: string): Client {
  const client = clientOf(id)
  if (client) return client
  const ids = clients.map((item) => item.id)
  throw new CliError(
    'refused',
    `Unknown program ${id.slice(0, 80)}.${suggestionFor(id, ids)} Known: ${ids.join(', ')}.`,
  )
}

function connectTargetOf(options: ConnectOptions): Target {
  try {
    const { baseUrl, selection } = parseEndpoint(options.url ?? defaultAddress(options.data))
    if (!/^[\w-]{1,40}$/.test(options.name))
      throw new InvalidTarget(
        'name',
        `--name takes up to 40 letters, digits, - and _; not ${options.name.slice(0, 80)}.`,
      )
    return {
      baseUrl,
      selection: overrideSelection(selection, selectionOf(options)),
      key: parseKeyOption(options.key),
      name: options.name,
      bridge: bridgeCommand(),
    }
  } catch (error) {
    if (error instanceof InvalidTarget) throw new CliError('refused', error.message)
    throw error
  }
}

function defaultAddress(data: string | undefined): string {
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
  throw new InvalidTarget('key', 'This is not a key: it contains characters that keys never have.')
}

/** Full paths: desktop programs lack the PATH of a shell. */
function bridgeCommand(): string[] {
  if (isExecutable) return [lastingPath(), 'mcp']
  const launcher = import.meta.url.endsWith('.mjs') ? '../bin/workspace' : '../../bin/workspace'
  return [process.execPath, fileURLToPath(new URL(launcher, import.meta.url)), 'mcp']
}

function printClients(options: ConnectOptions): void {
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

function printSetup(client: Client, target: Target, cliOptions: ConnectOptions): void {
  const setup = setupOf(client, target)
  const { baseUrl, selection } = target
  print(
    cliOptions.json,
    { base_url: baseUrl, mcp_url: mcpUrl(baseUrl, selection), ...setup },
    () => fullSetupText(setup, currentPlatform()) + missingKeyNote(target),
  )
}

function missingKeyNote({ key }: Target): string {
  if (!('text' in key) || key.text !== placeholder) return ''
  return `\n\nReplace ${placeholder} with your key, or pass it with --key or in ${keyVariable}. \`workspace keys create --user … --name …\` creates one.`
}

async function writeClientConfig(
  client: Client,
  target: Target,
  options: ConnectOptions,
): Promise<void> {
  const writeTarget =
    client.asksForKey && options.key === undefined
      ? { ...target, key: { variable: keyVariable } }
      : target
  const result = writeSetup(setupOf(client, writeTarget), writeTarget, options.file)
  print(options.json && !options.check, result, () => {
    if (!result.changed) return `${result.file} is already up to date; nothing was changed.`
    return [
      `Added to ${result.file}.`,
      ...(result.backup ? [`The previous version is in ${result.backup}.`] : []),
      ...result.next,
    ].join('\n')
  })
}

async function testConnection(
  { baseUrl, selection, key }: Target,
  cliOptions: ConnectOptions,
): Promise<void> {
  const keyText = 'text' in key ? key.text : process.env[keyVariable]
  if (!keyText || keyText === placeholder)
    throw new CliError('refused', `No key to test with. Pass one with --key or in ${keyVariable}.`)
  const report = await checkConnection(mcpUrl(baseUrl, selection), baseUrl, keyText, {
    allowHttp: cliOptions.allowHttp ?? false,
  })
  if ('advice' in report) {
    process.exitCode = exitCodes.refused
    if (cliOptions.json) return print(true, { ok: false, ...report }, String)
    return void process.stderr.write(`workspace: ${report.message}\n${report.advice}\n`)
  }
  const { url, person, tools, protocol, server, connectMs, listMs } = report
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
