import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import {
  parseEndpoint,
  InvalidTarget,
  isExposed,
  mcpUrl,
  overrideSelection,
  selectionOf,
} from '../assistants/target.ts'
import { exampleHelp } from './command.ts'
import { CliError } from './exit.ts'

const examples = exampleHelp([
  'WORKSPACE_KEY=svc_… workspace mcp                             to the instance on this machine',
  'WORKSPACE_KEY=svc_… workspace mcp --url https://work.example.org --preset core',
  'workspace mcp --url https://work.example.org --key-file ~/.config/workspace/key',
])

/** Registers `workspace mcp`, without a --key option: every process list of the machine would reveal the key. */
export function registerMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description(
      'Speaks MCP over stdin and stdout and forwards to an instance, for assistants that can only start a command. The key comes from WORKSPACE_KEY.',
    )
    .option(
      '--url <url>',
      'address of the instance (WORKSPACE_URL; default: the server running on the data folder)',
    )
    .option('--key-file <file>', 'file with the key, instead of WORKSPACE_KEY')
    .option('--preset <name>', 'which tools: core, daily, all or compact')
    .option('--toolsets <names>', 'only the tools of these modules, comma-separated')
    .option('--readonly', 'only read-only tools')
    .option(
      '--allow-http',
      'allow sending the key over plain http to another machine, on a private network',
    )
    .option('--data <dir>', 'data folder (WORKSPACE_DATA)')
    .addHelpText('after', examples)
    .action(runMcpBridge)
}

interface McpOptions {
  url?: string
  keyFile?: string
  preset?: string
  toolsets?: string
  readonly?: true
  allowHttp?: true
  data?: string
}

async function runMcpBridge(options: McpOptions): Promise<void> {
  const url = await endpointOf(options)
  const key = requireBridgeKey(options.keyFile)
  const { runBridge } = await import('../assistants/bridge.ts')
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.once(signal, () => stop.abort())
  const log = (line: string) => void process.stderr.write(`workspace mcp: ${line}\n`)
  await runBridge({
    url,
    key,
    input: process.stdin,
    output: process.stdout,
    log,
    signal: stop.signal,
  })
}

async function endpointOf(cliOptions: McpOptions): Promise<string> {
  try {
    const { baseUrl, path, selection } = parseEndpoint(
      cliOptions.url ?? (await defaultAddress(cliOptions.data)),
    )
    const url = mcpUrl(baseUrl, overrideSelection(selection, selectionOf(cliOptions)), path)
    if (!isExposed(url) || cliOptions.allowHttp) return url
    const { exposedTrouble, inOneLine } = await import('../assistants/trouble.ts')
    throw new CliError('configuration', inOneLine(exposedTrouble(url)))
  } catch (error) {
    if (error instanceof InvalidTarget) throw new CliError('configuration', error.message)
    throw error
  }
}

/** The local instance if it runs, else the one named by the environment. */
async function defaultAddress(data: string | undefined): Promise<string> {
  const [{ readSettings }, { runningServer }] = await Promise.all([
    import('../config/settings.ts'),
    import('./server/running-server.ts'),
  ])
  const { data: folder } = readSettings({ data })
  const running = runningServer(folder)
  if (running?.url.startsWith('https:'))
    (await import('./server/certificate.ts')).trustOwnCertificate(folder)
  const url = running?.url ?? process.env.WORKSPACE_URL
  if (url) return url
  throw new CliError(
    'configuration',
    'No instance runs on this data folder. Name one with --url https://… or in WORKSPACE_URL, or start one with `workspace serve`.',
  )
}

function requireBridgeKey(file: string | undefined): string {
  const key = file === undefined ? process.env.WORKSPACE_KEY?.trim() : readKey(file)
  if (key && /^[\x21-\x7e]+$/.test(key)) return key
  throw new CliError(
    'configuration',
    `There is no key in ${file ?? 'WORKSPACE_KEY'}. Create one with \`workspace keys create --user … --name …\`.`,
  )
}

function readKey(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new CliError('configuration', `The key cannot be read: ${(error as Error).message}.`)
  }
}
