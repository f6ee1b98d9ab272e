import { constants, createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  createSecureContext,
  getCACertificates,
  setDefaultCACertificates,
  type TlsOptions,
} from 'node:tls'
import { canonicalAddress } from '../kernel/networks.ts'

const dayLength = 24 * 60 * 60 * 1000
const renewalWarningMs = 14 * dayLength

/** Certificate and key in PEM, as read from these files. */
export interface Certificate {
  cert: string
  key: string
  /** Expiry of the first certificate, in milliseconds. */
  expiresAt: number
  /** SHA-256 of the first certificate, in the usual notation. */
  fingerprint: string
}

/** Why a server cannot use TLS with these files. */
export class BadCertificate extends Error {}

/** @throws BadCertificate with a message that names the file */
export function readCertificate(files: { cert: string; key: string }): Certificate {
  const cert = readCertificateFile(files.cert, 'certificate')
  const key = readCertificateFile(files.key, 'key of the certificate')
  const first = parseCertificate(cert, files.cert)
  const secret = parsePrivateKey(key, files.key)
  if (!first.checkPrivateKey(secret))
    throw new BadCertificate(
      `${files.key} is not the key of ${files.cert}. Name two files that match.`,
    )
  try {
    createSecureContext({ ...tlsOptionsOf({ cert, key }) })
  } catch (error) {
    throw new BadCertificate(`${files.cert} cannot be used for TLS: ${(error as Error).message}.`)
  }
  return { cert, key, expiresAt: Date.parse(first.validTo), fingerprint: first.fingerprint256 }
}

function readCertificateFile(file: string, description: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new BadCertificate(`The ${description} cannot be read: ${(error as Error).message}.`)
  }
}

function parseCertificate(pem: string, file: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch {
    throw new BadCertificate(`${file} contains no PEM certificate (-----BEGIN CERTIFICATE-----).`)
  }
}

function parsePrivateKey(pem: string, file: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    const isEncrypted = /BEGIN ENCRYPTED PRIVATE KEY|^Proc-Type: 4,ENCRYPTED/m.test(pem) // detected by its text, since OpenSSL's error depends on its version
    throw new BadCertificate(
      isEncrypted
        ? `The key in ${file} has a passphrase, which is not supported. Remove it: openssl pkey -in ${file} -out …`
        : `${file} contains no PEM private key.`,
    )
  }
}

/** Warnings about a usable certificate, at a time in milliseconds; `host`: the host of the base URL. */
export function certificateWarnings(
  { cert, expiresAt }: Certificate,
  host: string | undefined,
  now: number,
): string[] {
  const first = new X509Certificate(cert)
  const warnings: string[] = []
  if (expiresAt <= now)
    warnings.push(
      `The certificate expired on ${first.validTo}: clients cannot connect. Renew it, then send the server SIGHUP.`,
    )
  else if (expiresAt - now < renewalWarningMs)
    warnings.push(
      `The certificate expires on ${first.validTo}. Renew it, then send the server SIGHUP.`,
    )
  if (Date.parse(first.validFrom) > now)
    warnings.push(`The certificate is not valid before ${first.validFrom}.`)
  if (host !== undefined && !coversHost(first, host))
    warnings.push(`The certificate is not for ${host}, the host of the base URL.`)
  return warnings
}

/** True if a certificate covers a host, or an address, which may be in URL brackets. */
export function coversHost(certificate: X509Certificate, host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  return (
    (canonicalAddress(bare) === undefined
      ? certificate.checkHost(bare)
      : certificate.checkIP(bare)) !== undefined
  )
}

/** Names and addresses of a certificate, without wildcards. */
export function certificateNames({ cert }: Certificate): string[] {
  const { subjectAltName = '' } = new X509Certificate(cert)
  return subjectAltName
    .split(', ')
    .flatMap((part) => /^(?:DNS|IP Address):([\w.:-]+)$/.exec(part)?.[1] ?? [])
    .map((name) => canonicalAddress(name) ?? name)
}

/** Makes this process trust a certificate in addition to the default ones. */
export function trustCertificate(pem: string): void {
  setDefaultCACertificates([...getCACertificates('default'), pem])
}

/** Cipher suites on offer: TLS 1.2 only with forward secrecy and authenticated encryption, and TLS 1.3. */
const ciphers = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  ...['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305'].flatMap((cipher) => [
    `ECDHE-ECDSA-${cipher}`,
    `ECDHE-RSA-${cipher}`,
  ]),
].join(':')

/** TLS settings for a server and for certificate renewal. */
export function tlsOptionsOf({ cert, key }: Pick<Certificate, 'cert' | 'key'>): TlsOptions {
  return {
    cert,
    key,
    minVersion: 'TLSv1.2',
    ciphers,
    honorCipherOrder: true,
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  }
}
