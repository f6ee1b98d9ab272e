import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

interface Asked {
  challenge: string
  rp?: { id?: string | undefined }
  rpId?: string
  user?: { id: string }
}

/** Deviations of a browser and its authenticator from correct behavior. */
export interface Twist {
  origin?: string
  rpId?: string
  challenge?: string
  crossOrigin?: boolean
  /** Without user verification. */
  unverified?: boolean
  /** Signature counter to report. */
  count?: number
  userHandle?: string
  /** With an attestation certificate. */
  certified?: boolean
  spoiled?: boolean
}

/** A software passkey for requests that a well-behaved browser would not send; ES256, without attestation. */
export class Authenticator {
  readonly id: string
  count = 0
  readonly #origin: string
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  #user = ''

  constructor(origin: string, id = randomBytes(16).toString('base64url')) {
    this.#origin = origin
    this.id = id
  }

  create(options: Asked, twist: Twist = {}) {
    this.#user = options.user!.id
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' })
    const cose = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x!, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y!, 'base64url'),
    ])
    const id = Buffer.from(this.id, 'base64url')
    const data = Buffer.concat([
      this.#data(options.rp!.id!, 0x40, twist),
      Buffer.alloc(16),
      Buffer.from([0, id.length]),
      id,
      cose,
    ])
    const statement = twist.certified
      ? Buffer.concat([
          Buffer.from('a1', 'hex'),
          text('x5c'),
          Buffer.from('81', 'hex'),
          bytes(Buffer.from('this is not a certificate at all')),
        ])
      : Buffer.from('a0', 'hex')
    const object = Buffer.concat([
      Buffer.from('a3', 'hex'),
      text('fmt'),
      text(twist.certified ? 'packed' : 'none'),
      text('attStmt'),
      statement,
      text('authData'),
      bytes(data),
    ])
    const attestationObject = twist.spoiled ? object.subarray(0, -20) : object
    const response = {
      clientDataJSON: this.#client('webauthn.create', options, twist).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal', 'telepathy'],
    }
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response,
    }
  }

  get(request: Asked, twist: Twist = {}) {
    const client = this.#client('webauthn.get', request, twist)
    const data = this.#data(request.rpId!, 0, twist)
    const signature = sign(
      'sha256',
      Buffer.concat([data, createHash('sha256').update(client).digest()]),
      this.#keys.privateKey,
    )
    if (twist.spoiled) signature[signature.length - 1]! ^= 1
    const response = {
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: twist.userHandle ?? this.#user,
    }
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response }
  }

  #client(type: string, { challenge }: Asked, twist: Twist): Buffer {
    return Buffer.from(
      JSON.stringify({
        type,
        challenge: twist.challenge ?? challenge,
        origin: twist.origin ?? this.#origin,
        crossOrigin: twist.crossOrigin ?? false,
      }),
    )
  }

  #data(rpId: string, flags: number, twist: Twist): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(twist.count ?? this.count)
    return Buffer.concat([
      createHash('sha256')
        .update(twist.rpId ?? rpId)
        .digest(),
      Buffer.from([0x01 | (twist.unverified ? 0 : 0x04) | flags]),
      count,
    ])
  }
}

/** Encodes the CBOR that an attestation object consists of. */
function text(value: string): Buffer {
  return Buffer.from([0x60 + value.length, ...Buffer.from(value)])
}

/** Encodes 24 to 255 bytes. */
function bytes(value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x58, value.length]), value])
}
