import type { App } from '../operations/app.ts'
import { itemPaths } from '../records/item-paths.ts'
import { places } from '../web/places.ts'
import { getOnly } from './transport/methods.ts'
import type { Incoming, WebPage } from './transport/request-info.ts'
import { noRoute } from './transport/problem.ts'
import { homePage } from './routes/status.ts'
import type { WebFiles } from './web-files.ts'

/** First segments of the addresses that the server answers with the web app. */
export function appSegments(): ReadonlySet<string> {
  const itemSegments = itemPaths().map(({ path }) => path.split('/')[1]!)
  return new Set([...places, ...itemSegments.filter((segment) => segment !== publicSegment)])
}

/** Prefix of published pages, which need no sign-in and are not part of the app. */
const publicSegment = 'p'

/** The front page: the web app for browsers, server information for programs. */
export function frontPage(app: App, files: WebFiles): WebPage {
  return getOnly((incoming) => {
    const page = isBrowser(incoming) ? files.page(incoming) : undefined
    if (page) return page
    app.limits.addresses.recordRequest(incoming.ip)
    return homePage(incoming, isBrowser(incoming))
  })
}

/** An address shared by an operation and the app: a request for a page without a key gets the app. */
export function sharedPage(files: WebFiles, page: WebPage): WebPage {
  return (incoming) => {
    const isForApp =
      isGetOrHead(incoming) &&
      isAppPath(incoming) &&
      isBrowser(incoming) &&
      incoming.header('authorization') === undefined
    return (isForApp ? files.page(incoming) : undefined) ?? page(incoming)
  }
}

/**
 * Serves the addresses of the web app and its files. All others do not exist, and count against the requesting
 * address.
 */
export function otherPages(app: App, files: WebFiles): WebPage {
  return (incoming) => {
    const page = isGetOrHead(incoming) ? appAnswer(files, incoming) : undefined
    if (page) return page
    app.limits.addresses.recordRequest(incoming.ip)
    throw noRoute(incoming.method)
  }
}

function appAnswer(files: WebFiles, incoming: Incoming): Response | undefined {
  const file = files.file(incoming)
  if (file || !isAppPath(incoming)) return file
  return files.page(incoming) ?? homePage(incoming, true)
}

const isBrowser = (incoming: Incoming) => /\btext\/html\b/i.test(incoming.header('accept') ?? '')
const isGetOrHead = ({ method }: Incoming) => method === 'GET' || method === 'HEAD'

let segments: ReadonlySet<string> | undefined
function isAppPath({ url }: Incoming): boolean {
  segments ??= appSegments()
  return segments.has(url.pathname.split('/')[1]!)
}
