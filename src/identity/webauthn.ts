// WebAuthn ceremonies: options for the browser, and verification of its answer. Cases for which the library has no
// readable messages, or that it accepts too easily, are checked here first.

import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import type {
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { Refusal } from '../kernel/refusal.ts'
import type { Row } from '../records/resource.ts'
import { challengeLifetime } from './challenges.ts'

const transports: readonly AuthenticatorTransport[] = ['ble', 'hybrid', 'internal', 'nfc', 'usb']

/** Browser's answer after creating a passkey: the used part of PublicKeyCredential.toJSON. */
export interface NewCredential {
  id: string
  rawId: string
  response: {
    clientDataJSON: string
    attestationObject: string
    transports?: readonly string[] | undefined
  }
}

export interface Assertion {
  id: string
  rawId: string
  response: {
    clientDataJSON: string
    authenticatorData: string
    signature: string
    userHandle?: string | null | undefined
  }
}

/** The site for passkeys, derived from the configuration alone. */
export interface Site {
  id: string
  origin: string
}

type StoredCredential = Pick<Row<'passkeys'>, 'credential_id' | 'public_key' | 'transports_json'>

export interface Proof {
  sign_count: number
  backed_up: 0 | 1
}

/** Reason why a browser's answer is rejected; each sign-in method turns it into its own refusal. */
export class PasskeyProblem extends Error {}

/** EdDSA, ES256, RS256. */
const algorithms = [-8, -7, -257]

// Loaded only for people with passkeys: it brings a whole certificate library that is not used here.
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

/**
 * @throws Refusal conflict if browsers do not allow passkeys for this workspace: they require a host name, and https
 * or the local machine
 */
export function siteOf(baseUrl: string): Site {
  const { hostname, origin, protocol } = new URL(baseUrl)
  const isLocalhost = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && (protocol === 'https:' || isLocalhost))
    return { id: hostname, origin }
  throw new Refusal(
    'conflict',
    `Browsers do not support passkeys for ${origin}.`,
    'They need a host name with https, or http://localhost: the operator can set WORKSPACE_BASE_URL.',
  )
}

/** The person for whom a passkey is created. */
export interface PasskeyOwner {
  id: string
  email: string
  display_name: string
  organization: string
}

export async function creationOptions(
  site: Site,
  challenge: Uint8Array<ArrayBuffer>,
  holder: PasskeyOwner,
  excluded: readonly StoredCredential[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: holder.organization,
    rpID: site.id,
    userID: new TextEncoder().encode(holder.id),
    userName: holder.email,
    userDisplayName: holder.display_name,
    challenge,
    timeout: challengeLifetime,
    attestationType: 'none',
    excludeCredentials: excluded.map(allowedCredential),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
}

/** `allowed`: the passkeys that may be used; unset: any that the person chooses. */
export async function requestOptions(
  site: Site,
  challenge: Uint8Array<ArrayBuffer>,
  allowed?: readonly StoredCredential[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: site.id,
    challenge,
    timeout: challengeLifetime,
    userVerification: 'required',
    ...(allowed ? { allowCredentials: allowed.map(allowedCredential) } : {}),
  })
}

function allowedCredential({ credential_id, transports_json }: StoredCredential): {
  id: string
  transports: AuthenticatorTransport[]
} {
  return { id: credential_id, transports: JSON.parse(transports_json) as AuthenticatorTransport[] }
}

/** The challenge in an answer. @throws PasskeyProblem */
export function challengeIn({ response }: NewCredential | Assertion): string {
  const { challenge } = clientData(response.clientDataJSON)
  if (typeof challenge !== 'string') throw new PasskeyProblem(unreadableMessage)
  return challenge
}

/** Parses and verifies a passkey created by a browser. @throws PasskeyProblem */
export async function verifyNewCredential(
  site: Site,
  { id, rawId, response }: NewCredential,
): Promise<
  Pick<
    Row<'passkeys'>,
    'credential_id' | 'public_key' | 'sign_count' | 'transports_json' | 'device_type' | 'backed_up'
  >
