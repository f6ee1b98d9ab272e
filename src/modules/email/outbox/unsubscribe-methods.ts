/** Unsubscribe methods that a message declares (List-Unsubscribe, RFC 2369 and 8058). */
export interface Leaving {
  url?: string
  mailto?: string
  one_click?: boolean
  /** When it was asked for, in milliseconds. */
  asked_at?: number
}

export type WayOut =
  | { by: 'post'; url: string }
  | { by: 'mail'; to: string; subject: string; body: string }
  | { by: 'link'; url: string; why: string }
  | { by: 'nothing' }

const maxLength = 500

/**
 * The way that can be gone without a person. One click counts only where the receiving server found the signature of the sender (DKIM)
 * right: what anybody may have written into a message makes this house call no one.
 */
export function wayOut(
  { url, mailto, one_click = false }: Leaving,
  authenticationJson: string | null,
): WayOut {
  const isSigned = (JSON.parse(authenticationJson ?? '{}') as { dkim?: string }).dkim === 'pass'
  if (url !== undefined && one_click && isSigned && /^https:/i.test(url)) return { by: 'post', url }
  const letter = mailto === undefined ? undefined : readMailto(mailto)
  if (letter) return { by: 'mail', ...letter }
  if (url === undefined) return { by: 'nothing' }
  return {
    by: 'link',
    url,
    why: whyByLink(one_click, isSigned),
  }
}

function whyByLink(one_click: boolean, isSigned: boolean): string {
  if (!one_click) return 'The link opens a page.'
  return isSigned
    ? 'The link is not secured (https).'
    : 'The receiving server could not verify the signature of the sender (DKIM).'
}

function readMailto(text: string): { to: string; subject: string; body: string } | undefined {
  const url = URL.parse(text)
  if (url?.protocol !== 'mailto:') return undefined
  const to = decodeUnsubscribeField(url.pathname)
  if (to === undefined || !/^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/.test(to)) return undefined
  const words = (name: string) =>
    (url.searchParams.get(name) ?? '')
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, maxLength)
  return { to, subject: words('subject') || 'unsubscribe', body: words('body') || 'unsubscribe' }
}

function decodeUnsubscribeField(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
