// Entry point of the bundle for Claude Desktop, run under the Node that Claude Desktop brings: the bridge, configured by
// its environment.

import { runBridge } from './bridge.ts'
import {
  parseEndpoint,
  InvalidTarget,
  isExposed,
  mcpUrl,
  overrideSelection,
  selectionOf,
} from './target.ts'
import { exposedTrouble, inOneLine } from './trouble.ts'

/** A setting left empty arrives as its own name in braces. */
function setting(name: string): string | undefined {
  const text = process.env[name]?.trim()
  return text === undefined || text === '' || /^\$\{user_config\..*\}$/.test(text)
    ? undefined
    : text
}

function endpoint(): string {
  const { baseUrl, path, selection } = parseEndpoint(setting('WORKSPACE_URL') ?? '')
  const preset = setting('WORKSPACE_PRESET')
  const url = mcpUrl(
    baseUrl,
    overrideSelection(
      selection,
      selectionOf({
        preset: preset === 'all' ? undefined : preset,
        readonly: setting('WORKSPACE_READONLY') ?? false,
      }),
    ),
    path,
  )
  if (isExposed(url) && setting('WORKSPACE_ALLOW_HTTP') !== 'true')
    throw new InvalidTarget('url', inOneLine(exposedTrouble(url)))
  return url
}

const log = (line: string): void => void process.stderr.write(`workspace: ${line}\n`)

async function main(): Promise<void> {
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())
  const key = setting('WORKSPACE_KEY')
  if (!key)
    throw new InvalidTarget(
      'key',
      'There is no API key. Create one with `workspace keys create` and enter it in the settings of this extension.',
    )
  await runBridge({
    url: endpoint(),
    key,
    input: process.stdin,
    output: process.stdout,
    log,
    signal: stop.signal,
  })
}

// A classic script without top-level await, which runs on any bundled Node version.
main().catch((error: unknown) => {
  log(error instanceof InvalidTarget ? error.message : String((error as Error).stack))
  process.exitCode = 1
})
