import { statSync } from 'node:fs'
import { BadCertificate, certificateWarnings, readCertificate } from '../../tls/certificate.ts'
import { DoctorFindings, type DoctorFinding } from './finding.ts'

/** The certificate and its key, if the server itself uses TLS. */
export function checkTls(
  files: { cert: string; key: string },
  host: string | undefined,
  now: number,
): DoctorFinding[] {
  const findings = new DoctorFindings('tls')
  try {
    for (const doubt of certificateWarnings(readCertificate(files), host, now))
      findings.warn(doubt, 'renew it, then send the server SIGHUP')
  } catch (error) {
    if (!(error instanceof BadCertificate)) throw error
    findings.fail(
      error.message,
      'set a certificate and its key, in PEM format: --tls-cert, --tls-key',
    )
    return findings.all
  }
  if ((statSync(files.key).mode & 0o077) !== 0)
    findings.warn(`Other users of this machine can read ${files.key}.`, `chmod 600 ${files.key}`)
  if (findings.all.length === 0) findings.ok(`${files.cert} and its key are valid.`)
  return findings.all
}
