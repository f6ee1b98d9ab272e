import { quantity } from '../../kernel/text/quantity.ts'
import { get as httpGet } from 'node:http'
import { get as httpsGet } from 'node:https'

export interface ServerAnswer {
  status: number
  body: string
}

/**
 * Sends a GET request to a server. Its certificate seldom names the listening address; no secret is
 * sent there, so the name is only verified if `verifiesName` is set. @throws if no answer comes within `timeoutMs`
 * milliseconds
 */
export async function askServer(
  url: string,
  timeoutMs: number,
  verifiesName = false,
): Promise<ServerAnswer> {
  const signal = AbortSignal.timeout(timeoutMs)
  const { promise, resolve, reject } = Promise.withResolvers<ServerAnswer>()
  const get = url.startsWith('https:') ? httpsGet : httpGet
  signal.addEventListener('abort', () =>
    reject(new Error(`nothing within ${quantity(timeoutMs / 1000, 'second')}`)),
  )
  get(url, { agent: false, signal, rejectUnauthorized: verifiesName }, (response) => {
    let body = ''
    response
      .setEncoding('utf8')
      .on('data', (part: string) => (body += part))
      .on('end', () => resolve({ status: response.statusCode!, body }))
      .on('error', reject)
  }).on('error', reject)
  return promise
}
