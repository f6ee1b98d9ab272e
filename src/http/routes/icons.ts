import { iconNames, iconPath, iconSvg } from '../../mcp/handler.ts'
import { Fixed, type HeaderList } from '../transport/answers.ts'
import { getOnly } from '../transport/methods.ts'
import type { WebPage } from '../transport/request-info.ts'

/** Hosts show them on their own pages. */
const forPagesOfOthers: HeaderList = [
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
    const icon = new Fixed(iconSvg(name), headers)
    const page: WebPage = (incoming) => {
      const response = icon.answer(incoming)
      for (const [header, value] of forPagesOfOthers) response.headers.set(header, value)
      return response
    }
    return [iconPath(name), getOnly(page)]
  })
}
