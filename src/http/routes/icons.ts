import { iconNames, iconPath, iconSvg } from '../../mcp/handler.ts'
import { StaticAnswer, type HeaderList } from '../transport/answers.ts'
import { getOnly } from '../transport/methods.ts'
import type { WebPage } from '../transport/request-info.ts'

/** Assistants show the icons on their own pages. */
const embeddingHeaders: HeaderList = [
  ['cross-origin-resource-policy', 'cross-origin'],
  ['cache-control', 'public, max-age=86400'],
]
const headers: HeaderList = [
  ['content-type', 'image/svg+xml'],
  ['content-security-policy', "default-src 'none'; sandbox"],
]

/** The icons of tools, for hosts that show them beside a tool: no key, no secret. */
export function iconPages(): [path: string, page: WebPage][] {
  return iconNames.map((name) => {
    const icon = new StaticAnswer(iconSvg(name), headers)
    const page: WebPage = (incoming) => {
      const response = icon.answer(incoming)
      for (const [header, value] of embeddingHeaders) response.headers.set(header, value)
      return response
    }
    return [iconPath(name), getOnly(page)]
  })
}
