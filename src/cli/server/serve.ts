import { homedir } from 'node:os'
import { CommanderError, Option, type Command } from 'commander'
import { isLoopback, isInNetworks, parseNetworks } from '../../kernel/networks.ts'
import { settingList, type Settings } from '../../config/settings.ts'
import { exampleHelp } from '../command.ts'
import { CliError } from '../exit.ts'
import { settingsOf } from '../open.ts'

const examples = `
Every setting is also an environment variable, such as WORKSPACE_PORT.
--help-all lists all ${Object.keys(settingList).length} of them.
${exampleHelp([
  'workspace serve',
  'workspace serve --port 9000 --data /srv/workspace',
  'workspace serve --host 0.0.0.0 --tls-self-signed      on a home network',
  'workspace serve --base-url https://work.example.org \\\n    --trusted-proxies 127.0.0.1                         behind a TLS proxy',
  'workspace serve --base-url https://work.example.org \\\n    --host 0.0.0.0 --port 443 --tls-cert fullchain.pem --tls-key privkey.pem',
])}`

/** Settings that most people need; --help-all shows the rest. */
const essentialSettings: readonly string[] = [
  'data',
  'host',
  'port',
  'base_url',
  'tls_cert',
  'tls_key',
  'tls_self_signed',
  'trusted_proxies',
  'master_key_file',
  'log_level',
]

const helpWidth = 80

/** Registers `workspace serve`; its options are generated from the list of settings. */
export function registerServeCommand(program: Command): void {
  const self = program
    .command('serve')
    .description(
      'Start the workspace. Ctrl-C or SIGTERM stops it after the requests in progress; a second one stops it at once. SIGHUP reloads the certificate.',
    )
  for (const [name, { flag, help, ...setting }] of Object.entries(settingList)) {
    const option = new Option(flag, `${help} (default: ${defaultText(setting)})`)
    self.addOption(essentialSettings.includes(name) ? option : option.hideHelp())
  }
  self
    .option('--json', 'print one JSON value once it listens')
    .option('--help-all', 'show every setting with its default and its environment variable')
    .configureHelp({ helpWidth })
    .addHelpText('after', examples)
    .on('option:help-all', printAllSettings)
    .action(serve)
}

function printAllSettings(): never {
  const entries = Object.values(settingList).map(({ flag, env, help, ...setting }) => {
    const text = `${help} (default: ${defaultText(setting)}; ${env})`
    return `  ${flag}\n${wrapText(text, helpWidth - 6)
      .map((line) => `      ${line}`)
      .join('\n')}`
  })
  process.stdout.write(
    `All settings of workspace serve. A flag overrides its environment variable.\n\n${entries.join('\n')}\n`,
  )
  throw new CommanderError(0, 'commander.helpDisplayed', '(all settings)')
}

/** A default in the notation people use. */
function defaultText(setting: { default: () => unknown }): string {
  const value = setting.default()
  if (value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'object' && value !== null) return Object.keys(value).join(', ')
  return String(value).replace(new RegExp(`^${RegExp.escape(homedir())}(?=/)`), '~')
}

/** Wraps a text into lines at spaces. */
function wrapText(text: string, width: number): string[] {
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

async function serve(options: { json?: boolean }): Promise<void> {
  const settings = settingsOf(options)
  checkTransport(settings)
  const { serveUntilStopped } = await import('./server-run.ts') // this loads the whole program, for which neither help nor an error in a setting should wait
  await serveUntilStopped(settings, options.json)
}

/** Checks settings in combination. Keys and passwords must not cross a network unencrypted. */
function checkTransport(settings: Settings): void {
  const problem = transportProblem(settings)
  if (problem !== undefined) throw new CliError('configuration', problem)
}

function transportProblem({
  host,
  base_url,
  tls_cert,
  tls_key,
  tls_self_signed,
  trusted_proxies,
  http_redirect_port,
  metrics,
  metrics_token,
  database,
  standby,
}: Settings): string | undefined {
  if (standby && database === '')
    return '--standby is for servers on PostgreSQL (--database): a SQLite file has one server.'
  const isEncrypted = tls_cert !== '' || tls_self_signed
  if ((tls_cert === '') !== (tls_key === ''))
    return '--tls-cert and --tls-key belong together: give both, or neither.'
  if (tls_cert !== '' && tls_self_signed)
    return '--tls-self-signed creates a certificate, --tls-cert names one. Use only one of them.'
  if (isEncrypted && base_url.startsWith('http://'))
    return `The server speaks TLS, so --base-url must begin with https://, not ${base_url}.`
  if (!isEncrypted && !isLoopback(host.toLowerCase()) && trusted_proxies === '')
    return unencryptedMessage(host)
  if (base_url.startsWith('http://') && !isLoopback(new URL(base_url).hostname))
    return `Links to ${base_url} would send keys and passwords unencrypted over the network. Use https://…, with a certificate here or a proxy that uses TLS; without --base-url, only this machine is served.`
  if (trusted_proxies !== '' && !isEncrypted && !base_url.startsWith('https://'))
    return 'With --trusted-proxies, --base-url must be the https:// address of the proxy.'
  if (http_redirect_port !== 0 && !isEncrypted)
    return '--http-redirect-port is for a server that speaks TLS itself (--tls-cert, --tls-key); let a proxy do its own redirects.'
  if (metrics === 'token' && metrics_token === '')
    return '--metrics token needs the token that the collector sends: WORKSPACE_METRICS_TOKEN.'
  if (
    metrics === 'loopback' &&
    !isEncrypted &&
    trusted_proxies === '' &&
    base_url.startsWith('https://')
  )
    return hiddenProxyMessage
  if (
    metrics === 'loopback' &&
    isInNetworks(host.includes(':') ? '::1' : '127.0.0.1', parseNetworks(trusted_proxies) ?? [])
  )
    return localProxyMessage
  return undefined
}

function unencryptedMessage(host: string): string {
  return `Without TLS, ${host} would show keys and passwords to the network. Give the server a certificate (--tls-cert and --tls-key, or --tls-self-signed), or put a proxy that speaks TLS in front and set --base-url https://… and --trusted-proxies, or omit --host to serve only this machine.`
}

const hiddenProxyMessage =
  '--metrics loopback cannot distinguish programs on this machine from requests that a proxy on it forwards. Use --metrics token.'
const localProxyMessage =
  '--metrics loopback allows no one behind a proxy on this machine, because any local request may be forwarded. Use --metrics token.'
