import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { choose, openFor, reopenFor } from './steps.ts'

const skip = noChromium
let web: Web

before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  await web.ann.call('create_project', { name: 'Many', key: 'MNY' })
  await web.ann.call('bulk_create_tasks', {
    project_id: 'MNY',
    tasks: Array.from({ length: 25 }, (_, n) => ({ title: `Chair ${n + 1}` })),
  })
  await web.ann.call('update_task', { task_id: 'MNY-1', priority: 'low' })
})
after(() => web?.close())

const listPriorities = async (): Promise<string[]> =>
  (await web.ann.call('list_tasks', { project_id: 'MNY', limit: 100 })).items.map(
    (task: { priority: string }) => task.priority,
  )
const countLow = async () =>
  (await listPriorities()).filter((priority) => priority === 'low').length

test('by keyboard: a change of many tasks is previewed, and one z reverts all of it', {
  skip,
}, async () => {
  const { visitor, page, press } = await reopenFor(web, web.ann, '/tasks?project=MNY')
  await page.getByRole('row').filter({ hasText: 'Chair 2' }).first().waitFor()
  await press('j', 'Control+a')
  await page.getByRole('toolbar').getByText('25 selected').waitFor()
  await press('p')
  await choose(page, 'Set priority', 'low')
  const preview = page.getByRole('dialog', { name: 'Before it changes: priority low' })
  await preview.getByText('1 task is like that already.').waitFor()
  await preview.getByRole('row', { name: /MNY-2 Chair 2 – Low/ }).waitFor()
  await visitor.checkPage('tasks-bulk-preview')
  await press('Escape')
  await preview.waitFor({ state: 'detached' })
  assert.equal(await countLow(), 1, 'nothing changes before the confirmation')
  await press('p')
  await choose(page, 'Set priority', 'low')
  await preview.getByRole('button', { name: 'Change 24 tasks' }).press('Enter')
  await untilTrue(async () => (await countLow()) === 25, 'not all were changed')
  await page.getByText('25 tasks: priority low').waitFor()
  await press('Escape', 'z')
  await untilTrue(async () => (await countLow()) === 1, 'not all were undone')
  visitor.assertNoProblems()
})

test('changes that the server would refuse are shown in the preview', { skip }, async () => {
  await web.ann.call('create_project', { name: 'Shut', key: 'SHT' })
  await web.ann.call('create_task', { project_id: 'SHT', title: 'Sealed', priority: 'high' })
  await web.ann.call('archive_project', { project_id: 'SHT' })
  const { page, press } = await reopenFor(web, web.ann, '/tasks?project=MNY,SHT')
  await page.getByRole('row').filter({ hasText: 'Sealed' }).waitFor()
  await press('j', 'Control+a', 'p')
  await choose(page, 'Set priority', 'urgent')
  const preview = page.getByRole('dialog', { name: /^Before it changes/ })
  await preview.getByText('1 cannot be changed').waitFor()
  await preview.getByRole('row', { name: /SHT-1 Sealed .*archived/ }).waitFor()
})

test('a row menu lists its commands with keys, by keyboard and by pointer', {
  skip,
}, async () => {
  const { visitor, page, press } = await openFor(web, web.ann, '/tasks?project=MNY')
  const row = page.getByRole('row').filter({ hasText: 'Chair 7' })
  await row.waitFor()
  await row.focus()
  await press('Shift+F10')
  const menu = page.getByRole('combobox', { name: 'Do with the task…' })
  await menu.waitFor()
  await visitor.checkPage('tasks-row-menu')
  await page.keyboard.type('priority')
  await press('Enter')
  await choose(page, 'Set priority', 'urgent')
  const readPriority = async () => (await web.ann.call('get_task', { task_id: 'MNY-7' })).priority
  await untilTrue(
    async () => (await readPriority()) === 'urgent',
    'the menu did not lead to the list',
  )
  await row.hover()
  await row.getByRole('button', { name: 'Actions for MNY-7' }).click()
  await page.getByRole('option', { name: /Move to trash/ }).click()
  await row.waitFor({ state: 'detached' })
  await page.getByText('MNY-7: moved to the trash').waitFor()
  await press('z')
  await row.waitFor()
  await row.click({ button: 'right', position: { x: 700, y: 10 } })
  await menu.waitFor()
  visitor.assertNoProblems()
})

test('of more tasks than one request takes, those that were left out are reported', {
  skip,
}, async () => {
  await web.ann.call('create_project', { name: 'Big', key: 'BIG' })
  for (const count of [100, 100])
    await web.ann.call('bulk_create_tasks', {
      project_id: 'BIG',
      tasks: Array.from({ length: count }, (_, n) => ({ title: `Brick ${n}` })),
    })
  await web.ann.call('create_project', { name: 'Shut again', key: 'SHA' })
  await web.ann.call('create_task', { project_id: 'SHA', title: 'Locked', priority: 'high' })
  await web.ann.call('archive_project', { project_id: 'SHA' })
  const { page, press } = await reopenFor(web, web.ann, '/tasks?project=BIG,SHA')
  await page.getByRole('row').filter({ hasText: 'Locked' }).waitFor()
  await press('j', 'Control+a')
  await page.getByRole('toolbar').getByText('201 selected').waitFor()
  await press('p')
  await choose(page, 'Set priority', 'urgent')
  const preview = page.getByRole('dialog', { name: /^Before it changes/ })
  await preview.getByRole('button', { name: /^Change 20\d tasks/ }).press('Enter')
  await page.getByText('1 task was not changed').waitFor()
  const { items: unchanged } = await web.ann.call('list_tasks', {
    project_id: 'BIG',
    priority: 'none',
  })
  assert.deepEqual(unchanged, [])
})
