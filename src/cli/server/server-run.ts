import { relative, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Spill } from '../../audit/spill.ts'
import type { App } from '../../operations/app.ts'
import { ClockWatch } from './clock-watch.ts'
import { systemClock } from '../../kernel/time/clock.ts'
import type { Settings } from '../../config/settings.ts'
import { openApp } from '../../start.ts'
import { startServer } from '../../http/server.ts'
import { Queue } from '../../jobs/queue.ts'
import { startTicks } from '../../jobs/scheduler.ts'
import { startSearchUpkeep } from '../../jobs/upkeep.ts'
import { startWatches } from '../../jobs/watch-runner.ts'
import { applyRevocations } from '../../keys/issue.ts'
import { unknownAssignedPlans } from '../../limits/plan.ts'
import { isUnused, makeSetupToken } from '../../identity/setup.ts'
import { modules } from '../../modules/index.ts'
import { rotationProblem } from '../../secrets/rotate.ts'
import { certificateNames, type Certificate } from '../../tls/certificate.ts'
import { certificateFiles, loadCertificate } from './certificate.ts'
import { print } from '../command.ts'
import { exitCodes, CliError } from '../exit.ts'
import { takeLock } from './lock.ts'
import { errorLog } from '../log.ts'
import { startMetering, type ServerParts } from './metrics.ts'
import { startRounds } from './rounds.ts'
import { writeServerFile, removeServerFile } from './running-server.ts'
import { requirePorts, localUrl } from './ports.ts'
import { checkAfterFailures } from './self-check.ts'
import { stopSignal } from './signals.ts'
import { endWhenReplaced, openWhenAvailable } from './standby.ts'
import { notifySystemd } from './systemd.ts'
import { version } from '../version.ts'

const closeTimeoutMs = 10_000

/** Startup message of a server: a value for programs, and text for people. */
export interface Greeting {
  value: object
  text: string
}

/** The life of a server, from locking the data directory to releasing it. Ends the process. */
export async function serveUntilStopped(
  settings: Settings,
  asJson: boolean | undefined,
  greet: (
    app: App,
    certificate: Certificate | undefined,
  ) => Greeting | Promise<Greeting> = defaultGreeting,
): Promise<never> {
  const parts: ServerParts = {}
  const stopRequest = stopSignal(() => reload(settings, parts))
  process.on('uncaughtException', crash)
  errorLog.setLevel(settings.log_level)
  const opened = await openWhenAvailable(settings, stopRequest, () => openParts(settings, parts))
  if (!opened) process.exit(exitCodes.ok)
  const { app, release } = opened
  await startMetering(app, parts)
  const { host, port, http_redirect_port } = settings
  const server = (parts.server = await startServer(app, {
    host,
    port,
    certificate: parts.certificate,
    redirectPort: http_redirect_port,
  }))
  const listensAt = localUrl(host, server.url)
  process.on('exit', () => removeServerFile(settings.data))
  writeServerFile(settings.data, {
    pid: process.pid,
    url: app.baseUrl,
    listens_at: listensAt,
    started_at: new Date().toISOString(),
  })
  const clock = new ClockWatch(app.clock, errorLog, await lastChangeAt(app))
  app.mayErase = () => clock.isTrusted
  const stopTicks = startTicks(app)
  const stopTending = startSearchUpkeep(app)
  const queue = (parts.queue = new Queue(app, { isOnlyServer: true }))
  queue.start()
  const stopWatches = startWatches(app)
  const stopRounds = startRounds(app, clock)
  const { value, text } = await greet(app, parts.certificate)
  print(asJson, value, () => text)
  const notifyStopping = await notifySystemd(
    process.env,
    { writer: app.store.writer, url: listensAt },
    errorLog,
  ).catch(crash)
  errorLog.info('stopping', { signal: await stopRequest })
  await Promise.all([
    notifyStopping(),
    Promise.race([server.close(), pause(closeTimeoutMs)]),
    queue.stop(),
    stopWatches(),
  ])
  await stopTicks()
  await stopRounds()
  await stopTending()
  await app.tracer?.end()
  await app.store.close()
  release()
  process.exit(exitCodes.ok)
}

/** Locks the data directory and opens this process's workspace. */
async function openParts(
  settings: Settings,
  parts: ServerParts,
): Promise<{ app: App; release: () => void }> {
  const release = takeLock(settings.data)
  try {
    await requirePorts(settings)
    parts.certificate = loadCertificate(settings, errorLog, systemClock.now())
    return { app: await openServerApp(withOwnNames(settings, parts.certificate)), release }
  } catch (error) {
    release()
    throw error
  }
}

async function openServerApp(settings: Settings): Promise<App> {
  const app = await openApp({ settings, clock: systemClock, modules, log: errorLog })
  app.callLog.spill = spillOf(settings)
  checkAfterFailures(app)
  endWhenReplaced(app.store)
  if (app.store.applied.length > 0)
    errorLog.info('the database was created or upgraded', { applied: app.store.applied })
  await checkSecrets(app)
  if (settings.outbound_allow !== '')
    errorLog.info('connections to hosts of the own network are allowed', {
      outbound_allow: settings.outbound_allow,
    })
  const unknownPlans = await unknownAssignedPlans(app.store.read, settings.plans)
  if (unknownPlans.length > 0)
    errorLog.warn(
      'organizations have plans that are not in the settings; the default plan applies',
      { plans: unknownPlans, default_plan: settings.default_plan },
    )
  const revived = await applyRevocations(app.store, app.clock, settings.data)
  if (revived.length > 0)
    errorLog.warn('an older database brought revoked keys back; they were revoked again', {
      keys: revived,
    })
  return app
}

