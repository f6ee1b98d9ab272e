import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { noChromium, openWeb, type Web } from './setup.ts'
import { reopenFor } from './steps.ts'

// Checks every list, menu and pop-up of the tasks while open: in both themes, on a phone and on a desktop.

const skip = noChromium
let web: Web

before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  const { ann, bob } = web
  await ann.call('create_project', { name: 'Plant', key: 'PLT', member_ids: [bob.id] })
  const label_ids = []
  for (const [name, color] of [
    ['Bug', '#d63939'],
    ['Rush', '#f0c419'],
  ] as const)
    label_ids.push((await ann.call('create_label', { name, color })).id)
  await ann.call('create_custom_field', {
    project_id: 'PLT',
    name: 'Area',
    type: 'select',
    options: ['Pump', 'Valve'],
  })
  await ann.call('create_sprint', {
    project_id: 'PLT',
    name: 'First weeks',
    starts_on: '2026-12-07',
    ends_on: '2026-12-20',
  })
  await ann.call('create_milestone', { project_id: 'PLT', name: 'Opening', due_on: '2027-01-15' })
  await web.keyFor(ann, { name: 'Plant helper' })
  for (const title of ['Oil the pump', 'Turn the valve', 'Sweep'])
    await ann.call('create_task', {
      project_id: 'PLT',
      title,
      label_ids,
      assignee_ids: [ann.id, bob.id],
      priority: 'high',
      due_at: '2027-01-04',
      custom_fields: { Area: 'Pump' },
    })
})
after(() => web?.close())

/** The keys of a task, and the list that each opens. */
const pickers: readonly [key: string, name: string][] = [
  ['s', 'status'],
  ['p', 'priority'],
  ['a', 'people'],
  ['l', 'labels'],
  ['d', 'due'],
  ['Shift+A', 'delegate'],
  ['Shift+S', 'sprint'],
  ['Shift+G', 'milestone'],
]

test('by keyboard: value lists open on a task without problems, and Escape returns the focus to it', {
  skip,
}, async () => {
  const { visitor, page, press } = await reopenFor(web, web.ann, '/tasks')
  const row = page.getByRole('row').filter({ hasText: 'Oil the pump' })
  await row.waitFor()
  await press('j')
  for (const [key, name] of pickers) {
    await press(key)
    await page.getByRole('combobox').waitFor()
    await page.getByRole('option').first().waitFor()
    await visitor.checkPage(`tasks-pick-${name}`)
    await press('Escape')
    await page.getByRole('combobox').waitFor({ state: 'detached' })
    assert.ok(
      await page.evaluate(() => document.activeElement?.closest('[role=row]') !== null),
      `${name}: the focus is at the row again`,
    )
  }
  await press('Shift+F10')
  await page.getByRole('combobox', { name: 'Do with the task…' }).waitFor()
  await visitor.checkPage('tasks-menu-of-row')
  await press('Escape')
  await press('x')
  await page.getByRole('toolbar').getByText('1 selected').waitFor()
  await visitor.checkPage('tasks-picked-bar')
  visitor.assertNoProblems()
})

test('the filter menu and the values of each field render without problems', { skip }, async () => {
  const { visitor, page, press } = await reopenFor(web, web.ann, '/tasks')
  await page.getByRole('row').filter({ hasText: 'Oil the pump' }).waitFor()
  await press('f')
  const menu = page.getByRole('combobox', { name: 'Filter by…' })
  await menu.waitFor()
  await visitor.checkPage('tasks-filter-menu')
  const fields = await page.getByRole('option').allTextContents()
  assert.ok(fields.includes('Due') && fields.includes('Area'), fields.join())
  await press('Escape')
  for (const field of fields) {
    await press('f')
    await menu.waitFor()
    await page.keyboard.type(field)
    await press('Enter')
    await page.getByRole('combobox', { name: field, exact: true }).waitFor()
    await page.getByRole('option').first().waitFor()
    await visitor.checkPage(`tasks-filter-${field.toLowerCase().replaceAll(' ', '-')}`)
    await press('Escape')
    await page.getByRole('combobox').waitFor({ state: 'detached' })
  }
  visitor.assertNoProblems()
})

test('the menus of the bar, of columns and of the frame render without problems', {
  skip,
}, async () => {
  const { visitor, page, press } = await reopenFor(web, web.ann, '/tasks?priority=high')
  await page.getByRole('row').filter({ hasText: 'Oil the pump' }).waitFor()
  await page.getByRole('button', { name: 'Display' }).press('Enter')
  await page.getByRole('menuitemradio').first().waitFor()
  await visitor.checkPage('tasks-display-menu')
  await press('Escape')
  await page.getByRole('menuitemradio').first().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save view' }).press('Enter')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).waitFor()
  await visitor.checkPage('tasks-save-view')
  await press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.locator('body').press('c')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('Weld the gate @bob !high #PLT due fri ~2h +Bug')
  await visitor.checkPage('tasks-quick-add')
  await press('Escape')
  await page.locator('body').press('3')
  await page.getByRole('columnheader').first().waitFor()
  await press('j', 'Alt+c')
  await page.getByRole('combobox').waitFor()
  await visitor.checkPage('tasks-column-menu')
  await press('Escape')
  await page.locator('body').press('?')
  await page.getByRole('dialog').waitFor()
  await visitor.checkPage('tasks-help')
  await press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.locator('body').press('Control+k')
  await page.getByRole('combobox').waitFor()
  await page.getByRole('option').first().waitFor()
  await visitor.checkPage('tasks-palette')
  await press('Escape')
  visitor.assertNoProblems()
})

test('the account menu and the lists on a task page render without problems', {
  skip,
}, async () => {
  const { visitor, page, press } = await reopenFor(web, web.ann, '/tasks/PLT-1')
  await page.getByRole('heading', { name: 'Oil the pump' }).waitFor()
  for (const field of ['Status', 'Priority', 'Labels', 'Due']) {
    await page
      .locator('dl > div')
      .filter({ has: page.getByText(field, { exact: true }) })
      .getByRole('button')
      .first()
      .press('Enter')
    await page.getByRole('combobox').waitFor()
    await page.getByRole('option').first().waitFor()
    await visitor.checkPage(`task-page-${field.toLowerCase()}`)
    await press('Escape')
    await page.getByRole('combobox').waitFor({ state: 'detached' })
  }
  await page.getByRole('button', { name: 'Account of Ann' }).first().press('Enter')
  await page.getByRole('menu').waitFor()
  await visitor.checkPage('account-menu')
  await press('Escape')
  visitor.assertNoProblems()
})
