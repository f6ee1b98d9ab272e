import { recordAction, type ActionOrigin } from '../audit/act.ts'
import type { App } from '../operations/app.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { Row } from '../records/resource.ts'
import { Busy, verifyUnknown, verifyPassword } from '../keys/argon.ts'
import { NotSignedIn } from '../keys/verify.ts'
import { knownDevice, rememberDevice } from './devices.ts'
import { browserHolder } from './challenges.ts'
import {
  accountSubject,
  AddressAttempts,
  beginAttempt,
  deviceSubject,
  clearFailures,
  passkeySubject,
  withdrawAttempt,
  type Subject,
  type Attempt,
} from './failures.ts'
import { requireChallenge, recordUse, type Passkey } from './passkeys.ts'
import { beginSession, endSessions, type Session, type SessionFrom } from './sessions.ts'
import { maySignInDirectly } from './sign-in-policy.ts'
import { PasskeyProblem, verifyAssertion, siteOf, type Assertion, type Proof } from './webauthn.ts'

/** A browser that attempts a sign-in. */
export interface SignInFrom extends SessionFrom {
  /** Device cookie of the browser. */
  device: string | undefined
  /** Current session of this browser, which this sign-in replaces. */
  session: Session | undefined
  from: ActionOrigin
}

export interface SignInRequest extends SignInFrom {
  email: string
  password: string
}

export interface PasskeySignIn extends SignInFrom {
  response: Assertion
}

/** Cookie values for a browser, and their session. */
export interface SignedIn {
  session: Session
  token: string
  device: string
}

type Person = Row<'users'>

const passwordRoute = 'POST /web/sign-in'
const passkeyRoute = 'POST /web/passkeys/sign-in'
const providerRoute = 'GET /web/sso/{id}/callback'
const providerOnlyMessage = 'Your organization signs in with its identity provider only.'
/** For an unknown passkey, or one of a deactivated person. */
const unknownPasskeyMessage = 'This passkey is not registered here.'

/** Sign-in methods. With a password, duration and message are the same whether or not the account exists. */
export class SignInService {
  readonly #app: App
  readonly #addresses: AddressAttempts

  constructor(app: App) {
    this.#app = app
    this.#addresses = new AddressAttempts(app.clock)
  }

  /** @throws Refusal unauthenticated if address or password is wrong, rate_limited after too many failures */
  async signIn(request: SignInRequest): Promise<SignedIn> {
    const { store, clock } = this.#app
    const email = request.email.trim().toLowerCase()
    const person = await store.read
      .selectFrom('users')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirst()
    const device = await knownDevice(store, clock.now(), request.device, person?.id)
    const withdrawAddressAttempt =
      device === undefined ? this.#beginAddressAttempt(request.ip) : () => {}
    const attempt = await beginAttempt(
      store,
      clock,
      device === undefined ? accountSubject(email) : deviceSubject(device, person!.id),
    )
    const isCorrect = await this.#isPasswordCorrect(attempt, person, request.password)
    if (isCorrect && person && !(await maySignInDirectly(store.read, person))) {
      await withdrawAttempt(store, attempt)
      throw new NotSignedIn(providerOnlyMessage, 'Use its button on the sign-in page.')
    }
    const signedIn = isCorrect
      ? await this.#beginPasswordSession(person!, request, attempt)
      : undefined
    if (!signedIn) {
      this.#noteFailure(person, request, device !== undefined, passwordRoute)
      throw new NotSignedIn(
        'The address or the password is wrong.',
        'The operator can set a new one with `workspace users set-password`.',
      )
    }
    withdrawAddressAttempt()
    return signedIn
  }

