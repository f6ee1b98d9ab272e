// Policies that administrators set for hosts that receive authorization responses, regardless of the program.

import type { Store } from '../db/open.ts'
import { invalid } from '../kernel/refusal.ts'
import type { Row } from '../records/resource.ts'
import { OAuthError } from './errors.ts'
import { appRedirects, isKnownCallback } from './known-clients.ts'
import { isLoopbackHost, redirectHost, redirectKind } from './redirects.ts'

export type CallbackHost = Row<'oauth_callback_hosts'>
export type CallbackHostPolicy = CallbackHost['policy'] | 'default'

const maxHosts = 1000

/**
 * Normalizes a host as in addresses (lower case, Punycode).
 * @throws Refusal invalid_argument
 */
export function parseCallbackHost(text: string): string {
  const url = text.length <= 255 ? URL.parse(`https://${text}/`) : null
  const host = withoutDot(url?.hostname ?? '')
  const isPlainHost = /^[^\s/?#@\\:]+$/.test(text) && /^(?:[\w-]{1,63}\.)*[\w-]{1,63}$/.test(host)
  if (!isPlainHost)
    throw invalid(
      'host',
      'has to be the name of a host alone, such as assistant.example, without https://, port and path.',
    )
  if (isLoopbackHost(host))
    throw invalid('host', 'is this machine; programs on the machine of their person have no host.')
  return host
}

/**
 * Returns the policy for the host of a redirect address; `default`: none is set. An allowed host applies to port 443,
 * a refused one to every port.
 */
export async function callbackHostPolicy(
  db: Store['read'],
  redirect: string,
): Promise<CallbackHostPolicy> {
  const url = URL.parse(redirect)
  if (url?.protocol !== 'https:') return 'default'
  const row = await db
    .selectFrom('oauth_callback_hosts')
    .select('policy')
    .where('host', '=', withoutDot(url.hostname))
    .executeTakeFirst()
  if (row === undefined || row.policy === 'refuse') return row?.policy ?? 'default'
  return url.port === '' && url.hostname === withoutDot(url.hostname) ? 'allow' : 'default'
}

/**
 * Requires that a client may register with these redirect addresses.
 * @throws OAuthError invalid_redirect_uri
 */
export async function requireAllowedCallbacks(
  { read }: Pick<Store, 'read'>,
  redirects: readonly string[],
  registration: 'any' | 'known' | 'no',
): Promise<void> {
  for (const redirect of redirects) {
    const policy = await callbackHostPolicy(read, redirect)
    if (policy === 'refuse') throw hostRefusal(redirect)
    const isKnown =
      policy === 'allow' ||
      redirectKind(redirect, appRedirects) === 'loopback' ||
      isKnownCallback(redirect)
    if (registration === 'known' && !isKnown)
      throw new OAuthError(
        'invalid_redirect_uri',
        `${redirect.slice(0, 200)} is not a callback that this server knows. Its operator can allow its host with \`workspace oauth hosts allow\`, or all with --oauth-registration any.`,
      )
  }
}

/** Error returned to a program whose redirect host is refused. */
export function hostRefusal(redirect: string): OAuthError {
  return new OAuthError(
    'invalid_redirect_uri',
    `This server sends no answers to ${redirectHost(redirect)}: an administrator has refused that host. They can lift it under Settings > Programs, or with \`workspace oauth hosts reset\`.`,
    { status: 400 },
  )
}

/** Hosts with a decision, by name. */
export function listCallbackHosts({ read }: Pick<Store, 'read'>): Promise<CallbackHost[]> {
  return read.selectFrom('oauth_callback_hosts').selectAll().orderBy('host').execute()
}

/**
 * Allows or refuses a host, or reverts to the settings; inside a job of the writer.
 * @throws Refusal invalid_argument if too many hosts have a policy
 */
export async function setCallbackHostPolicy(
  { write }: Pick<Store, 'write'>,
  now: number,
  host: string,
  policy: CallbackHostPolicy,
): Promise<void> {
  if (policy === 'default') {
    await write.deleteFrom('oauth_callback_hosts').where('host', '=', host).execute()
    return
  }
  const { n } = await write
    .selectFrom('oauth_callback_hosts')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('host', '<>', host)
    .executeTakeFirstOrThrow()
  if (n >= maxHosts)
    throw invalid('host', `is one too many: at most ${maxHosts} hosts can be decided about.`)
  await write
    .insertInto('oauth_callback_hosts')
    .values({ host, policy, created_at: now })
    .onConflict((conflict) => conflict.column('host').doUpdateSet({ policy, created_at: now }))
    .execute()
}

/** A host name with a trailing dot refers to the same host. */
const withoutDot = (hostname: string) => hostname.replace(/\.$/, '')