/** Without the master key a server would only half work, and would seal new secrets that the right key cannot open. */
async function checkSecrets({ store, secrets, settings }: App): Promise<void> {
  const problem = isInside(settings.master_key_file, settings.data)
    ? misplacedKeyMessage(settings)
    : await rotationProblem(store, secrets.master)
  if (!problem) return
  await store.close()
  throw new CliError('configuration', problem)
}

function misplacedKeyMessage({ master_key_file, data }: Settings): string {
  return `The master key (${master_key_file}) must not be in the data folder ${data}, which it protects: a copy of the folder would include the key. Choose another place with --master-key-file.`
}

function isInside(file: string, folder: string): boolean {
  return !relative(resolve(folder), resolve(file)).startsWith('..')
}

/** Opens the spill file. The server starts even without space for it: a full disk must not prevent the start. */
function spillOf(settings: Settings): Spill | undefined {
  try {
    return new Spill(settings.data)
  } catch (error) {
    errorLog.warn(
      'there is no room for log entries of reads while the disk is full; such reads will be refused',
      { error: (error as Error).message },
    )
    return undefined
  }
}

/** The newest moment in the database. */
async function lastChangeAt({ store }: App): Promise<number | undefined> {
  const last = await store.read.one<{ at: number }>(
    'SELECT at FROM changes ORDER BY seq DESC LIMIT 1',
  )
  return last?.at
}

/** On SIGHUP: reloads the certificate for new connections. If the new one is unusable, the present one stays. */
function reload(settings: Settings, parts: ServerParts): void {
  try {
    const certificate = loadCertificate(settings, errorLog, systemClock.now())
    if (certificate) parts.server?.replaceCertificate((parts.certificate = certificate))
    errorLog.info(
      certificate ? 'the certificate was reloaded' : 'there is no certificate to reload',
      certificate && { ends: new Date(certificate.expiresAt).toISOString() },
    )
  } catch (error) {
    errorLog.error('the certificate could not be reloaded; the previous one stays in use', {
      error: (error as Error).message,
    })
  }
}

/** Adds the names in a self-signed certificate: callers on the network may use any of them. */
function withOwnNames(settings: Settings, certificate: Certificate | undefined): Settings {
  if (!certificate || !settings.tls_self_signed || settings.port === 0) return settings
  const names = certificateNames(certificate).map(
    (name) => `https://${name.includes(':') ? `[${name}]` : name}:${settings.port}`,
  )
  return {
    ...settings,
    also_at: [...settings.also_at.split(','), ...names].filter((url) => url !== '').join(','),
  }
}

/** After an uncaught error the state of this process is unknown. */
function crash(error: Error): never {
  errorLog.error('uncaught error', { error: error.stack ?? error.message })
  process.exit(exitCodes.internal)
}

async function defaultGreeting(app: App, certificate: Certificate | undefined): Promise<Greeting> {
  const { baseUrl, settings, store, clock } = app
  const setup = (await isUnused(store))
    ? `${baseUrl}/setup?token=${await makeSetupToken(store, clock)}`
    : undefined
  const certificateFields =
    certificate && settings.tls_self_signed
      ? { tls_fingerprint: certificate.fingerprint, tls_cert: certificateFiles(settings)!.cert }
      : {}
  const where = { ...serverInfo(app), ...certificateFields }
  return {
    value: setup ? { ...where, setup_url: setup } : where,
    text: `${serverInfoText(app)}${trustLines(certificateFields)}\n${setup ? firstSteps(setup) : nextSteps}`,
  }
}

/** Address and process of a server, for programs. */
export function serverInfo({ baseUrl, settings }: App) {
  return { url: baseUrl, mcp_url: `${baseUrl}/mcp`, pid: process.pid, data: settings.data, version }
}

/** The same in readable form. */
export function serverInfoText({ baseUrl, settings }: App): string {
  return `Workspace ${version} at ${baseUrl}\n  MCP   ${baseUrl}/mcp\n  REST  ${baseUrl}/api\n  Data  ${settings.data}\n`
}

/** Certificate details that a person compares with their browser's display, and gives to programs. */
function trustLines({
  tls_fingerprint,
  tls_cert,
}: {
  tls_fingerprint?: string
  tls_cert?: string
}): string {
  if (tls_cert === undefined) return ''
  return `
The certificate is this server's own. Compare its SHA-256 when a browser asks:
  ${tls_fingerprint}
Programs trust it once you configure them to; those on Node with NODE_EXTRA_CA_CERTS=${tls_cert}
`
}

function firstSteps(link: string): string {
  return `Open this link to set up your organization (it works once, within 15 minutes):

  ${link}

Or in another terminal: workspace orgs create --name …, then workspace users create --email … --name … --admin`
}

const nextSteps =
  'Next: workspace keys create --user … --name …   creates a key and shows how to connect an assistant'