  /** The same with a passkey. Wrong passwords do not lock out the owner of a passkey. @throws Refusal unauthenticated, rate_limited */
  async signInWithPasskey(request: PasskeySignIn): Promise<SignedIn> {
    const { store, clock, baseUrl } = this.#app
    const site = siteOf(baseUrl)
    const passkey = await store.read
      .selectFrom('passkeys')
      .selectAll()
      .where('credential_id', '=', request.response.id)
      .executeTakeFirst()
    const person = passkey && { id: passkey.person_id as Person['id'], org_id: passkey.org_id }
    const device = await knownDevice(store, clock.now(), request.device, person?.id)
    const forgive = device === undefined ? this.#beginAddressAttempt(request.ip) : () => {}
    const trying =
      device === undefined
        ? undefined
        : await beginAttempt(store, clock, passkeySubject(passkey!.id))
    try {
      await requireChallenge(
        this.#app,
        request.response,
        'sign_in',
        browserHolder(request.device ?? ''),
      )
      if (!passkey) throw new PasskeyProblem(unknownPasskeyMessage)
      const signedIn = await this.#beginPasskeySession(
        passkey,
        await verifyAssertion(site, request.response, passkey),
        request,
        trying,
      )
      forgive()
      return signedIn
    } catch (error) {
      if (!(error instanceof PasskeyProblem)) throw error
      this.#noteFailure(person, request, device !== undefined, passkeyRoute)
      throw new NotSignedIn(error.message, 'Sign in with the password, or start again.')
    }
  }

  /** @throws PasskeyProblem if the passkey or its owner changed meanwhile, or may not sign in */
  async #beginPasskeySession(
    passkey: Passkey,
    proof: Proof,
    request: PasskeySignIn,
    trying: Attempt | undefined,
  ): Promise<SignedIn> {
    const { store, clock } = this.#app
    const outcome = await store.writer.run(async () => {
      const now = clock.now()
      const person = await store.write
        .selectFrom('users')
        .select(['id', 'org_id', 'status'])
        .where('id', '=', passkey.person_id as Person['id'])
        .executeTakeFirst()
      if (person?.status !== 'active') return new PasskeyProblem(unknownPasskeyMessage)
      if (!(await maySignInDirectly(store.write, person)))
        return new PasskeyProblem(providerOnlyMessage)
      const problem = await recordUse(store, now, passkey, proof)
      if (problem) return problem
      if (trying) await clearFailures(store, trying)
      return startSession(this.#app, now, person, { ...request, passkey: passkey.id })
    })
    if (outcome instanceof PasskeyProblem) throw outcome
    return outcome
  }

  #beginAddressAttempt(ip: string): () => void {
    this.#app.limits.addresses.requireUnblocked(ip)
    return this.#addresses.begin(ip)
  }

  async #isPasswordCorrect(
    trying: Attempt,
    person: Person | undefined,
    password: string,
  ): Promise<boolean> {
    try {
      if (person?.password_hash != null)
        return (await verifyPassword(person.password_hash, password)) && person.status === 'active'
      await verifyUnknown()
      return false
    } catch (error) {
      if (error instanceof Busy) await withdrawAttempt(this.#app.store, trying)
      throw error
    }
  }

  /** Undefined if the account changed while the password was being verified. */
  #beginPasswordSession(
    person: Person,
    request: SignInRequest,
    trying: Attempt,
  ): Promise<SignedIn | undefined> {
    const { store, clock } = this.#app
    return store.writer.run(async () => {
      const current = await store.write
        .selectFrom('users')
        .select(['password_hash', 'status'])
        .where('id', '=', person.id)
        .executeTakeFirst()
      if (current?.password_hash !== person.password_hash || current?.status !== 'active')
        return undefined
      await clearFailures(store, trying)
      return startSession(this.#app, clock.now(), person, request)
    })
  }

  /** Not awaited, so that the time of logging does not reveal that the account exists. */
  #noteFailure(
    person: Pick<Person, 'id' | 'org_id'> | undefined,
    { from, ip }: SignInFrom,
    isKnownDevice: boolean,
    route: string,
  ): void {
    const { store, clock, log, limits } = this.#app
    log.warn('a sign-in failed', { person: person?.id, ip, known_device: isKnownDevice })
    if (person) {
      const refusal = { code: 'unauthenticated', denied: true }
      const act = {
        ...from,
        tool: 'sign_in',
        route,
        kind: 'write',
        via: 'web',
        at: clock.now(),
        org_id: person.org_id,
        actor_id: person.id,
        items: [],
        refusal,
      } as const
      store.writer
        .append(() => recordAction(store, act))
        .catch((error: unknown) =>
          log.error('a failed sign-in is not in the call log', {
            person: person.id,
            error: (error as Error).message,
          }),
        )
    }
    if (!isKnownDevice) limits.addresses.recordFailure(ip)
  }
}

/** Signs a person in with this browser; inside a writer job. */
export async function startSession(
  app: App,
  now: number,
  person: Pick<Person, 'id' | 'org_id'>,
  request: SignInFrom & { passkey?: Passkey['id'] },
): Promise<SignedIn> {
  const { store } = app
  const { session: previousSession } = request
  if (previousSession) await endSessions(store, (eb) => eb('id', '=', previousSession.id))
  const { token, session } = await beginSession(store, now, person, request)
  const device = await rememberDevice(store, now, person, request.device)
  const items = [
    { type: 'session', id: session.id },
    ...(request.passkey === undefined ? [] : [{ type: 'passkey', id: request.passkey }]),
  ]
  const directRoute = request.passkey === undefined ? passwordRoute : passkeyRoute
  const route = request.provider ? providerRoute : directRoute
  await recordAction(store, {
    ...request.from,
    session: session.id,
    tool: 'sign_in',
    route,
    kind: 'write',
    via: 'web',
    at: now,
    org_id: person.org_id,
    actor_id: person.id,
    items,
  })
  return { token, session, device }
}

/**
 * Verifies the password of a signed-in person. Attempts are counted by session: a stolen session does not allow more
 * guesses.
 * @throws Refusal password_required if it is wrong, rate_limited after too many wrong ones
 */
export async function checkOwnPassword(
  app: App,
  subject: Subject,
  person: Pick<Person, 'password_hash'>,
  password: string,
): Promise<Attempt> {
  const trying = await beginAttempt(app.store, app.clock, subject)
  try {
    if (person.password_hash !== null && (await verifyPassword(person.password_hash, password)))
      return trying
  } catch (error) {
    if (error instanceof Busy) await withdrawAttempt(app.store, trying)
    throw error
  }
  throw new Refusal('password_required', 'The password is wrong.', { field: 'password' })
}
