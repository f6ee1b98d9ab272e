// From a new project to the report of a finished sprint, for a person without a mouse.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor } from './steps.ts'

const skip = noChromium
let web: Web

before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

/** Presses Tab, or Shift and Tab, until an element has the focus. */
async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await target.waitFor()
  for (let attempt = 0; attempt < 60; attempt++) {
    if (await target.evaluate((node) => node === document.activeElement)) return
    const previousFocus = await page.evaluateHandle(() => document.activeElement)
    await page.keyboard.press(key)
    await page
      .waitForFunction((node) => node !== document.activeElement, previousFocus, { timeout: 1000 })
      .catch(() => undefined) // at the end of a list the focus stays
  }
  assert.fail(`no ${key} leads to ${String(target)}`)
}

test('by keyboard: a new project gets tasks, estimates and a sprint, which is worked through on the board, completed and reviewed', {
  skip,
}, async () => {
  const { visitor, page, press } = await openFor(web, web.ann, '/')
  const type = (text: string) => page.keyboard.type(text)
  const listTasks = async (): Promise<any[]> =>
    (await web.ann.call('list_tasks', { project_id: 'HRV' })).items
  const listSprints = async (): Promise<any[]> =>
    (await web.ann.call('list_sprints', { project_id: 'HRV' })).items
  const findTask = async (title: string) => (await listTasks()).find((item) => item.title === title)

  await press('g', 'p')
  await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
  await press('Shift+N')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).waitFor()
  await type('Harvest')
  await press('Tab')
  await type('HRV')
  await press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Harvest', exact: true }).waitFor()

  await press('c')
  const line = page.getByRole('textbox', { name: 'Task', exact: true })
  await line.waitFor()
  const inputs = [
    'Sharpen the scythes ~2h',
    'Hire helpers !high',
    'Mow the field ~1h30',
    'Dry the hay',
  ]
  for (const text of inputs) {
    await type(text)
    await page.getByRole('dialog').getByRole('status').getByText('Harvest').waitFor()
    await press('Control+Enter')
    await page.waitForFunction(
      (node) => (node as HTMLInputElement | null)?.value === '',
      await line.elementHandle(),
    )
  }
  await press('Escape')
  await untilTrue(async () => (await listTasks()).length === 4, 'not all tasks were made')
  await press('}')
  const row = (title: string) => page.getByRole('row').filter({ hasText: title })
  await row('Dry the hay').waitFor()
  await press('3')
  await page.locator('[data-column=points]').first().waitFor()
  for (const [title, points] of [
    ['Dry the hay', 2],
    ['Hire helpers', 5],
  ] as const) {
    const cell = row(title).locator('[data-column=points]')
    await tabTo(page, row(title).locator('[data-column=head]'), 'k')
    await tabTo(page, cell, 'ArrowRight')
    await type(String(points))
    await press('Enter')
    await untilTrue(async () => (await findTask(title))?.points === points, 'it has no points')
    await press('Escape') // from the cells to the key of the row
  }
  await visitor.checkPage('walk-estimated')

  await press('}')
  await page.getByRole('heading', { name: 'No sprint is planned' }).waitFor()
  for (const name of ['Sprint 1', 'Sprint 2']) {
    await press('Shift+N')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).waitFor()
    await press('Enter')
    await page.getByRole('region', { name }).waitFor()
  }
  await tabTo(page, page.getByRole('button', { name: 'Sprint 1' }))
  await press('Enter')
  const sprint = page.getByRole('region', { name: 'Sprint 1' })
  await sprint.waitFor()
  await press('k', 'k', 'k', 'k', 'x', 'j', 'x', 'j', 'x', 'Alt+Shift+ArrowRight')
  await sprint.getByText(/^3 tasks/).waitFor()
  await visitor.checkPage('walk-planned')
  await press('Shift+X')
  await page.getByRole('button', { name: 'Complete sprint' }).waitFor()
  const sprintNamed = async (name: string) =>
    (await listSprints()).find((item) => item.name === name)
  const statusOf = async (name: string) => (await sprintNamed(name))?.status
  await untilTrue(async () => (await statusOf('Sprint 1')) === 'active', 'it was not started')
  const planned = (await listTasks()).filter((item) => item.sprint?.title === 'Sprint 1')
  assert.equal(planned.length, 3)

  await press('{')
  await row('Dry the hay').waitFor()
  await press('2')
  const lane = (name: string) => page.getByRole('region', { name })
  await lane('To do').getByText('Dry the hay').waitFor()
  await press('j')
  await lane('To do').locator('[data-cursor]').getByText('Sharpen the scythes').waitFor()
  await visitor.checkPage('walk-board')
  await press('Alt+Shift+ArrowRight')
  await lane('In progress').getByText('Sharpen the scythes').waitFor()
  await press('e')
  const categoryOf = async (title: string) => (await findTask(title))?.status_category
  await untilTrue(async () => (await categoryOf('Sharpen the scythes')) === 'done', 'not done')

  await press('}')
  await sprint.waitFor()
  await press('Shift+X')
  const dialog = page.getByRole('dialog', { name: 'Complete Sprint 1' })
  await dialog.getByText('1 task is done, 2 are not.').waitFor()
  const next = page.getByRole('region', { name: 'Sprint 2' })
  assert.equal(await dialog.getByRole('combobox').inputValue(), (await sprintNamed('Sprint 2'))?.id)
  await visitor.checkPage('walk-complete')
  await tabTo(page, dialog.getByRole('button', { name: 'Complete sprint' }))
  await press('Enter')
  await next.getByText(/^2 tasks/).waitFor()
  await untilTrue(async () => (await statusOf('Sprint 1')) === 'completed', 'it was not completed')
  for (const title of ['Hire helpers', 'Mow the field'])
    assert.equal((await findTask(title))?.sprint?.title, 'Sprint 2', `${title} is not carried over`)
  await tabTo(page, page.getByRole('link', { name: /Sprint 1/ }))
  await press('Enter')
  await page.getByRole('img', { name: /^Work left/ }).waitFor()
  await page.getByText('Sharpen the scythes').waitFor()
  await visitor.checkPage('walk-report')
  visitor.assertNoProblems()
})
