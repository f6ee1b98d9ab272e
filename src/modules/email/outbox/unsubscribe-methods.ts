/** Unsubscribe methods that a message declares (List-Unsubscribe, RFC 2369 and 8058). */
export interface UnsubscribeInfo {
  url?: string
  mailto?: string
  one_click?: boolean
  /** Time of the request in milliseconds. */
  asked_at?: number
}

export type UnsubscribeMethod =
  | { by: 'post'; url: string }
  | { by: 'mail'; to: string; subject: string; body: string }
  | { by: 'link'; url: string; why: string }
  | { by: 'nothing' }

const maxLength = 500

/**
 * The best unsubscribe method, preferably one without a person's action. One-click is used only with a valid DKIM
 * signature: otherwise, a forged message could trigger requests from here.
 */
export function unsubscribeMethod(
  { url, mailto, one_click = false }: UnsubscribeInfo,
  authenticationJson: string | null,
): UnsubscribeMethod {
  const isSigned = (JSON.parse(authenticationJson ?? '{}') as { dkim?: string }).dkim === 'pass'
  if (url !== undefined && one_click && isSigned && /^https:/i.test(url)) return { by: 'post', url }
  const mail = mailto === undefined ? undefined : readMailto(mailto)
  if (mail) return { by: 'mail', ...mail }
  if (url === undefined) return { by: 'nothing' }
  return {
    by: 'link',
    url,
    why: linkReason(one_click, isSigned),
  }
}

function linkReason(one_click: boolean, isSigned: boolean): string {
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
  const field = (name: string) =>
    (url.searchParams.get(name) ?? '')
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, maxLength)
  return { to, subject: field('subject') || 'unsubscribe', body: field('body') || 'unsubscribe' }
}

function decodeUnsubscribeField(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
