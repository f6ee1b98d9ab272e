// Test steps in which Ann writes the text of a page.

import type { Locator, Page } from 'playwright-core'
import type { Web } from './setup.ts'
import { openFor } from './steps.ts'

/** Creates a page that only she can see; `body` reads its text. */
export async function makePage(web: Web, title: string, body_markdown: string) {
  const { id } = await web.ann.call('create_page', { title, body_markdown, visibility: 'private' })
  const body = async () => (await web.ann.call('get_page', { page_id: id })).body_markdown as string
  return { id: String(id), body }
}

/** Opens the text of a page for her. */
export async function writeAsAnn(web: Web, id: string, title: string) {
  const session = await openFor(web, web.ann, `/pages/${id}`)
  await session.press('e')
  const text = session.page.getByRole('textbox', { name: `Text of ${title}` })
  await text.waitFor()
  return { ...session, text }
}

/** Pastes into the text like a browser; `html` is the formatted version. */
export const pasteInto = (text: Locator, plain: string, html?: string): Promise<void> =>
  text.evaluate(
    (node, content) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', content.plain)
      if (content.html !== undefined) clipboardData.setData('text/html', content.html)
      node.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      )
    },
    { plain, html },
  )

/** Puts formatted text on the clipboard, as other programs do. */
export async function copyHtml(page: Page, html: string, plain: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(
    async ([rich, words]) => {
      const blobs = { 'text/html': rich, 'text/plain': words }
      const item = Object.entries(blobs).map(([type, text]) => [type, new Blob([text], { type })])
      await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(item))])
    },
    [html, plain] as const,
  )
}
