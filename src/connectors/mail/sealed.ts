// Messages with their text inside another kind of part: signed with S/MIME as a whole (RFC 8551, 3.5.2), encrypted, or
// in the format of one mail program.

import {
  Constructed,
  fromBER,
  ObjectIdentifier,
  OctetString,
  Sequence,
  type BaseBlock,
} from 'asn1js'

const signedData = '1.2.840.113549.1.7.2'
const maxNodes = 100_000

/** A part that contains no text itself, with its description. */
export interface OpaquePart {
  mime: string
  name: string
  /** The parameter smime-type. */
  smimeType: string | undefined
  content: Uint8Array
}

/** Whether a part is an S/MIME message, by type or file extension. */
export function isSmime({ mime, name }: Pick<OpaquePart, 'mime' | 'name'>): boolean {
  return (
    /^application\/(?:x-)?pkcs7-mime$/.test(mime) ||
    (mime === 'application/octet-stream' && /\.p7m$/i.test(name))
  )
}

/**
 * The message inside CMS signed data (RFC 5652, 5), without verifying signatures; undefined for other data, such as
 * encrypted data. The encoding may be of indefinite length, as Outlook writes it.
 */
export function signedContent(bytes: Uint8Array): Uint8Array | undefined {
  const { result, offset } = fromBER(bytes, {
    maxNodes,
    maxContentLength: bytes.byteLength,
    parseEmbedded: false,
  })
  if (offset === -1 || !(result instanceof Sequence)) return undefined
  const [type, content] = result.valueBlock.value
  if (!isOid(type, signedData) || !(content instanceof Constructed)) return undefined
  const [signed] = content.valueBlock.value
  const enclosed = signed instanceof Sequence ? signed.valueBlock.value[2] : undefined
  const explicit = enclosed instanceof Sequence ? enclosed.valueBlock.value[1] : undefined
  const [octets] = explicit instanceof Constructed ? explicit.valueBlock.value : []
  return octets instanceof OctetString ? new Uint8Array(octets.getValue()) : undefined
}

function isOid(block: BaseBlock | undefined, oid: string): boolean {
  return block instanceof ObjectIdentifier && block.getValue() === oid
}

/** Invitations and pictures are shown separately. */
function isDisplayablePart({ mime }: OpaquePart): boolean {
  return mime === 'text/calendar' || mime.startsWith('image/')
}

/** Reason why a message has no text, from its parts; undefined if none of them hides one. */
export function sealedReason(parts: readonly OpaquePart[], rootType: string): string | undefined {
  if (rootType === 'multipart/encrypted')
    return 'Its text is encrypted (PGP): a mail program that has the key can read it.'
  const smime = parts.find(isSmime)
  if (smime)
    return /^signed/i.test(smime.smimeType ?? '')
      ? `Its text is in ${smime.name}, signed data (S/MIME) that cannot be read.`
      : 'Its text is encrypted (S/MIME): a mail program that has the key can read it.'
  const tnef = parts.find(
    ({ mime, name }) =>
      /^application\/(?:ms-tnef|vnd\.ms-tnef)$/.test(mime) || /^winmail\.dat$/i.test(name),
  )
  if (tnef) return `Its text may be in ${tnef.name}, a format of Outlook (TNEF) that is not read.`
  const [only, ...others] = parts
  if (only && others.length === 0 && rootType === only.mime && !isDisplayablePart(only))
    return `All of it is one part of the type ${only.mime}, which is not read as text: see the attachment ${only.name}.`
  return undefined
}
