import type { Command } from 'commander'
import { wholeNumber } from '../../config/setting.ts'
import { trustOwnCertificate } from './certificate.ts'
import { addCommand, print, type CommonOptions } from '../command.ts'
import { exitCodes, CliError } from '../exit.ts'
import { settingsOf } from '../open.ts'
import { askServer } from './own-server.ts'
import { runningServer } from './running-server.ts'

export function registerHealthCommand(program: Command): void {
  addCommand(
    program,
    'health',
    'Check whether the running workspace is ready for requests: exit code 0 if it is, 1 if not. Needs no shell or other program, so containers can use it.',
    [
      'workspace health',
      'workspace health --json',
      'workspace health --url https://work.example.org',
    ],
  )
    .option(
      '--url <url>',
      'address to check, including its certificate (default: the server of the data folder)',
    )
    .option('--timeout <seconds>', 'how long to wait', '5')
    .action(health)
}

interface HealthOptions extends CommonOptions {
  url?: string
  timeout: string
}

/** Result of the health check; `says` in words. */
interface Health {
  ok: boolean
  url: string
  status?: number
  says: string
}

async function health(options: HealthOptions): Promise<void> {
  const seconds = wholeNumber.min(1).max(600).safeParse(options.timeout)
  if (!seconds.success) throw new CliError('usage', '--timeout: 1 to 600 seconds.')
  const { data } = settingsOf({ data: options.data })
  trustOwnCertificate(data)
  const health = await probe(
    options.url === undefined ? requireServerUrl(data) : urlOf(options.url),
    options.url !== undefined,
    seconds.data * 1000,
  )
  print(options.json, health, () => health.says)
  if (!health.ok) process.exitCode = exitCodes.refused
}

function requireServerUrl(data: string): string {
  const running = runningServer(data)
  if (!running)
    throw new CliError(
      'refused',
      `No server runs on ${data}. Start it with workspace serve, or name another one with --data or --url.`,
    )
  return running.listens_at
}

function urlOf(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new CliError(
      'usage',
      `--url: ${text} is not an address such as https://work.example.org.`,
    )
  return url.origin
}

async function probe(url: string, verifiesName: boolean, timeoutMs: number): Promise<Health> {
  try {
    const { status, body } = await askServer(`${url}/readyz`, timeoutMs, verifiesName)
    if (status === 200) return { ok: true, url, status, says: `${url} is ready${spaceNote(body)}.` }
    return {
      ok: false,
      url,
      status,
      says: `${url} is not ready: status ${status}, ${body.slice(0, 200)}`,
    }
  } catch (error) {
    return {
      ok: false,
      url,
      says: `${url} does not answer: ${(error as Error).message || (error as { code?: string }).code}.`,
    }
  }
}

function spaceNote(body: string): string {
  const space = /"space":"(low|scarce)"/.exec(body)?.[1]
  return space ? `, and its disk space is ${space}` : ''
}
