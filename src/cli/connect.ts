import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { isExecutable, lastingPath } from '../executable.ts'
import { check } from '../connect/check.ts'
import { clientOf, clients, setupOf } from '../connect/clients.ts'
import type { Client } from '../connect/client.ts'
import { inFull, platformHere } from '../connect/show.ts'
import { addressOf, BadTarget, keyVariable, mcpUrl, narrowed, placeholder, selectionOf, type KeyText, type Target } from '../connect/target.ts'
import { trustOwnCertificate } from './certificate.ts'
import { command, print, table, type Common } from './command.ts'
import { writeSetup } from './connect-write.ts'
import { exits, Stop } from './exit.ts'
import { settingsOf } from './open.ts'
import { runningServer } from './running.ts'

export function register(program: Command): void {
  command(program, 'connect [client]', 'Shows how an assistant\'s program is connected; without one, lists them. With --write puts it into the program\'s own configuration, with --check tries it.', [
    'workspace connect',
    'workspace connect claude-code --url https://work.example.org --key svc_…',
    'WORKSPACE_KEY=svc_… workspace connect cursor --preset core --write',
    'WORKSPACE_KEY=svc_… workspace connect --check',
  ])
    .option('--url <url>', 'the instance (default: the one that runs on the data folder, else WORKSPACE_URL)')
    .option('--key <key>', `the key, or "env" for a reference to ${keyVariable} in its place (default: what ${keyVariable} holds)`)
    .option('--preset <name>', 'only the tools of a preset: core, daily, all, compact')
    .option('--toolsets <names>', 'only the tools of these modules, with commas between; tasks:ro for only what reads there')
    .option('--readonly', 'only tools that read')
    .option('--name <name>', 'by which the program lists the connection', 'workspace')
    .option('--write', 'put it into the program\'s configuration file; what is there stays, and a copy of it is kept')
    .option('--file <file>', 'with --write: another file, such as the one of a project')
    .option('--check', 'connect, and say whose key it is and how many tools there are')
    .option('--allow-http', 'with --check: send the key over plain http to another machine')
    .action(run)
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
  allowHttp?: true
}

async function run(id: string | undefined, given: Given): Promise<void> {
  const client = id === undefined ? undefined : demandClient(id)
  const target = targetOf(given)
  if (given.write && !client) throw new Stop('usage', 'Whose configuration? Name a program: workspace connect <client> --write')
  if (given.write) await write(client!, target, given)
  else if (client && !given.check) show(client, target, given)
  else if (!given.check) list(given)
  if (given.check) await tryOut(target, given)
}

function demandClient(id: string): Client {
  const client = clientOf(id)
  if (client) return client
  throw new Stop('refused', `There is no program ${id.slice(0, 80)}. There is ${clients.map(one => one.id).join(', ')}.`)
}

function targetOf(given: Given): Target {
  try {
    const { baseUrl, selection } = addressOf(given.url ?? knownAddress(given.data))
    if (!/^[\w-]{1,40}$/.test(given.name)) throw new BadTarget('name', `--name may have letters, digits, - and _, 40 at most; not ${given.name.slice(0, 80)}.`)
    return { baseUrl, selection: narrowed(selection, selectionOf(given)), key: keyOf(given.key), name: given.name, bridge: bridgeHere() }
  } catch (error) {
    if (error instanceof BadTarget) throw new Stop('refused', error.message)
    throw error
  }
}

function knownAddress(data: string | undefined): string {
  const settings = settingsOf({ data })
  const running = runningServer(settings.data)
  if (running?.url.startsWith('https:')) trustOwnCertificate(settings.data)
  return running?.url || process.env.WORKSPACE_URL || settings.base_url || `http://${settings.host}:${settings.port}`
}

function keyOf(given: string | undefined): KeyText {
  if (given === 'env') return { variable: keyVariable }
  const text = (given ?? process.env[keyVariable] ?? '').trim() || placeholder
  if (/^[\x21-\x7e]+$/.test(text)) return { text }
  throw new BadTarget('key', 'This is no key: it has characters in it that no key has.')
}

/** By full paths: programs of a desktop do not have the PATH of a shell. */
function bridgeHere(): string[] {
  if (isExecutable) return [lastingPath(), 'mcp']
  const launcher = import.meta.url.endsWith('.mjs') ? '../bin/workspace' : '../../bin/workspace'
  return [process.execPath, fileURLToPath(new URL(launcher, import.meta.url)), 'mcp']
}

function list(given: Given): void {
  const rows = clients.map(({ id, title }) => ({ id, title }))
  print(given.json, rows, () => `${table(['CLIENT', 'PROGRAM'], rows.map(one => [one.id, one.title]))}\n\nworkspace connect <client> shows how, --write does it, --check tries it.`)
}

function show(client: Client, target: Target, given: Given): void {
  const setup = setupOf(client, target)
  const { baseUrl, selection } = target
  print(given.json, { base_url: baseUrl, mcp_url: mcpUrl(baseUrl, selection), ...setup }, () => inFull(setup, platformHere()) + missing(target))
}

function missing({ key }: Target): string {
  if (!('text' in key) || key.text !== placeholder) return ''
  return `\n\nPut your key in the place of ${placeholder}, or give it with --key or in ${keyVariable}. \`workspace keys create --user … --name …\` makes one.`
}

async function write(client: Client, target: Target, given: Given): Promise<void> {
  const done = writeSetup(setupOf(client, target), target, given.file)
  print(given.json && !given.check, done, () => {
    if (!done.changed) return `${done.file} has it already; nothing was changed.`
    return [`${client.title} is told of it in ${done.file}.`, ...(done.backup ? [`What it was before is in ${done.backup}.`] : []), ...done.next].join('\n')
  })
}

async function tryOut({ baseUrl, selection, key }: Target, given: Given): Promise<void> {
  const text = 'text' in key ? key.text : process.env[keyVariable]
  if (!text || text === placeholder) throw new Stop('refused', `There is no key to try it with. Give one with --key or in ${keyVariable}.`)
  const found = await check(mcpUrl(baseUrl, selection), baseUrl, text, { allowHttp: given.allowHttp ?? false })
  if ('advice' in found) {
    process.exitCode = exits.refused
    if (given.json) return print(true, { ok: false, ...found }, String)
    return void process.stderr.write(`workspace: ${found.message}\n${found.advice}\n`)
  }
  const { url, person, tools, protocol, server, connectMs, listMs } = found
  print(given.json, { ok: true, url, person, tools, protocol, server, connect_ms: connectMs, list_ms: listMs }, () => {
    const who = person ? `the key of ${person.name} <${person.email}>` : 'a key that may not say whose it is'
    return `Connected to ${server} at ${url} with ${who}.\n${tools} tools, protocol ${protocol}; ${connectMs} ms to connect, ${listMs} ms for the list.`
  })
}
