// Two people and an assistant on one board: in the end, all see the actual state.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import type { Someone } from '../testing/harness.ts'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor, randomFrom, type Random } from './steps.ts'

const skip = noChromium
/** Number of actions per person. */
const actionCount = 40
const statuses = ['Backlog', 'To do', 'In progress', 'In review', 'Done']
const priorities = {
  urgent: 'Urgent',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  none: 'No priority',
}
const projectKey = 'MIX'
let web: Web

before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  await web.ann.call('create_project', { name: 'Mix', key: projectKey, member_ids: [web.bob.id] })
  await web.ann.call('bulk_create_tasks', {
    project_id: projectKey,
    tasks: Array.from({ length: 12 }, (_, n) => ({
      title: `Part ${n + 1}`,
      status: statuses[n % 4],
    })),
  })
})
after(() => web?.close())

/** Chooses in the list that a key opens, if there is a task to open it for. */
async function chooseIn(page: Page, key: string, text: string): Promise<void> {
  await page.keyboard.press(key)
  const field = page.getByRole('combobox')
  const isOpen = await field.waitFor({ timeout: 20_000 }).then(
    () => true,
    () => false,
  )
  if (!isOpen) return
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
  if (await field.isVisible()) await page.keyboard.press('Escape')
}

/** Performs random keyboard actions on the board. */
async function actAtRandom(page: Page, random: Random, name: string): Promise<void> {
  for (let actionIndex = 0; actionIndex < actionCount; actionIndex++) {
    for (let steps = Math.floor(random.next() * 4); steps >= 0; steps--)
      await page.keyboard.press(random.pick(['j', 'j', 'k']))
    const action = random.pick(['right', 'right', 'left', 'priority', 'me', 'create', 'undo'])
    if (action === 'right') await page.keyboard.press('Alt+Shift+ArrowRight')
    else if (action === 'left') await page.keyboard.press('Alt+Shift+ArrowLeft')
    else if (action === 'priority')
      await chooseIn(page, 'p', random.pick(['urgent', 'high', 'medium', 'low']))
    else if (action === 'me') await page.keyboard.press('i')
    else if (action === 'undo') await page.keyboard.press('z')
    else {
      await page.keyboard.press('c')
      await page.getByRole('textbox', { name: 'Task' }).waitFor()
      await page.keyboard.type(`${name} ${actionIndex} #${projectKey}`)
      await page.getByRole('button', { name: 'Create' }).and(page.locator(':enabled')).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('textbox', { name: 'Task' }).waitFor({ state: 'detached' })
    }
  }
}

/** Acts as an assistant with its key until the people are done; returns the number of actions. */
async function assist(key: string, random: Random, signal: AbortSignal): Promise<number> {
  const callApi = async (method: string, path: string, body: object) => {
    const response = await fetch(`${web.url}/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.text()}`)
  }
  let count = 0
  for (; !signal.aborted || count < actionCount; count++) {
    const path = `tasks/${projectKey}-${1 + Math.floor(random.next() * 12)}`
    const change = random.pick([
      { title: `Part, round ${count}` },
      { status: random.pick(statuses) },
      { priority: random.pick(Object.keys(priorities)) },
      { points: Math.floor(random.next() * 8) },
    ])
    if (random.next() < 0.1)
      await callApi('POST', 'tasks', { project_id: projectKey, title: `By key ${count}` })
    else await callApi('PATCH', path, change)
    await new Promise((resolve) => setTimeout(resolve, 300 * random.next()))
  }
  return count
}

type TableState = Record<string, readonly string[]>

const columns = ['title', 'status', 'priority', 'assignees', 'points'] as const

/** Columns that a table shows of each task. */
const readTable = (page: Page): Promise<TableState> =>
  page.evaluate(
    (names) =>
      Object.fromEntries(
        [...document.querySelectorAll('[data-task]')].map((row) => {
          const textOf = (column: string) =>
            row.querySelector(`[data-column="${column}"]`)?.textContent?.trim() ?? ''
          return [
            /MIX-\d+/.exec(textOf('head'))?.[0] ?? '',
            names.map((name) =>
              name === 'assignees' ? textOf(name).split(', ').sort().join(', ') : textOf(name),
            ),
          ]
        }),
      ),
    columns,
  )

/** The state according to list_tasks. */
async function readServerState(person: Someone): Promise<TableState> {
  const state: Record<string, string[]> = {}
  let cursor: string | undefined
  do {
    const page = await person.call('list_tasks', {
      project_id: projectKey,
      limit: 100,
      ...(cursor === undefined ? {} : { cursor }),
    })
    for (const task of page.items)
      state[task.key] = [
        task.title,
        task.status,
        priorities[task.priority as keyof typeof priorities],
        task.assignees
          .map(({ title }: { title: string }) => title)
          .sort()
          .join(', '),
        String(task.points ?? ''),
      ]
    cursor = page.next_cursor
  } while (cursor !== undefined)
  return state
}

test('after many random actions by two people and an assistant, both see the list_tasks result without a reload', {
  skip,
}, async (t) => {
  const { key } = await web.keyFor(web.ann, { name: 'Helper' })
  const board = `/tasks?project=${projectKey}&layout=board&closed=true`
  const ann = await openFor(web, web.ann, board)
  const bob = await openFor(web, web.bob, board)
  for (const { page } of [ann, bob]) await page.getByText('Part 1', { exact: true }).waitFor()
  const controller = new AbortController()
  const assistantRun = assist(key, randomFrom(3), controller.signal)
  await Promise.all([
    actAtRandom(ann.page, randomFrom(1), 'Of Ann'),
    actAtRandom(bob.page, randomFrom(2), 'Of Bob'),
  ])
  controller.abort()
  t.diagnostic(`the assistant made ${await assistantRun} changes`)
  for (const { page, press } of [ann, bob]) {
    await page.setViewportSize({ width: 1440, height: 8000 }) // every row is drawn
    await press('Escape', '3')
    await page.locator('[data-task] [data-column="points"]').first().waitFor()
  }
  const readTables = async () => [await readTable(ann.page), await readTable(bob.page)]
  const isEqual = async () => {
    const serverState = await readServerState(web.ann)
    return (await readTables()).every((table) =>
      isDeepStrictEqual(sorted(table), sorted(serverState)),
    )
  }
  await untilTrue(isEqual, 'not equal').catch(() => undefined) // the comparisons below show the difference
  const [now, [annsTable, bobsTable]] = [await readServerState(web.ann), await readTables()]
  assert.deepEqual(sorted(annsTable), sorted(now))
  assert.deepEqual(sorted(bobsTable), sorted(now))
  assert.deepEqual(sorted(await readServerState(web.bob)), sorted(now))
  assert.ok(Object.keys(now).length > 12, 'nothing was made')
  ann.visitor.assertNoProblems()
  bob.visitor.assertNoProblems()
})

const sorted = (state: TableState | undefined) =>
  Object.entries(state ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))
