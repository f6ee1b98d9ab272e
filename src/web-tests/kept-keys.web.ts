// Tests typing while a part of the app is still loading.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  await web.ann.call('create_project', { name: 'Rocket', key: 'ROC' })
  await web.ann.call('create_task', { title: 'Fuel the rocket', project_id: 'ROC' })
})
after(() => web?.close())

/** Opens the tasks without idle loading, and delays one part until it is released. */
async function openWithDelayed(part: string) {
  const session = await openFor(web, web.ann, '/sign-in')
  const { visitor, page } = session
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0
  })
  const gate = Promise.withResolvers<void>()
  const requested = Promise.withResolvers<void>()
  await page.route(new RegExp(`/${part}-[^/]*\\.js$`), async (route) => {
    requested.resolve()
    await gate.promise
    await route.continue()
  })
  await visitor.go('/tasks')
  await row(page).waitFor()
  return { ...session, partRequested: requested.promise, releasePart: () => gate.resolve() }
}

const row = (page: Page) => page.getByRole('row').filter({ hasText: 'Fuel the rocket' })

test('text typed right after s goes into the list that is still loading, and Enter chooses', {
  skip,
}, async () => {
  const { visitor, page, press, partRequested, releasePart } =
    await openWithDelayed('OpenTaskPicker')
  await press('j', 's')
  await partRequested
  await page.keyboard.type('in pre')
  await press('Backspace', 'Backspace')
  await page.keyboard.type('ro')
  await press('Enter')
  releasePart()
  await row(page).getByRole('button', { name: 'Status: In progress' }).waitFor()
  const status = async () => (await web.ann.call('get_task', { task_id: 'ROC-1' })).status
  await untilTrue(async () => (await status()) === 'In progress', 'the status did not arrive')
  const task = await web.ann.call('get_task', { task_id: 'ROC-1' })
  assert.deepEqual([task.priority, task.assignees], ['none', []], 'typed letters ran no commands')
  visitor.assertNoProblems()
})

test('text typed right after Ctrl K appears in the command menu once it is loaded', {
  skip,
}, async () => {
  const { visitor, page, press, partRequested, releasePart } = await openWithDelayed('PaletteBox')
  await press('Control+k')
  await partRequested
  await page.keyboard.type('goals')
  releasePart()
  const field = page.getByRole('combobox')
  await field.waitFor()
  await untilTrue(async () => (await field.inputValue()) === 'goals', 'it was lost')
  await press('Enter')
  await page.waitForURL('**/goals')
  visitor.assertNoProblems()
})

test('text typed before, during and after the command menu loads appears in order', {
  skip,
}, async () => {
  const text = 'a longer name that takes longer to type than the menu takes to come'
  const { visitor, page, press, partRequested, releasePart } = await openWithDelayed('PaletteBox')
  await press('Control+k')
  await partRequested
  await page.keyboard.type(text.slice(0, 9))
  releasePart()
  await page.keyboard.type(text.slice(9))
  const field = page.getByRole('combobox')
  await field.waitFor()
  await untilTrue(async () => (await field.inputValue()).length >= text.length, 'letters were lost')
  assert.equal(await field.inputValue(), text)
  visitor.assertNoProblems()
})

test('a list cancelled while loading leaves the keys to the page', { skip }, async () => {
  const { visitor, page, press, releasePart } = await openWithDelayed('QuickAdd')
  await press('c')
  await page.keyboard.type('Half')
  releasePart()
  const line = page.getByRole('textbox', { name: 'Task' })
  await untilTrue(async () => (await line.inputValue()) === 'Half', 'it was lost')
  await press('Escape', 'Control+k')
  await page.getByRole('combobox').waitFor()
  await page.keyboard.type('tasks')
  assert.equal(await page.getByRole('combobox').inputValue(), 'tasks')
  visitor.assertNoProblems()
})
