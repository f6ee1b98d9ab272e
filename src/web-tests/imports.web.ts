// Imports of tasks, pages and channels from files of other programs.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { zipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { Queue } from '../jobs/queue.ts'
import { slackZip } from '../modules/chat/testing.ts'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { reopenFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  await web.ann.call('create_project', { name: 'Shop', key: 'SHOP', member_ids: [web.bob.id] })
})
after(() => web?.close())

const listTasks = async () =>
  (await web.ann.call('list_tasks', { project_id: 'SHOP', limit: 100 })).items as {
    title: string
    status: string
    assignees: { title: string }[]
    labels: { title: string }[]
  }[]

/** Runs a command from the command menu. */
async function runCommand(page: Page, name: string) {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  await page.keyboard.type(name)
  await page.getByRole('option', { name: `${name}…` }).waitFor()
  await page.keyboard.press('Enter')
}

test('by keyboard: tasks are pasted, their columns, statuses and people mapped, previewed, imported and undone', {
  skip,
}, async () => {
  const { visitor, page, press } = await reopenFor(web, web.ann, '/projects/SHOP')
  await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor()
  await runCommand(page, 'Import tasks')
  const dialog = page.getByRole('dialog', { name: 'Import tasks' })
  const text = dialog.getByRole('textbox', { name: 'Or paste its text' })
  await text.focus()
  await page.keyboard.insertText(
    'What,Stage,Who,Tags,Until\nPay by card,Parked,Bobby,web,2030-03-15\n,Todo,,,\nShip it,Done,bob@acme.test,,someday\n',
  )
  await dialog.getByText('None of the columns is named like a title.').waitFor()
  const title = dialog.getByRole('combobox', { name: 'Title' })
  await title.selectOption('What')
  const column = (name: string) => dialog.getByRole('combobox', { name, exact: true })
  await column('Stage').waitFor()
  assert.equal(await column('Stage').inputValue(), '')
  await column('Stage').selectOption('Status')
  await column('Who').selectOption('People')
  await column('Until').selectOption('Due date')
  await column('Parked (1 task)').waitFor()
  await column('Parked (1 task)').selectOption('In progress')
  await column('Bobby (1 task)').selectOption('Bob')
  const line = dialog.getByRole('row').filter({ hasText: 'Pay by card' })
  await line.filter({ hasText: 'In progress' }).filter({ hasText: 'Bob' }).waitFor()
  await dialog.getByText('Line 3: The title is missing.').waitFor()
  await dialog.getByText(/Due date "someday" could not be read/).waitFor()
  assert.equal((await listTasks()).length, 0, 'something was written before the import')
  await visitor.checkPage('import-tasks')
  await dialog.getByRole('button', { name: 'Import 2 tasks' }).press('Enter')
  await dialog.getByRole('status').filter({ hasText: '2 tasks imported into Shop' }).waitFor()
  await dialog.getByRole('link', { name: /Pay by card/ }).waitFor()
  await visitor.checkPage('import-tasks-made')
  const imported = await listTasks()
  assert.deepEqual(
    imported
      .map((task) => [task.title, task.status, task.assignees.map((person) => person.title)])
      .sort(),
    [
      ['Pay by card', 'In progress', ['Bob']],
      ['Ship it', 'Done', ['Bob']],
    ],
  )
  await dialog.getByRole('link', { name: 'Tasks of Shop' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('row').filter({ hasText: 'Pay by card' }).waitFor()
  await press('z')
  await untilTrue(async () => (await listTasks()).length === 0, 'z did not undo the import')
  visitor.assertNoProblems()
})

test('a large task file is uploaded, imported by a job with progress, and undone as a whole', {
  skip,
}, async () => {
  const { visitor, page } = await reopenFor(web, web.ann, '/tasks')
  await page.getByRole('button', { name: 'Display' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Import tasks…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Import tasks' })
  await dialog.getByLabel('File').setInputFiles({
    name: 'many.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      `Title,Description\n${Array.from({ length: 250 }, (_, n) => `Task ${n},${'x'.repeat(2500)}\n`).join('')}`,
    ),
  })
  await dialog.getByRole('button', { name: 'Import 250 tasks' }).press('Enter')
  await dialog.getByText('The import goes on when you close this').waitFor()
  await new Queue(web.app).drain()
  await dialog.getByText('250 tasks imported into Shop').waitFor()
  const trashed = async () =>
    (await web.ann.call('list_trash', {})).items.map(
      (entry: { item: { title: string } }) => entry.item.title,
    )
  await untilTrue(
    async () => (await trashed()).includes('many.csv'),
    'the file is still in the drive',
  )
  await visitor.checkPage('import-tasks-job')
  await dialog.getByRole('button', { name: 'Undo the import' }).press('Enter')
  await untilTrue(async () => (await listTasks()).length === 0, 'the import was not undone')
  visitor.assertNoProblems()
})

test('a person without an editable project is told so before anything is written', {
  skip,
}, async () => {
  await web.ann.call('create_project', { name: 'Closed', key: 'CLO' })
  const { visitor, page } = await reopenFor(web, web.carol, '/tasks')
  await runCommand(page, 'Import tasks')
  const dialog = page.getByRole('dialog', { name: 'Import tasks' })
  await dialog.getByText('there is none that you can see yet').waitFor()
  visitor.assertNoProblems()
})

const listPages = async () =>
  (await web.ann.call('list_pages', { limit: 100 })).items as { id: string; title: string }[]
const pageNamed = async (title: string) => {
  const match = (await listPages()).find((page) => page.title === title)
  return web.ann.call('get_page', { page_id: match?.id ?? title })
}

const encode = (content: string) => new TextEncoder().encode(content)

test('pages of a zip are previewed, keep their hierarchy and links, and are undone with one z', {
  skip,
}, async () => {
  const { visitor, page, press } = await reopenFor(web, web.ann, '/pages')
  await page.getByRole('button', { name: 'Import pages…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Import pages' })
  await dialog.getByLabel('File').setInputFiles({
    name: 'wiki.zip',
    mimeType: 'application/zip',
    buffer: Buffer.from(
      zipSync({
        'Wiki/Handbook.md': encode('# Handbook\n\nSee [holidays](Handbook/Holidays.md).'),
        'Wiki/Handbook/Holidays.md': encode('# Holidays\n\n25 days.'),
        'Wiki/tool.exe': encode('MZ'),
      }),
    ),
  })
  await dialog.getByText('2 pages will be made, 1 file left out').waitFor()
  await dialog.getByText(/tool\.exe: /).waitFor()
  await dialog.getByLabel('Who can see it').selectOption('Everyone in the organization')
  await dialog.getByRole('button', { name: 'Import 2 pages' }).waitFor()
  assert.deepEqual(await listPages(), [])
  await visitor.checkPage('import-pages')
  await dialog.getByRole('button', { name: 'Import 2 pages' }).press('Enter')
  await dialog.getByRole('link', { name: 'Holidays' }).waitFor()
  await visitor.checkPage('import-pages-made')
  const handbook = await pageNamed('Handbook')
  assert.match(handbook.body_markdown, /\[holidays\]\(\/pages\/pag_/)
  assert.equal(handbook.visibility, 'organization')
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().press('Enter')
  await page.getByRole('treeitem', { name: 'Handbook' }).waitFor()
  await press('z')
  await untilTrue(async () => (await listPages()).length === 0, 'z did not undo the import')
  visitor.assertNoProblems()
})

test('a page is pasted below another one from its command menu, and a page without a heading is named after its file', {
  skip,
}, async () => {
  const { id } = await web.ann.call('create_page', { title: 'Team', visibility: 'organization' })
  const { visitor, page } = await reopenFor(web, web.ann, `/pages/${id}`)
  await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor()
  await runCommand(page, 'Import pages')
  const dialog = page.getByRole('dialog', { name: 'Import pages' })
  assert.equal(await dialog.getByLabel('Where they go').inputValue(), id)
  await dialog.getByRole('textbox', { name: 'Or paste its text' }).focus()
  await page.keyboard.insertText('# Rota\n\nWho is when.')
  await dialog.getByRole('button', { name: 'Import 1 page' }).press('Enter')
  await dialog.getByRole('link', { name: 'Rota' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Rota' }).waitFor()
  assert.equal((await pageNamed('Rota')).parent.id, id)

  await runCommand(page, 'Import pages')
  await dialog.getByLabel('File').setInputFiles({
    name: 'Minutes of May.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('We met.'),
  })
  await dialog.getByRole('listitem').filter({ hasText: 'Minutes of May' }).waitFor()
  await dialog.getByRole('button', { name: 'Import 1 page' }).press('Enter')
  await dialog.getByRole('link', { name: 'Minutes of May' }).waitFor()
  visitor.assertNoProblems()
})

const listChannels = async () =>
  (await web.ann.call('list_channels', { joined: true, limit: 100 })).items as {
    id: string
    name: string
  }[]
const channelNames = async () => (await listChannels()).map(({ name }) => name).sort()

test('channels of a Slack export are selected and their people mapped, a job imports them, and one undo reverts all of it', {
  skip,
}, async () => {
  await web.ann.call('create_channel', { name: 'general' })
  const { visitor, page } = await reopenFor(web, web.ann, '/chat')
  await page.getByRole('link', { name: 'general' }).waitFor()
  await runCommand(page, 'Import channels')
  const dialog = page.getByRole('dialog', { name: 'Import channels' })
  await dialog.getByLabel('File').setInputFiles({
    name: 'slack.zip',
    mimeType: 'application/zip',
    buffer: Buffer.from(slackZip()),
  })
  await dialog.getByText('2 channels with 5 messages will be imported').waitFor()
  await dialog.getByRole('row').filter({ hasText: '#general-slack' }).waitFor()
  await dialog.getByText('Direct messages are not imported.').waitFor()
  assert.equal(await dialog.getByRole('combobox', { name: 'Bob' }).inputValue(), web.bob.id)
  await dialog.getByRole('combobox', { name: 'Dana Elsewhere' }).selectOption('Carol')
  await dialog.getByRole('row').filter({ hasText: 'Bob, Carol' }).first().waitFor()
  await dialog.getByRole('checkbox', { name: 'Import secret' }).press('Space')
  await dialog.getByText('1 channel with 4 messages will be imported').waitFor()
  await visitor.checkPage('import-channels')
  assert.deepEqual(await channelNames(), ['general'])
  await dialog.getByRole('button', { name: 'Import 1 channel' }).press('Enter')
  await dialog.getByText('The import goes on when you close this').waitFor()
  await new Queue(web.app).drain()
  await dialog.getByRole('link', { name: '#general-slack' }).waitFor()
  await visitor.checkPage('import-channels-made')
  assert.deepEqual(await channelNames(), ['general', 'general-slack'])
  const [{ id }] = (await web.carol.call('list_channels', { joined: true })).items
  assert.equal((await web.carol.call('list_messages', { channel_id: id })).items.length, 3)
  await dialog.getByRole('button', { name: 'Undo the import' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await untilTrue(async () => (await channelNames()).length === 1, 'the channels were not removed')
  visitor.assertNoProblems()
})
