// Meeting minutes written by two people at the same time, each in their own browser.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

test('two people edit the minutes of a meeting: each sees the other typing and their saves, and nothing is lost', {
  skip,
}, async () => {
  const { id } = await web.ann.call('create_meeting', {
    title: 'Harvest',
    participants: [web.bob.id],
  })
  const wasWritten = '# Weather\n\nDry.\n\n# Prices\n\nUnknown.\n'
  await web.ann.call('update_meeting', { meeting_id: id, notes_markdown: wasWritten })
  const saved = async (): Promise<string> =>
    (await web.ann.call('get_meeting', { meeting_id: id })).notes_markdown
  const edit = async (person: typeof web.ann) => {
    const opened = await openFor(web, person, `/meetings/${id}`)
    await opened.page
      .locator('section', { has: opened.page.getByRole('heading', { name: 'Notes' }) })
      .getByRole('button', { name: 'Edit' })
      .press('Enter')
    const field = opened.page.getByRole('textbox', { name: 'Minutes' })
    await field.waitFor()
    return { ...opened, field }
  }
  const ann = await edit(web.ann)
  const bob = await edit(web.bob)
  await ann.field.fill(wasWritten.replace('Dry.', 'Dry until Friday.'))
  await ann.field.press('ArrowUp')
  const typing = bob.field
    .press('Control+End')
    .then(() => bob.page.keyboard.type('Wheat is up by a tenth.', { delay: 120 }))
  await ann.page.getByRole('img', { name: 'Bob is typing' }).waitFor()
  await typing
  await bob.press('Control+Enter')
  await untilTrue(
    async () => (await ann.field.inputValue()).includes('Wheat is up by a tenth.'),
    'what was saved does not appear',
  )
  assert.ok((await ann.field.inputValue()).includes('Dry until Friday.'))
  await ann.visitor.look('meeting-minutes-together')
  await ann.press('Control+Enter')
  await bob.page.getByText('Dry until Friday.').waitFor()
  const both = await saved()
  assert.ok(both.includes('Dry until Friday.') && both.includes('Wheat is up by a tenth.'), both)
  ann.visitor.well()
  bob.visitor.well()
})
