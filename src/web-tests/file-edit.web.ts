import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor, reopenFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

const createFile = async (name: string, content_text: string) =>
  (await web.ann.call('upload_file', { name, content_text })).id as string
const storedText = async (file_id: string) => {
  const { base64 } = await web.ann.call('get_file_content', { file_id, format: 'base64' })
  return Buffer.from(base64, 'base64').toString('utf8')
}

test('by keyboard: a text is edited and saved as a new version, preserving its line endings', {
  skip,
}, async () => {
  const id = await createFile('rota.txt', 'Monday: Ann\r\nTuesday: Bob\r\n')
  const { visitor, page, press } = await reopenFor(web, web.ann, `/files/${id}`)
  await page.getByRole('button', { name: /^Edit text/ }).waitFor()
  await press('e')
  const field = page.getByRole('textbox', { name: 'Text of rota.txt' })
  await field.waitFor()
  assert.equal(await field.inputValue(), 'Monday: Ann\nTuesday: Bob\n')
  await press('Control+End')
  await page.keyboard.type('Wednesday: <b>Carol</b>\n')
  await page.getByText('Not saved yet; kept in this browser').waitFor()
  await visitor.checkPage('file-edit')
  await press('Control+s')
  await untilTrue(
    async () =>
      (await storedText(id)) === 'Monday: Ann\r\nTuesday: Bob\r\nWednesday: <b>Carol</b>\r\n',
    'it is not saved as it should be',
  )
  await page.getByText('Saved', { exact: true }).waitFor()
  await field.focus()
  await press('Escape')
  await field.waitFor({ state: 'detached' })
  await page.getByText('Wednesday: <b>Carol</b>').waitFor()
  await page.getByRole('heading', { name: 'Versions' }).waitFor()
  visitor.assertNoProblems()
})

test('concurrent saves are merged; conflicting lines show both versions, and nothing is lost by a reload', {
  skip,
}, async () => {
  const id = await createFile('plan.txt', 'one\ntwo\nthree\nfour\n')
  const { visitor, page, press } = await openFor(web, web.ann, `/files/${id}`)
  await page.getByRole('button', { name: /^Edit text/ }).click()
  const field = page.getByRole('textbox', { name: 'Text of plan.txt' })
  await field.fill('one\ntwo\nthree\nfour of mine\n')
  await page.reload()
  await field.waitFor()
  assert.equal(await field.inputValue(), 'one\ntwo\nthree\nfour of mine\n')
  const saveAsOther = (content_text: string) =>
    web.ann.call('update_file_content', { file_id: id, content_text })
  await saveAsOther('one of theirs\ntwo\nthree\nfour\n')
  await field.focus()
  await press('Control+s')
  const merged = 'one of theirs\ntwo\nthree\nfour of mine\n'
  await untilTrue(async () => (await storedText(id)) === merged, 'it is not merged')
  await untilTrue(async () => (await field.inputValue()) === merged, 'the merged text is not shown')

  await saveAsOther('one of theirs\nanother two\nthree\nfour of mine\n')
  await field.fill('one of theirs\nmy two\nthree\nfour of mine\n')
  await press('Control+s')
  await page.getByRole('alert').first().waitFor()
  await page.getByText('another two', { exact: true }).waitFor()
  await visitor.checkPage('file-conflict')
  assert.ok((await field.inputValue()).includes('my two'))
  await page.getByRole('button', { name: 'Use these lines' }).focus()
  await press('Enter')
  await field.focus()
  await press('Control+s')
  await untilTrue(
    async () =>
      (await storedText(id)) === 'one of theirs\nanother two\nmy two\nthree\nfour of mine\n',
    'not both versions are saved',
  )
  visitor.assertNoProblems()
})

test('a file that cannot be edited says why, and changes are discarded only after confirmation', {
  skip,
}, async () => {
  const large = await createFile('large.txt', 'x'.repeat(300_001))
  const mixed = await createFile('mixed.txt', 'a\r\nb\n')
  const { visitor, page, press } = await reopenFor(web, web.ann, `/files/${large}`)
  await page.getByText(/Too large to be edited here/).waitFor()
  await visitor.go(`/files/${mixed}`)
  await page.getByRole('button', { name: /^Edit text/ }).waitFor()
  await press('e')
  await page.getByText(/its lines end in different ways/).waitFor()

  const small = await createFile('small.txt', 'small')
  await visitor.go(`/files/${small}`)
  await page.getByRole('button', { name: /^Edit text/ }).waitFor()
  await press('e')
  const field = page.getByRole('textbox', { name: 'Text of small.txt' })
  await field.fill('changed')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').getByText('Discard your changes?').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  assert.equal(await field.inputValue(), 'changed')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await field.waitFor({ state: 'detached' })
  assert.equal(await storedText(small), 'small')
  visitor.assertNoProblems()
})
