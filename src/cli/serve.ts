import type { Command } from 'commander'
import { settingList, type Settings } from '../core/settings.ts'
import { exampleHelp } from './command.ts'
import { Stop } from './exit.ts'
import { settingsOf } from './open.ts'

const examples = exampleHelp([
  'workspace serve',
  'workspace serve --port 9000 --data /srv/workspace',
  'workspace serve --host 0.0.0.0 --base-url https://work.example.org   behind a proxy that speaks TLS',
])

/** Its options are the settings, from the one list of them. */
export function register(program: Command): void {
  const self = program.command('serve').description('Starts the workspace. Stops at SIGTERM or Ctrl-C, after what is under way; a second one stops it at once.')
  for (const { flag, env, help } of Object.values(settingList)) self.option(flag, `${help} (${env})`)
  self.option('--json', 'print one JSON value once it listens').addHelpText('after', examples).action(serve)
}

async function serve(given: { json?: boolean }): Promise<void> {
  const settings = settingsOf(given)
  checkExposure(settings)
  const { serveUntilStopped } = await import('./serving.ts') // with it the whole program, which help and a wrong setting need not wait for
  await serveUntilStopped(settings, given.json)
}

/** Keys and passwords must not cross a network in the clear. */
function checkExposure({ host, base_url }: Settings): void {
  if (isLoopback(host) || base_url.startsWith('https://')) return
  throw new Stop(
    'configuration',
    `Without TLS, ${host} would show keys and passwords to the network. Put a proxy that speaks TLS in front and say so with --base-url https://…, or leave --host out to serve this machine only.`,
  )
}

function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
}
