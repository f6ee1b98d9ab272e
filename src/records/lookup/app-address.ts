export function isUrlText(text: string): boolean {
  return /^(https?|workspace):\/\//i.test(text)
}

interface AppAddress {
  segments: string[]
  anchor: string
  /** True if it is the address of this path, or of something below it. */
  leadsTo: (path: string) => boolean
}

/** The parts of an address of this instance; undefined for other addresses. */
export function parseAppAddress(text: string, baseUrl: string | undefined): AppAddress | undefined {
  const url = URL.parse(text)
  const base = baseUrl ? URL.parse(baseUrl) : null
  if (!url) return undefined
  const isDocument = url.protocol === 'workspace:'
  if (!isDocument && url.origin !== base?.origin) return undefined
  const below = isDocument ? '' : base!.pathname.replace(/\/$/, '')
  if (!url.pathname.startsWith(`${below}/`) && !isDocument) return undefined
  const path = isDocument ? `/${url.host}${url.pathname}` : url.pathname.slice(below.length)
  const segments = path.split('/').slice(1).map(decodeAppPath)
  const leadsTo = (address: string) => {
    const [ownPath] = address.split('#') as [string]
    if (isDocument) return ownPath.split('/')[1] === segments[0]
    return path === ownPath || path.startsWith(`${ownPath}/`)
  }
  return { segments, anchor: decodeAppPath(url.hash.slice(1)), leadsTo }
}

function decodeAppPath(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
