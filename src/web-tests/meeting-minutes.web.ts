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
  const originalNotes = '# Weather\n\nDry.\n\n# Prices\n\nUnknown.\n'
  await web.ann.call('update_meeting', { meeting_id: id, notes_markdown: originalNotes })
  const savedNotes = async (): Promise<string> =>
    (await web.ann.call('get_meeting', { meeting_id: id })).notes_markdown
  const openEditor = async (person: typeof web.ann) => {
    const session = await openFor(web, person, `/meetings/${id}`)
    await session.page
      .locator('section', { has: session.page.getByRole('heading', { name: 'Notes' }) })
      .getByRole('button', { name: 'Edit' })
      .press('Enter')
    const field = session.page.getByRole('textbox', { name: 'Minutes' })
    await field.waitFor()
    return { ...session, field }
  }
  const ann = await openEditor(web.ann)
  const bob = await openEditor(web.bob)
  await ann.field.fill(originalNotes.replace('Dry.', 'Dry until Friday.'))
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
  await ann.visitor.checkPage('meeting-minutes-together')
  await ann.press('Control+Enter')
  await bob.page.getByText('Dry until Friday.').waitFor()
  const merged = await savedNotes()
  assert.ok(
    merged.includes('Dry until Friday.') && merged.includes('Wheat is up by a tenth.'),
    merged,
  )
  ann.visitor.assertNoProblems()
  bob.visitor.assertNoProblems()
})
