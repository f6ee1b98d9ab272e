/** A CalDAV account, and how to reach it. */
export interface DavServer {
  /** URL from which discovery starts. */
  url: string
  /** Sends one request through the guarded outbound access. */
  request(
    url: string,
    request: { method: string; headers: Record<string, string>; body?: string },
  ): Promise<{
    status: number
    headers: Record<string, string | string[] | undefined>
    body: Uint8Array
    isTruncated: boolean
  }>
  /**
   * Credentials for signing in; `again` after the server refused the previous ones. @throws if they cannot be obtained
   */
  login(isRetry: boolean): Promise<{ user: string; password: string } | { accessToken: string }>
}

/** The server refuses the sign-in, even with renewed credentials. */
export class SignInRefused extends Error {}

/** A failure of the server: an error, a request to back off, or an answer that is not CalDAV. */
export class DavFailure extends Error {
  /** 0 if there was no HTTP status. */
  readonly status: number
  /** Seconds after which the server accepts requests again. */
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    message: string,
    { retryAfter, ...errorOptions }: ErrorOptions & { retryAfter?: number | undefined } = {},
  ) {
    super(message, errorOptions)
    this.status = status
    this.retryAfter = retryAfter
  }
}

const maxRedirects = 3

/**
 * A fetch for tsdav. Signs in every request with fresh credentials and retries once after a 401. It throws failures,
 * which tsdav would read as empty answers and so as an empty account.
 */
export function davFetch(server: DavServer): typeof fetch {
  return async (input, init = {}) => {
    const url = String(input instanceof Request ? input.url : input)
    const headers = Object.fromEntries(new Headers(init.headers))
    const request = {
      method: init.method ?? 'GET',
      headers,
      ...(init.body == null ? {} : { body: String(init.body) }),
    }
    const final = await followRedirects(
      server,
      url,
      request,
      init.redirect === 'manual' ? 0 : maxRedirects,
    )
    return responseOf(final.url, final.answer)
  }
}

type DavRequest = Parameters<DavServer['request']>[1]
type Answer = Awaited<ReturnType<DavServer['request']>>

async function followRedirects(
  server: DavServer,
  url: string,
  request: DavRequest,
  redirects: number,
): Promise<{ url: string; answer: Answer }> {
  const answer = await requestSignedIn(server, url, request)
  const { location } = answer.headers
  if (
    redirects === 0 ||
    ![301, 302, 307, 308].includes(answer.status) ||
    typeof location !== 'string'
  )
    return { url, answer }
  const next = new URL(location, url)
  if (next.protocol !== 'https:' && next.origin !== new URL(url).origin)
    throw new DavFailure(answer.status, 'The server redirects to an address without TLS.')
  return followRedirects(server, next.href, request, redirects - 1)
}

async function requestSignedIn(
  server: DavServer,
  url: string,
  davRequest: DavRequest,
): Promise<Answer> {
  requireSameProvider(server, url)
  for (const again of [false, true]) {
    const headers = {
      ...davRequest.headers,
      authorization: authorization(await server.login(again)),
    }
    const answer = await server.request(url, { ...davRequest, headers })
    if (answer.status === 401) continue
    if (answer.isTruncated)
      throw new DavFailure(answer.status, 'The answer of the server is too long.')
    if (answer.status >= 500 || answer.status === 429)
      throw new DavFailure(answer.status, `The server answered with ${answer.status}.`, {
        retryAfter: secondsIn(answer.headers['retry-after']),
      })
    if (answer.status === 207 && !isCompleteMultistatus(answer.body))
      throw new DavFailure(answer.status, 'The answer of the server is incomplete.')
    return answer
  }
  throw new SignInRefused('The server refused the sign-in.')
}

/**
 * Redirects and addresses in answers may lead only to hosts of the same provider (iCloud has many), since the
 * password goes along.
 * @throws DavFailure
 */
function requireSameProvider(server: DavServer, url: string): void {
  if (isSameProvider(server, url)) return
  throw new DavFailure(
    0,
    `The server redirects to ${new URL(url).origin}, which is another server, so the password was not sent there. If the calendars are there, enter that address.`,
  )
}

/** Whether an address is on the server's host or another host of the same provider. */
export function isSameProvider(server: Pick<DavServer, 'url'>, url: string): boolean {
  const [home, to] = [new URL(server.url), new URL(url)]
  return (
    to.origin === home.origin ||
    (to.protocol === 'https:' && domainOf(to.hostname) === domainOf(home.hostname))
  )
}

/** Registrable domain, guessed from the name: `icloud.com`, `example.co.uk`. */
function domainOf(host: string): string {
  if (host.startsWith('[') || /^[\d.]+$/.test(host)) return host
  const labels = host.replace(/\.$/, '').split('.')
  return labels
    .slice(
      /^(co|com|net|org|ac|gov|edu|or|ne|go)$/.test(labels.at(-2) ?? '') &&
        labels.at(-1)!.length === 2
        ? -3
        : -2,
    )
    .join('.')
}

/** Whether the text ends with the closing tag of a multistatus: the XML parser accepts truncated text. */
function isCompleteMultistatus(body: Uint8Array): boolean {
  return /<\/?([\w.-]+:)?multistatus(\s[^>]*)?>\s*(<!--[^]*-->\s*)?$/.test(
    Buffer.from(body.subarray(-2000)).toString('latin1'),
  )
}

function authorization(login: Awaited<ReturnType<DavServer['login']>>): string {
  return 'accessToken' in login
    ? `Bearer ${login.accessToken}`
    : `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`
}

function secondsIn(header: string | string[] | undefined): number | undefined {
  const seconds = Number(header)
  return Number.isInteger(seconds) && seconds > 0 ? Math.min(seconds, 24 * 3600) : undefined
}

function responseOf(url: string, { status, headers, body }: Answer): Response {
  const rawHeaders = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  const safeHeaders = rawHeaders.filter(
    ([name]) =>
      !['content-encoding', 'content-length', 'transfer-encoding', 'set-cookie'].includes(name),
  )
  const response = new Response(
    [204, 205, 304].includes(status)
      ? null
      : new Uint8Array(toUtf8(body, String(headers['content-type'] ?? ''))),
    { status, headers: safeHeaders },
  )
  return Object.defineProperty(response, 'url', { value: url })
}

/** Converts a text to UTF-8 from the encoding given by its type or XML declaration. */
function toUtf8(body: Uint8Array, type: string): Buffer {
  const bytes = Buffer.from(body)
  const charset =
    /charset="?([\w.:-]+)/i.exec(type)?.[1] ??
    /^\s*<\?xml[^>]*encoding=["']([\w.:-]+)/i.exec(bytes.subarray(0, 200).toString('latin1'))?.[1]
  if (charset === undefined || /^utf-?8$|^us-ascii$/i.test(charset)) return bytes
  try {
    return Buffer.from(new TextDecoder(charset).decode(bytes))
  } catch {
    return bytes // an unknown charset: most of the text may still be readable
  }
}
