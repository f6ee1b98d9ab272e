import { statSync } from 'node:fs'
import { BadCertificate, doubtsAbout, readCertificate } from '../../tls/certificate.ts'
import { DoctorFindings, type DoctorFinding } from './finding.ts'

/** The certificate and its key, where the server speaks TLS itself. */
export function checkTls(
  files: { cert: string; key: string },
  host: string | undefined,
  now: number,
): DoctorFinding[] {
  const found = new DoctorFindings('tls')
  try {
    for (const doubt of doubtsAbout(readCertificate(files), host, now))
      found.warn(doubt, 'renew it, then send the server SIGHUP')
  } catch (error) {
    if (!(error instanceof BadCertificate)) throw error
    found.fail(error.message, 'set a certificate and its key, in PEM format: --tls-cert, --tls-key')
    return found.all
  }
  if ((statSync(files.key).mode & 0o077) !== 0)
    found.warn(`Other users of this machine can read ${files.key}.`, `chmod 600 ${files.key}`)
  if (found.all.length === 0) found.ok(`${files.cert} and its key are valid.`)
  return found.all
}
