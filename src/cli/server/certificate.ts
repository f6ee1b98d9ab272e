import { X509Certificate } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { Log } from '../../kernel/log.ts'
import type { Settings } from '../../config/settings.ts'
import {
  BadCertificate,
  certificateWarnings,
  coversHost,
  readCertificate,
  trustCertificate,
  type Certificate,
} from '../../tls/certificate.ts'
import { createSelfSigned } from '../../tls/self-signed.ts'
import { CliError } from '../exit.ts'

const dayLength = 24 * 60 * 60 * 1000
/** Validity of a certificate in days: the longest that programs accept from a server. */
const validDays = 397
const renewalDays = 30

/** Certificate files: those named by the settings, or those generated here. */
export function certificateFiles({
  tls_cert,
  tls_key,
  tls_self_signed,
  data,
}: Settings): { cert: string; key: string } | undefined {
  if (tls_cert !== '') return { cert: tls_cert, key: tls_key }
  return tls_self_signed ? generatedFiles(data) : undefined
}

/**
 * The server's certificate, generated first if enabled and due; undefined without TLS.
 * @throws Stop if it cannot be used
 */
export function loadCertificate(
  settings: Settings,
  log: Log,
  now: number,
): Certificate | undefined {
  const files = certificateFiles(settings)
  if (!files) return undefined
  if (settings.tls_cert === '') generateIfDue(files, settings, now)
  try {
    const certificate = readCertificate(files)
    for (const doubt of certificateWarnings(certificate, hostOf(settings), now))
      log.warn(doubt, { certificate: files.cert })
    return certificate
  } catch (error) {
    if (error instanceof BadCertificate) throw new CliError('configuration', error.message)
    throw error
  }
}

/** Makes local commands trust the certificate that this machine's server generated. */
export function trustOwnCertificate(dataDir: string): void {
  const { cert } = generatedFiles(dataDir)
  if (existsSync(cert)) trustCertificate(readFileSync(cert, 'utf8'))
}

function generatedFiles(dataDir: string): { cert: string; key: string } {
  return { cert: join(dataDir, 'tls', 'certificate.pem'), key: join(dataDir, 'tls', 'key.pem') }
}

/** Generates a certificate unless there is a valid one, which programs may have been configured to trust. */
function generateIfDue(
  files: { cert: string; key: string },
  settings: Settings,
  now: number,
): void {
  if (existsSync(files.cert) && existsSync(files.key)) {
    const current = new X509Certificate(readFileSync(files.cert))
    const host = hostOf(settings)
    if (
      Date.parse(current.validTo) - now > renewalDays * dayLength &&
      (host === undefined || coversHost(current, host))
    )
      return
  }
  const { cert, key } = createSelfSigned(
    namesFor(settings),
    now - dayLength,
    now + validDays * dayLength,
  )
  mkdirSync(join(settings.data, 'tls'), { recursive: true, mode: 0o700 })
  writeFileSync(files.key, key, { mode: 0o600 })
  writeFileSync(files.cert, cert, { mode: 0o644 })
}

/** Names under which this machine may be reached in its network. */
function namesFor(settings: Settings): string[] {
  const machineName = hostname().toLowerCase()
  const addresses = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter((networkInterfaceInfo) => !networkInterfaceInfo.address.startsWith('fe80'))
  const first = hostOf(settings)
  const names = [
    ...(first === undefined ? [] : [first]),
    ...alternativeHosts(settings),
    machineName,
    ...(machineName.includes('.') ? [] : [`${machineName}.local`]),
    'localhost',
    '127.0.0.1',
    '::1',
    ...addresses.map((address) => address.address),
  ]
  return [...new Set(names)]
}

function hostOf({ base_url }: Settings): string | undefined {
  return base_url === '' ? undefined : withoutBrackets(new URL(base_url).hostname)
}

function alternativeHosts({ also_at }: Settings): string[] {
  return also_at
    .split(',')
    .filter((url) => url !== '')
    .map((url) => withoutBrackets(new URL(url).hostname))
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1')
}
