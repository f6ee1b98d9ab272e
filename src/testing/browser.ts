import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { hashPassword } from '../keys/argon.ts'
import { setPasswordHash } from '../identity/people.ts'
import type { Someone } from './harness.ts'
import type { TestRequest, TestResponse, ServedWorkspace } from './server.ts'

/** The password of all test people who have one. */
export const password = 'otter lamp seven moss'

/** Sets that password for people. */
export async function givePasswords(served: ServedWorkspace, ...people: Someone[]): Promise<void> {
  const hash = await hashPassword(password)
  for (const person of people)
    await setPasswordHash(
      served.app.store,
      served.clock,
      await served.app.store.read
        .selectFrom('users')
        .selectAll()
        .where('id', '=', person.id)
        .executeTakeFirstOrThrow(),
      hash,
    )
}

/** A browser as used by our pages: keeps cookies, and sends the origin of its requests. */
export class Browser {
  readonly #served: ServedWorkspace
  readonly cookies = new Map<string, string>()

  constructor(served: ServedWorkspace) {
    this.#served = served
  }

  get(path: string, headers: Record<string, string> = {}): Promise<TestResponse> {
    return this.#ask('GET', path, { headers })
  }

  post(
    path: string,
    body: unknown = {},
    headers: Record<string, string> = {},
  ): Promise<TestResponse> {
    return this.#ask('POST', path, {
      body,
      headers: { origin: this.#served.app.baseUrl, 'sec-fetch-site': 'same-origin', ...headers },
    })
  }

  /** Signs in; throws on failure. */
  async signIn(email: string): Promise<this> {
    const got = await this.post('/web/sign-in', { email, password })
    if (got.status !== 200) throw new Error(`${email} was not signed in: ${got.text}`)
    return this
  }

  /**
   * Opens an address like a redirect from another site. Implemented by hand because fetch sets its own
   * Sec-Fetch-Mode.
   */
  async navigate(path: string): Promise<TestResponse> {
    const got = await navigation(this.#served.url + path, {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      accept: 'text/html',
      cookie: this.#cookie,
    })
    for (const set of got.headers.getSetCookie()) this.#keep(set)
    return got
  }

  get #cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  async #ask(method: string, path: string, { headers, body }: TestRequest): Promise<TestResponse> {
    const cookie = this.#cookie
    const got = await this.#served.ask(method, path, {
      key: undefined,
      body,
      headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
    })
    for (const set of got.headers.getSetCookie()) this.#keep(set)
    return got
  }

  #keep(set: string): void {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(set) as unknown as [string, string, string]
    if (/Max-Age=0\b/.test(set)) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

function navigation(url: string, headers: Record<string, string>): Promise<TestResponse> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      const all = new Headers()
      for (const [name, values] of Object.entries(response.headersDistinct))
        for (const value of values ?? []) all.append(name, value)
      text(response).then(
        (body) =>
          resolve({ status: response.statusCode ?? 0, headers: all, text: body, json: undefined }),
        reject,
      )
    })
      .on('error', reject)
      .end()
  })
}