> {
  const { decodeAttestationObject } = await helpers()
  const attested = await rejectingMalformed(() => {
    const object = decodeAttestationObject(bytes(response.attestationObject))
    return {
      format: object.get('fmt'),
      hasCertificates: object.get('attStmt').get('x5c') !== undefined,
      data: object.get('authData'),
    }
  })
  // Only the passkey itself was requested. For certificates, the library would check revocation at addresses they name,
  // bypassing src/outbound.
  if (attested.format !== 'none' && (attested.format !== 'packed' || attested.hasCertificates))
    throw new PasskeyProblem(
      'The passkey came with a certificate of its manufacturer, which was not requested.',
    )
  await checkResponse(site, 'webauthn.create', response.clientDataJSON, attested.data)
  const knownTransports = transports.filter((transport) => response.transports?.includes(transport))
  const { verifyRegistrationResponse } = await library()
  const { registrationInfo } = await rejectingMalformed(() =>
    verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: response.clientDataJSON,
          attestationObject: response.attestationObject,
          transports: knownTransports,
        },
      },
      expectedChallenge: challengeIn({ id, rawId, response }),
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }),
  )
  if (!registrationInfo || registrationInfo.credential.id !== id)
    throw new PasskeyProblem(unverifiedMessage)
  const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    sign_count: credential.counter,
    transports_json: JSON.stringify(knownTransports),
    device_type: credentialDeviceType === 'multiDevice' ? 'multi_device' : 'single_device',
    backed_up: credentialBackedUp ? 1 : 0,
  }
}

/** Verifies a passkey's signature. The caller compares its counter. @throws PasskeyProblem */
export async function verifyAssertion(
  site: Site,
  { id, rawId, response }: Assertion,
  {
    credential_id,
    public_key,
    person_id,
  }: Pick<Row<'passkeys'>, 'credential_id' | 'public_key' | 'person_id'>,
): Promise<Proof> {
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  await checkResponse(site, 'webauthn.get', clientDataJSON, bytes(authenticatorData))
  if (userHandle != null && Buffer.from(userHandle, 'base64url').toString() !== person_id)
    throw new PasskeyProblem(unverifiedMessage)
  const { verifyAuthenticationResponse } = await library()
  const { verified, authenticationInfo } = await rejectingMalformed(() =>
    verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: challengeIn({ id, rawId, response }),
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      // Not the stored counter: the library compares it before the signature, so anyone could trigger the alarm.
      credential: { id: credential_id, publicKey: bytes(public_key), counter: 0 },
      requireUserVerification: true,
    }),
  )
  if (!verified) throw new PasskeyProblem(unverifiedMessage)
  return {
    sign_count: authenticationInfo.newCounter,
    backed_up: authenticationInfo.credentialBackedUp ? 1 : 0,
  }
}

const unreadableMessage = 'This is not a passkey response.'
const unverifiedMessage = 'The passkey response could not be verified.'

/** Checks the parts of an answer that people can correct, each with its own message. @throws PasskeyProblem */
async function checkResponse(
  site: Site,
  type: string,
  clientDataJSON: string,
  authenticatorData: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const client = clientData(clientDataJSON)
  if (client.type !== type) throw new PasskeyProblem('The passkey response is for something else.')
  if (client.origin !== site.origin || client.crossOrigin === true)
    throw new PasskeyProblem(`The passkey was used on a page outside ${site.origin}.`)
  const { parseAuthenticatorData } = await helpers()
  const { rpIdHash, flags } = await rejectingMalformed(() =>
    parseAuthenticatorData(authenticatorData),
  )
  if (!Buffer.from(rpIdHash).equals(createHash('sha256').update(site.id).digest()))
    throw new PasskeyProblem('The passkey is for another site.')
  if (!flags.uv)
    throw new PasskeyProblem(
      'The passkey did not verify its user: it must ask for a fingerprint, face or PIN.',
    )
}

function clientData(text: string): {
  type?: unknown
  challenge?: unknown
  origin?: unknown
  crossOrigin?: unknown
} {
  try {
    const parsed = JSON.parse(bytes(text).toString()) as unknown
    if (parsed !== null && typeof parsed === 'object') return parsed
  } catch (error) {
    throw new PasskeyProblem(unreadableMessage, { cause: error })
  }
  throw new PasskeyProblem(unreadableMessage)
}

/** The library throws arbitrary errors for malformed external bytes. */
async function rejectingMalformed<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new PasskeyProblem(unverifiedMessage, { cause: error })
  }
}

function bytes(text: string): Buffer<ArrayBuffer> {
  return Buffer.from(text, 'base64url')
}
