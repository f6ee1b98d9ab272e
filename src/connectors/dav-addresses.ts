import { DavFailure, type DavServer, isSameProvider } from './caldav-fetch.ts'

/** The absolute address of an `href` in a response. @throws DavFailure if it is not an address */
export function hrefAddress(href: unknown, base: string): string {
  if (typeof href === 'string' && URL.canParse(href, base)) return new URL(href, base).href
  throw new DavFailure(
    207,
    `The server returned an invalid address: ${String(JSON.stringify(href)).slice(0, 100)}`,
  )
}

/** Whether the account may sign in at an address from an answer; a path belongs to the server itself. */
export function maySignInAt(server: DavServer, address: unknown, href: string): boolean {
  return (typeof address === 'string' && /^\/(?!\/)/.test(address)) || isSameProvider(server, href)
}

/** Some servers leave % unescaped. */
export function decodeDavPath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

export function isSameDavPath(a: string, b: string): boolean {
  return urlPathOf(a) === urlPathOf(b)
}

/** The path with its query. */
export function pathAndQuery(url: string): string {
  return `${urlPathOf(url)}${new URL(url).search}`
}

/** Decoded path that identifies an object on its server, regardless of encoding. */
export function urlPathOf(url: string): string {
  return decodeDavPath(new URL(url).pathname).replace(/\/+$/, '')
}
