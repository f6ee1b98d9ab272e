import type { Command } from 'commander'
import { isLoopback, isWithin, readNetworks } from '../core/networks.ts'
import { settingList, type Settings } from '../core/settings.ts'
import { exampleHelp } from './command.ts'
import { Stop } from './exit.ts'
import { settingsOf } from './open.ts'

const examples = exampleHelp([
  'workspace serve',
  'workspace serve --port 9000 --data /srv/workspace',
  'workspace serve --host 0.0.0.0 --port 443 --base-url https://work.example.org --tls-cert fullchain.pem --tls-key privkey.pem',
  'workspace serve --base-url https://work.example.org --trusted-proxies 127.0.0.1   behind a proxy on this machine that speaks TLS',
  'workspace serve --host 0.0.0.0 --tls-self-signed   in a network at home',
])

/** Its options are the settings, from the one list of them. */
export function register(program: Command): void {
  const self = program.command('serve').description('Starts the workspace. Stops at SIGTERM or Ctrl-C, after what is under way; a second one stops it at once. SIGHUP makes it read its certificate again.')
  for (const { flag, env, help } of Object.values(settingList)) self.option(flag, `${help} (${env})`)
  self.option('--json', 'print one JSON value once it listens').addHelpText('after', examples).action(serve)
}

async function serve(given: { json?: boolean }): Promise<void> {
  const settings = settingsOf(given)
  checkTransport(settings)
  const { serveUntilStopped } = await import('./serving.ts') // with it the whole program, which help and a wrong setting need not wait for
  await serveUntilStopped(settings, given.json)
}

/** What settings say together. Keys and passwords must not cross a network in the clear. */
function checkTransport(settings: Settings): void {
  const wrong = mistakeIn(settings)
  if (wrong !== undefined) throw new Stop('configuration', wrong)
}

function mistakeIn({ host, base_url, tls_cert, tls_key, tls_self_signed, trusted_proxies, http_redirect_port, metrics, metrics_token }: Settings): string | undefined {
  const isEncrypted = tls_cert !== '' || tls_self_signed
  if ((tls_cert === '') !== (tls_key === '')) return '--tls-cert and --tls-key belong together: give both, or neither.'
  if (tls_cert !== '' && tls_self_signed) return '--tls-self-signed makes a certificate; with --tls-cert there is one. Leave one of them out.'
  if (isEncrypted && base_url.startsWith('http://')) return `The server speaks TLS, so --base-url must begin with https://, not ${base_url}.`
  if (!isEncrypted && !isLoopback(host.toLowerCase()) && trusted_proxies === '') return inClear(host)
  if (base_url.startsWith('http://') && !isLoopback(new URL(base_url).hostname)) return `Links to ${base_url} would carry keys and passwords over the network in the clear. Say https://…, with a certificate here or a proxy that speaks TLS; without --base-url, only this machine is served.`
  if (trusted_proxies !== '' && !isEncrypted && !base_url.startsWith('https://')) return 'With --trusted-proxies, --base-url must say under which https:// address people reach the proxy.'
  if (http_redirect_port !== 0 && !isEncrypted) return '--http-redirect-port is for a server that speaks TLS itself (--tls-cert, --tls-key); a proxy redirects by itself.'
  if (metrics === 'token' && metrics_token === '') return '--metrics token needs the token that the collector sends: WORKSPACE_METRICS_TOKEN.'
  if (metrics === 'loopback' && !isEncrypted && trusted_proxies === '' && base_url.startsWith('https://')) return hiddenProxy
  if (metrics === 'loopback' && isWithin(host.includes(':') ? '::1' : '127.0.0.1', readNetworks(trusted_proxies) ?? [])) return ownProxy
  return undefined
}

function inClear(host: string): string {
  return `Without TLS, ${host} would show keys and passwords to the network. Give the server a certificate (--tls-cert and --tls-key, or --tls-self-signed), or put a proxy that speaks TLS in front and say so with --base-url https://… and --trusted-proxies, or leave --host out to serve this machine only.`
}

const hiddenProxy = '--metrics loopback cannot tell programs of this machine from what a proxy on it passes on. Use --metrics token.'
const ownProxy = '--metrics loopback lets nobody in behind a proxy on this machine: whatever comes from here may be what it passes on. Use --metrics token.'
