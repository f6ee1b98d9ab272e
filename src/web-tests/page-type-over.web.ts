// Typing over formatted text leaves no formatting behind.

import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { makePage, pasteInto, writeAsAnn } from './page-writing.ts'
import { noChromium, openWeb, type Web } from './setup.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined)
})
after(() => web?.close())

const words =
  '# Big heading\n\nSome **bold words** and `code here` and [a link](https://example.org).\n\n> quoted text\n\n- [x] done task\n\n```\nblock code\n```\n'

test('typing over formatted text takes no style along, undo restores the text, and pasting an address over words links them', {
  skip,
}, async () => {
  const { id, body } = await makePage(web, 'Over', words)
  const { visitor, page, press, text } = await writeAsAnn(web, id, 'Over')
  const marked = ['heading', 'words', 'here', 'link', 'quoted', 'done', 'block']
  for (const word of marked)
    for (const more of [[], ['Shift+End'], ['Home', 'Shift+End', 'Backspace']]) {
      await text.getByText(word).first().dblclick()
      await press(...more)
      await page.keyboard.type('new')
      do await press('Control+z')
      while ((await text.getByText(word).count()) === 0)
    }
  await press('Control+Home', 'Shift+ArrowRight')
  await page.keyboard.type('##')
  let now = ''
  await untilTrue(
    async () => {
      now = await body()
      return now === `#${words}`
    },
    () => `the text is ${now}`,
  )
  await press('Control+End')
  await page.keyboard.type('read this')
  await press('Control+Shift+ArrowLeft')
  await pasteInto(text, 'https://example.org/pasted')
  await page.keyboard.type('.')
  await untilTrue(async () => {
    now = await body()
    return now.endsWith('read [this](https://example.org/pasted).')
  }, 'the pasted address made no link')
  visitor.well()
})
