import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCertificate, type Certificate } from '../tls/certificate.ts'
import { createSelfSigned } from '../tls/self-signed.ts'

const dayLength = 24 * 60 * 60 * 1000

/** A certificate in files that are removed at the end, by default for the names of this machine. */
export interface MadeCertificate extends Certificate {
  files: { cert: string; key: string }
  remove(): void
}

export function makeCertificate(
  options: { names?: string[]; from?: number; until?: number } = {},
): MadeCertificate {
  const dir = mkdtempSync(join(tmpdir(), 'workspace-tls-'))
  const files = { cert: join(dir, 'cert.pem'), key: join(dir, 'key.pem') }
  const now = Date.now()
  const { cert, key } = createSelfSigned(
    options.names ?? ['localhost', '127.0.0.1'],
    options.from ?? now - dayLength,
    options.until ?? now + 30 * dayLength,
  )
  writeFileSync(files.cert, cert)
  writeFileSync(files.key, key, { mode: 0o600 })
  return {
    ...readCertificate(files),
    files,
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}
