import { quantity } from '../../kernel/text/quantity.ts'
import { get as getInClear } from 'node:http'
import { get as getByTls } from 'node:https'

export interface ServerAnswer {
  status: number
  body: string
}

/**
 * Sends a GET to a server. At its listening address a server seldom has the name in its certificate; no secret is
 * sent there, so the name is only verified if `isByName` is set. @throws where no answer comes within `patience`
 * milliseconds
 */
export async function askServer(
  url: string,
  timeoutMs: number,
  isByName = false,
): Promise<ServerAnswer> {
  const signal = AbortSignal.timeout(timeoutMs)
  const { promise, resolve, reject } = Promise.withResolvers<ServerAnswer>()
  const get = url.startsWith('https:') ? getByTls : getInClear
  signal.addEventListener('abort', () =>
    reject(new Error(`nothing within ${quantity(timeoutMs / 1000, 'second')}`)),
  )
  get(url, { agent: false, signal, rejectUnauthorized: isByName }, (response) => {
    let body = ''
    response
      .setEncoding('utf8')
      .on('data', (part: string) => (body += part))
      .on('end', () => resolve({ status: response.statusCode!, body }))
      .on('error', reject)
  }).on('error', reject)
  return promise
}
