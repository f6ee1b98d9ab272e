// A certificate for a home network. Encodes only the few X.509 structures it needs; keys and signature come from Node.

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { canonicalAddress } from '../kernel/networks.ts'

export interface SelfSignedCertificate {
  /** PEM. */
  cert: string
  key: string
}

const ecdsaWithSha256 = oid([1, 2, 840, 10045, 4, 3, 2])

/**
 * A new key with a certificate for names and addresses, the first of which is the subject. Times in milliseconds.
 */
export function createSelfSigned(
  names: readonly string[],
  notBefore: number,
  notAfter: number,
): SelfSignedCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(ecdsaWithSha256)
  const subject = sequence(
    derValue(0x31, sequence(oid([2, 5, 4, 3]), derValue(0x0c, Buffer.from(names[0]!)))),
  )
  const serial = Buffer.concat([Buffer.from([0x40]), randomBytes(15)]) // a positive number of full length
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const tbsCertificate = sequence(
    derValue(0xa0, derValue(0x02, Buffer.from([2]))),
    derValue(0x02, serial),
    algorithm,
    subject,
    sequence(utcTime(notBefore), utcTime(notAfter)),
    subject,
    spki,
    derValue(
      0xa3,
      sequence(...extensions(names, createHash('sha256').update(spki).digest().subarray(0, 20))),
    ),
  )
  const signed = sequence(
    tbsCertificate,
    algorithm,
    derValue(0x03, Buffer.concat([Buffer.of(0), sign('sha256', tbsCertificate, privateKey)])),
  )
  return { cert: pem(signed), key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string }
}

/** `keyId` distinguishes certificates of one subject for clients that trust an old and a new one. */
function extensions(names: readonly string[], keyId: Buffer): Buffer[] {
  const digitalSignature = derValue(0x03, Buffer.of(7, 0x80))
  return [
    extension([2, 5, 29, 17], sequence(...names.map(alternativeNameOf))),
    extension([2, 5, 29, 19], sequence(), true), // not a certificate authority
    extension([2, 5, 29, 15], digitalSignature, true),
    extension([2, 5, 29, 14], derValue(0x04, keyId)),
    extension([2, 5, 29, 35], sequence(derValue(0x80, keyId))),
    extension([2, 5, 29, 37], sequence(oid([1, 3, 6, 1, 5, 5, 7, 3, 1]))),
  ]
}

function extension(id: number[], value: Buffer, isCritical = false): Buffer {
  return sequence(
    oid(id),
    ...(isCritical ? [derValue(0x01, Buffer.of(0xff))] : []),
    derValue(0x04, value),
  )
}

function alternativeNameOf(name: string): Buffer {
  return canonicalAddress(name) === undefined
    ? derValue(0x82, Buffer.from(name))
    : derValue(0x87, Buffer.from(ipaddr.parse(name).toByteArray()))
}

function utcTime(at: number): Buffer {
  return derValue(0x17, Buffer.from(new Date(at).toISOString().replace(/^..|[-:T]|\.\d+/g, '')))
}

function oid([first, second, ...rest]: number[]): Buffer {
  return derValue(0x06, Buffer.from([first! * 40 + second!, ...rest.flatMap(base128)]))
}

function base128(number: number): number[] {
  const digits = [number & 0x7f]
  for (let remaining = number >> 7; remaining > 0; remaining >>= 7)
    digits.unshift((remaining & 0x7f) | 0x80)
  return digits
}

function sequence(...parts: Buffer[]): Buffer {
  return derValue(0x30, Buffer.concat(parts))
}

function derValue(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = derLength(length)
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function pem(der: Buffer): string {
  return `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`
}

/** A length in DER: one byte, or the number of length bytes followed by those. */
function derLength(length: number): number[] {
  if (length < 0x80) return [length]
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
}
