import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { post } from '../api/client.ts'
import { errorMessage } from '../api/problem.ts'
import { t } from '../texts/index.ts'
import type { SignedIn } from './session.ts'

/** True if this browser supports passkeys at this address. */
export function supportsPasskeys(): boolean {
  return window.isSecureContext && typeof window.PublicKeyCredential === 'function'
}

/** Loaded only when a passkey is used. */
const webAuthn = () => import('@simplewebauthn/browser')

export async function signInByPasskey(): Promise<SignedIn> {
  const { startAuthentication } = await webAuthn()
  const optionsJSON = await post('/web/passkeys/sign-in/begin', {})
  return post('/web/passkeys/sign-in', {
    response: await startAuthentication({ optionsJSON }),
  })
}

export async function verifyByPasskey(): Promise<void> {
  const { startAuthentication } = await webAuthn()
  const optionsJSON = await post('/web/verify/passkey/begin', {})
  await post('/web/verify/passkey', { response: await startAuthentication({ optionsJSON }) })
}

export async function addPasskey(name: string): Promise<void> {
  const { startRegistration } = await webAuthn()
  const optionsJSON = await post('/web/passkeys/begin', {})
  await post('/web/passkeys', {
    name,
    response: await startRegistration({
      optionsJSON: optionsJSON as PublicKeyCredentialCreationOptionsJSON,
    }),
  })
}

/** Describes a passkey error, in place of the browser's own wording. */
export function passkeyProblem(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError' || name === 'AbortError') return t.security.passkeys.cancelled
  return name === 'InvalidStateError' ? t.security.passkeys.known : errorMessage(error)
}
