import type { ConnectionWay, ConnectSetup } from '../../../api/operations.ts'

export type Platform = 'macos' | 'linux' | 'windows'
export const platforms: readonly Platform[] = ['macos', 'linux', 'windows']

export type Way = ConnectionWay
export type Content = Way['contents'][number]
export type ClientSetup = ConnectSetup['clients'][number]

/** The reader's platform, as reported by the browser. */
export function detectPlatform(): Platform {
  const { userAgent } = navigator
  if (/Windows/i.test(userAgent)) return 'windows'
  return /Mac OS|iPhone|iPad/i.test(userAgent) ? 'macos' : 'linux'
}

/** True if the instructions differ on other systems. */
export function differsByPlatform({ contents }: Way): boolean {
  return contents.some(
    (content) =>
      (content.kind === 'command' && content.shell !== 'any') ||
      (content.kind === 'file' && new Set(Object.values(content.paths)).size > 1),
  )
}

export function matchesPlatform(content: Content, platform: Platform): boolean {
  return (
    content.kind !== 'command' ||
    content.shell === 'any' ||
    (content.shell === 'windows') === (platform === 'windows')
  )
}

/** Inserts the key for the server's placeholder, locally, without sending it anywhere. */
export function fillSetup(way: Way, placeholder: string, secret: string): Way {
  const fill = (text: string) => text.replaceAll(placeholder, secret)
  const contents = way.contents.map((content) =>
    content.kind === 'values'
      ? {
          ...content,
          values: content.values.map(({ label, text }) => ({ label, text: fill(text) })),
        }
      : { ...content, text: fill(content.text) },
  )
  return {
    ...way,
    contents,
    ...(way.link === undefined ? {} : { link: fillLink(way.link, fill) }),
  }
}

/** Cursor expects the configuration as base64 in the address. */
function fillLink(link: string, fill: (text: string) => string): string {
  return fill(link).replace(
    /([?&]config=)([^&]+)/,
    (_, field: string, config: string) =>
      field + encodeURIComponent(btoa(fill(atob(decodeURIComponent(config))))),
  )
}
