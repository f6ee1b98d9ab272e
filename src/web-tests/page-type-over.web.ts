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

const formattedText =
  '# Big heading\n\nSome **bold words** and `code here` and [a link](https://example.org).\n\n> quoted text\n\n- [x] done task\n\n```\nblock code\n```\n'

test('typing over formatted text takes no style along, undo restores the text, and pasting an address over words links them', {
  skip,
}, async () => {
  const { id, body } = await makePage(web, 'Over', formattedText)
  const { visitor, page, press, text } = await writeAsAnn(web, id, 'Over')
  const formattedWords = ['heading', 'words', 'here', 'link', 'quoted', 'done', 'block']
  for (const word of formattedWords)
    for (const extraKeys of [[], ['Shift+End'], ['Home', 'Shift+End', 'Backspace']]) {
      await text.getByText(word).first().dblclick()
      await press(...extraKeys)
      await page.keyboard.type('new')
      do await press('Control+z')
      while ((await text.getByText(word).count()) === 0)
    }
  await press('Control+Home', 'Shift+ArrowRight')
  await page.keyboard.type('##')
  let content = ''
  await untilTrue(
    async () => {
      content = await body()
      return content === `#${formattedText}`
    },
    () => `the text is ${content}`,
  )
  await press('Control+End')
  await page.keyboard.type('read this')
  await press('Control+Shift+ArrowLeft')
  await pasteInto(text, 'https://example.org/pasted')
  await page.keyboard.type('.')
  await untilTrue(async () => {
    content = await body()
    return content.endsWith('read [this](https://example.org/pasted).')
  }, 'the pasted address made no link')
  visitor.assertNoProblems()
})
