import { recordAct, type ActFrom } from '../audit/act.ts'
import type { App } from '../core/app.ts'
import { Refusal } from '../core/refusal.ts'
import type { Row } from '../core/resource.ts'
import { Busy, spendVerify, verifyPassword } from '../keys/argon.ts'
import { NotSignedIn } from '../keys/verify.ts'
import { knownDevice, rememberDevice } from './devices.ts'
import { accountSubject, AddressTries, beginTry, deviceSubject, endTry, takeBackTry, type Subject, type Try } from './failures.ts'
import { beginSession, type Session, type SessionFrom } from './sessions.ts'

/** Who tries to sign in, and with what. */
export interface SignInRequest extends SessionFrom {
  email: string
  password: string
  /** The cookie of the browser. */
  device: string | undefined
  /** The session that this browser has already, and that ends with this. */
  session: Session | undefined
  from: ActFrom
}

/** Values for the cookies of a browser, and the session that they are for. */
export interface SignedIn {
  session: Session
  token: string
  device: string
}

type Person = Row<'users'>

/** The one way in with a password. It takes the same time and says the same whether or not there is such an account. */
export class SignIns {
  readonly #app: App
  readonly #addresses: AddressTries

  constructor(app: App) {
    this.#app = app
    this.#addresses = new AddressTries(app.clock)
  }

  /** @throws Refusal unauthenticated where address or password is wrong, rate_limited after too many of them */
  async signIn(request: SignInRequest): Promise<SignedIn> {
    const { store, clock } = this.#app
    const email = request.email.trim().toLowerCase()
    const person = await store.read.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
    const device = await knownDevice(store, clock.now(), request.device, person?.id)
    const forgive = device === undefined ? this.#fromAddress(request.ip) : () => {}
    const trying = await beginTry(store, clock, device === undefined ? accountSubject(email) : deviceSubject(device, person!.id))
    const isRight = await this.#isRight(trying, person, request.password)
    const signedIn = isRight ? await this.#begin(person!, request, trying) : undefined
    if (!signedIn) throw this.#failed(person, request, device !== undefined)
    forgive()
    return signedIn
  }

  #fromAddress(ip: string): () => void {
    this.#app.limits.addresses.demandOpen(ip)
    return this.#addresses.begin(ip)
  }

  async #isRight(trying: Try, person: Person | undefined, password: string): Promise<boolean> {
    try {
      if (person?.password_hash != null) return (await verifyPassword(person.password_hash, password)) && person.status === 'active'
      await spendVerify()
      return false
    } catch (error) {
      if (error instanceof Busy) await takeBackTry(this.#app.store, trying)
      throw error
    }
  }

  /** Undefined where the account changed while the password was being looked at. */
  #begin(person: Person, request: SignInRequest, trying: Try): Promise<SignedIn | undefined> {
    const { store, clock } = this.#app
    return store.writer.run(async () => {
      const present = await store.write.selectFrom('users').select(['password_hash', 'status']).where('id', '=', person.id).executeTakeFirst()
      if (present?.password_hash !== person.password_hash || present?.status !== 'active') return undefined
      await endTry(store, trying)
      return openFor(this.#app, clock.now(), person, request)
    })
  }

  /** The entry in the call log is awaited by nobody, so that its time does not tell that there is such an account. */
  #failed(person: Person | undefined, { from, ip }: SignInRequest, isKnownDevice: boolean): Refusal {
    const { store, clock, log, limits } = this.#app
    log.warn('a sign-in failed', { person: person?.id, ip, known_device: isKnownDevice })
    if (person) {
      const refusal = { code: 'unauthenticated', denied: true }
      const act = { ...from, tool: 'sign_in', route: 'POST /web/sign-in', kind: 'write', via: 'web', at: clock.now(), org_id: person.org_id, actor_id: person.id, items: [], refusal } as const
      store.writer.append(() => recordAct(store, act)).catch((error: unknown) => log.error('a failed sign-in is not in the call log', { person: person.id, error: (error as Error).message }))
    }
    if (!isKnownDevice) limits.addresses.failed(ip)
    return new NotSignedIn('The address or the password is wrong.', 'Whoever runs this workspace can set another one with `workspace users set-password`.')
  }
}

/** Signs a person in with this browser; inside a job of the writer. */
export async function openFor(app: App, now: number, person: Pick<Person, 'id' | 'org_id'>, request: Pick<SignInRequest, 'ip' | 'client' | 'device' | 'session' | 'from'>): Promise<SignedIn> {
  const { store } = app
  if (request.session) await store.write.deleteFrom('web_sessions').where('id', '=', request.session.id).execute()
  const { token, session } = await beginSession(store, now, person, request)
  const device = await rememberDevice(store, now, person, request.device)
  const items = [{ type: 'session', id: session.id }]
  recordAct(store, { ...request.from, session: session.id, tool: 'sign_in', route: 'POST /web/sign-in', kind: 'write', via: 'web', at: now, org_id: person.org_id, actor_id: person.id, items })
  return { token, session, device }
}

/**
 * Looks at the password of somebody who is signed in. Their tries are counted by session: a stolen one does not let anybody guess on.
 * @throws Refusal password_required where it is wrong, rate_limited after too many wrong ones
 */
export async function checkOwnPassword(app: App, subject: Subject, person: Pick<Person, 'password_hash'>, password: string): Promise<Try> {
  const trying = await beginTry(app.store, app.clock, subject)
  try {
    if (person.password_hash !== null && (await verifyPassword(person.password_hash, password))) return trying
  } catch (error) {
    if (error instanceof Busy) await takeBackTry(app.store, trying)
    throw error
  }
  throw new Refusal('password_required', 'The password is wrong.', { field: 'password' })
}
