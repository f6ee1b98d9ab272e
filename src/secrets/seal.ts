import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

// An envelope is base64 of: a byte 1 for this format, 12 bytes of nonce, 16 of tag, and the text encrypted with
// AES-256-GCM.

const formatVersion = 1
const nonceLength = 12
const tagLength = 16
export const masterKeyLength = 32

/** Location of an encrypted text, which decrypts only there: a value copied to another row is unreadable. */
export interface SecretLocation {
  readonly org_id: string
  readonly table: string
  readonly row_id: string
  readonly column: string
}

/** Thrown if an envelope cannot be opened: it belongs to another key or location, or was altered. */
export class UnsealError extends Error {}

/** The short id of a master key, stored in rows to identify their key. It reveals nothing about the key. */
export function kidOf(master: Uint8Array): string {
  return createHash('sha256')
    .update('workspace master key\0')
    .update(master)
    .digest('hex')
    .slice(0, 12)
}

export function seal(master: Uint8Array, place: SecretLocation, text: string): string {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', organizationKey(master, place.org_id), nonce)
  cipher.setAAD(additionalData(master, place))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(formatVersion), nonce, cipher.getAuthTag(), sealed]).toString(
    'base64',
  )
}

/** @throws UnsealError */
export function unsealSecret(master: Uint8Array, place: SecretLocation, envelope: string): string {
  const bytes = Buffer.from(envelope, 'base64')
  const start = 1 + nonceLength + tagLength
  if (bytes[0] !== formatVersion || bytes.length < start)
    throw new UnsealError('This is not an encrypted text this version knows.')
  try {
    const decipher = createDecipheriv(
      'aes-256-gcm',
      organizationKey(master, place.org_id),
      bytes.subarray(1, 1 + nonceLength),
      { authTagLength: tagLength },
    )
    decipher.setAAD(additionalData(master, place))
    decipher.setAuthTag(bytes.subarray(1 + nonceLength, start))
    return Buffer.concat([decipher.update(bytes.subarray(start)), decipher.final()]).toString(
      'utf8',
    )
  } catch {
    throw new UnsealError(
      `The encrypted ${place.column} of ${place.table} ${place.row_id} cannot be decrypted.`,
    )
  }
}

/** Each organization has its own key. */
function organizationKey(master: Uint8Array, orgId: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, orgId, 'workspace secrets', 32))
}

function additionalData(
  master: Uint8Array,
  { org_id, table, row_id, column }: SecretLocation,
): Buffer {
  return Buffer.from([org_id, table, row_id, column, kidOf(master)].join('|'))
}
