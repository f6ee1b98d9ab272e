// Custom keys for commands in the settings.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { choose, openFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  const member_ids = [web.bob.id, web.carol.id]
  await web.ann.call('create_project', { name: 'Rocket', key: 'ROC', member_ids })
  for (const title of ['Fuel the rocket', 'Count down'])
    await web.ann.call('create_task', { title, project_id: 'ROC' })
})
after(() => web?.close())

const statusOf = async (key: string) => (await web.ann.call('get_task', { task_id: key })).status
const priorityOf = async (key: string) =>
  (await web.ann.call('get_task', { task_id: key })).priority

/** Goes to the keys of a command, with the keyboard only. */
async function openCommand(page: Page, query: string, label: string) {
  const field = page.getByRole('searchbox', { name: 'Find a command' })
  await field.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(query)
  const button = page.getByRole('button', { name: `Change the keys of “${label}”`, exact: true })
  await button.press('Enter')
  await page.getByRole('textbox', { name: 'Press the new keys' }).waitFor()
}

const statusText = (page: Page) => page.getByRole('dialog').getByRole('status').textContent()

const waitForSettings = async (page: Page) => {
  await page.getByRole('heading', { name: 'Commands' }).waitFor()
  await page.getByText('Mark as done').waitFor()
}

test('a remapped key works for its command in the help, the menus and another browser', {
  skip,
}, async () => {
  const { visitor, page, press } = await openFor(web, web.ann, '/tasks')
  await page.getByRole('row').filter({ hasText: 'Fuel the rocket' }).waitFor()
  await press('?')
  await page.getByRole('link', { name: 'Change keys…' }).press('Enter')
  await waitForSettings(page)
  await visitor.checkPage('shortcuts')
  await openCommand(page, 'mark as done', 'Mark as done')
  await press('h')
  await page.getByRole('button', { name: 'Use instead of E' }).waitFor()
  await visitor.checkPage('shortcuts-change')
  await page.getByRole('textbox', { name: 'Press the new keys' }).focus()
  await press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const row = page.getByRole('listitem').filter({ hasText: 'Mark as done' })
  assert.match((await row.textContent()) ?? '', /yours.*H/)

  const second = await openFor(web, web.ann, '/tasks')
  const task = second.page.getByRole('row').filter({ hasText: 'Fuel the rocket' })
  await task.waitFor()
  await second.press('?')
  const line = second.page
    .getByRole('dialog')
    .locator('dl > div')
    .filter({ hasText: 'Mark as done' })
  await line.waitFor()
  assert.equal(await line.locator('dd').textContent(), 'H')
  await second.press('Escape', 'Control+k')
  await second.page.getByRole('combobox').waitFor()
  await second.page.keyboard.type('mark as done')
  const option = second.page.getByRole('option', { name: /Mark as done/ })
  await option.waitFor()
  assert.match((await option.textContent()) ?? '', /H$/)
  await second.press('Escape')
  await second.page.getByRole('combobox').waitFor({ state: 'detached' })
  await task.getByRole('link', { name: 'Fuel the rocket' }).focus()
  const writes: string[] = []
  second.page.on('request', (request) => {
    if (/\/web\/call\/.*(update|complete)/.test(request.url())) writes.push(request.url())
  })
  await second.press('e')
  await second.press('h')
  await untilTrue(async () => (await statusOf('ROC-1')) === 'Done', 'h did not mark it as done')
  assert.equal(writes.length, 1, `e does nothing any more: ${writes.join(', ')}`)
  visitor.assertNoProblems()
  second.visitor.assertNoProblems()
})

test('keys of another command are swapped or taken over, and browser keys are refused with their owner', {
  skip,
}, async () => {
  const { visitor, page, press } = await openFor(web, web.bob, '/settings/shortcuts')
  await waitForSettings(page)
  await openCommand(page, 'set status', 'Set status…')
  await press('Control+d')
  assert.equal(await statusText(page), 'Ctrl D belongs to the browser.')
  await press('Control+v')
  assert.equal(await statusText(page), 'Ctrl V edits text in every field.')
  await press('Backspace', 'g')
  assert.match((await statusText(page)) ?? '', /^G cannot be told apart from G /)
  await press('Enter')
  await page.getByRole('textbox', { name: 'Press the new keys' }).waitFor()
  await press('Backspace', 'p')
  assert.equal(await statusText(page), 'P is: “Set priority…”.')
  await visitor.checkPage('shortcuts-taken')
  await page.getByRole('button', { name: 'Swap P and S' }).press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await visitor.go('/tasks')
  await page.getByRole('link', { name: 'Count down' }).focus()
  await press('s')
  await choose(page, 'Set priority', 'high')
  await untilTrue(async () => (await priorityOf('ROC-2')) === 'high', 's did not set the priority')
  visitor.assertNoProblems()
})

test('a two-letter sequence is assigned, a key is removed, and all are reset', {
  skip,
}, async () => {
  const { visitor, page, press } = await openFor(web, web.carol, '/settings/shortcuts')
  await waitForSettings(page)
  await openCommand(page, 'light and dark', 'Switch between light and dark')
  await press('y', 'd')
  await page.getByRole('button', { name: 'Add', exact: true }).press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await openCommand(page, 'light and dark', 'Switch between light and dark')
  await page.getByRole('button', { name: 'Remove T T' }).press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const currentTheme = () => page.locator('html').getAttribute('data-mantine-color-scheme')
  const initialTheme = await currentTheme()
  await page.locator('#content').focus()
  await press('t', 't')
  assert.equal(await currentTheme(), initialTheme)
  await press('y', 'd')
  await untilTrue(async () => (await currentTheme()) !== initialTheme, 'y d did not switch')

  await openCommand(page, 'open the command menu', 'Open the command menu')
  await page.getByText('The command menu leads to everything else, so it keeps a key.').waitFor()
  await press('Escape')
  await page.getByRole('button', { name: 'Reset all' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Reset all keys?' })
  await dialog.getByRole('button', { name: 'Reset all' }).press('Enter')
  await page.getByText('All commands have the keys of the app.').waitFor()
  await page.reload()
  await waitForSettings(page)
  await page.locator('#content').focus()
  const themeAfterReload = await currentTheme()
  await press('t', 't')
  await untilTrue(async () => (await currentTheme()) !== themeAfterReload, 't t did not switch')
  visitor.assertNoProblems()
})
