import { answerEmpty } from './answers.ts'
import { methodNotAllowed } from './problem.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Incoming, WebPage } from './request-info.ts'

interface MethodOptions {
  /** HEAD is not answered, as with streams. */
  withoutHead?: true
  /** Answers every other method; `refusal` is the 405. Default: throws it. */
  otherwise?: (incoming: Incoming, refusal: Refusal) => Promise<Response> | Response
}

/**
 * One address with a page per method: OPTIONS answers 204 with `Allow`, HEAD is answered like GET, any other method
 * with 405.
 * @throws Refusal method_not_allowed
 */
export function byMethod(
  pages: Readonly<Record<string, WebPage>>,
  { withoutHead, otherwise = refuse }: MethodOptions = {},
): WebPage {
  const pagesByMethod = new Map(Object.entries(pages))
  const get = pagesByMethod.get('GET')
  if (get && !withoutHead && !pagesByMethod.has('HEAD')) pagesByMethod.set('HEAD', get)
  const allow = [...pagesByMethod.keys(), 'OPTIONS']
  return (incoming) => {
    if (incoming.method === 'OPTIONS')
      return answerEmpty(incoming, 204, [['allow', allow.join(', ')]])
    const page = pagesByMethod.get(incoming.method)
    return page ? page(incoming) : otherwise(incoming, methodNotAllowed(incoming.method, allow))
  }
}

/** A read-only page. */
export function getOnly(page: WebPage): WebPage {
  return byMethod({ GET: page })
}

/**
 * A stream: GET without HEAD. Other methods also reach the page, which authenticates the caller before refusing them.
 */
export function streamPage(page: WebPage): WebPage {
  return byMethod({ GET: page }, { withoutHead: true, otherwise: page })
}

/** Reports a disallowed method only to callers with access to the address. */
export function refusedAfter(
  authenticate: (incoming: Incoming) => Promise<unknown>,
): NonNullable<MethodOptions['otherwise']> {
  return async (incoming, refusal) => {
    await authenticate(incoming)
    throw refusal
  }
}

function refuse(_: Incoming, refusal: Refusal): never {
  throw refusal
}
