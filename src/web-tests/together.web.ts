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
const deeds = 40
const statuses = ['Backlog', 'To do', 'In progress', 'In review', 'Done']
const priorities = {
  urgent: 'Urgent',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  none: 'No priority',
}
const project = 'MIX'
let web: Web

before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  await web.ann.call('create_project', { name: 'Mix', key: project, member_ids: [web.bob.id] })
  await web.ann.call('bulk_create_tasks', {
    project_id: project,
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
  const isThere = await field.waitFor({ timeout: 20_000 }).then(
    () => true,
    () => false,
  )
  if (!isThere) return
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
  if (await field.isVisible()) await page.keyboard.press('Escape')
}

/** Performs random keyboard actions on the board. */
async function work(page: Page, random: Random, name: string): Promise<void> {
  for (let done = 0; done < deeds; done++) {
    for (let steps = Math.floor(random.next() * 4); steps >= 0; steps--)
      await page.keyboard.press(random.pick(['j', 'j', 'k']))
    const deed = random.pick(['right', 'right', 'left', 'priority', 'me', 'create', 'undo'])
    if (deed === 'right') await page.keyboard.press('Alt+Shift+ArrowRight')
    else if (deed === 'left') await page.keyboard.press('Alt+Shift+ArrowLeft')
    else if (deed === 'priority')
      await chooseIn(page, 'p', random.pick(['urgent', 'high', 'medium', 'low']))
    else if (deed === 'me') await page.keyboard.press('i')
    else if (deed === 'undo') await page.keyboard.press('z')
    else {
      await page.keyboard.press('c')
      await page.getByRole('textbox', { name: 'Task' }).waitFor()
      await page.keyboard.type(`${name} ${done} #${project}`)
      await page.getByRole('button', { name: 'Create' }).and(page.locator(':enabled')).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('textbox', { name: 'Task' }).waitFor({ state: 'detached' })
    }
  }
}

/** Acts as an assistant with its key until the people are done; returns the number of actions. */
async function assist(key: string, random: Random, over: AbortSignal): Promise<number> {
  const ask = async (method: string, path: string, body: object) => {
    const answer = await fetch(`${web.url}/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.text()}`)
  }
  let done = 0
  for (; !over.aborted || done < deeds; done++) {
    const path = `tasks/${project}-${1 + Math.floor(random.next() * 12)}`
    const change = random.pick([
      { title: `Part, round ${done}` },
      { status: random.pick(statuses) },
      { priority: random.pick(Object.keys(priorities)) },
      { points: Math.floor(random.next() * 8) },
    ])
    if (random.next() < 0.1)
      await ask('POST', 'tasks', { project_id: project, title: `By key ${done}` })
    else await ask('PATCH', path, change)
    await new Promise((next) => setTimeout(next, 300 * random.next()))
  }
  return done
}

type Seen = Record<string, readonly string[]>

const columns = ['title', 'status', 'priority', 'assignees', 'points'] as const

/** Columns that a table shows of each task. */
const seenOn = (page: Page): Promise<Seen> =>
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
async function there(person: Someone): Promise<Seen> {
  const all: Record<string, string[]> = {}
  let cursor: string | undefined
  do {
    const page = await person.call('list_tasks', {
      project_id: project,
      limit: 100,
      ...(cursor === undefined ? {} : { cursor }),
    })
    for (const task of page.items)
      all[task.key] = [
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
  return all
}

test('after many random actions by two people and an assistant, both see the list_tasks result without a reload', {
  skip,
}, async (t) => {
  const { key } = await web.keyFor(web.ann, { name: 'Helper' })
  const board = `/tasks?project=${project}&layout=board&closed=true`
  const ann = await openFor(web, web.ann, board)
  const bob = await openFor(web, web.bob, board)
  for (const { page } of [ann, bob]) await page.getByText('Part 1', { exact: true }).waitFor()
  const over = new AbortController()
  const assisted = assist(key, randomFrom(3), over.signal)
  await Promise.all([
    work(ann.page, randomFrom(1), 'Of Ann'),
    work(bob.page, randomFrom(2), 'Of Bob'),
  ])
  over.abort()
  t.diagnostic(`the assistant made ${await assisted} changes`)
  for (const { page, press } of [ann, bob]) {
    await page.setViewportSize({ width: 1440, height: 8000 }) // every row is drawn
    await press('Escape', '3')
    await page.locator('[data-task] [data-column="points"]').first().waitFor()
  }
  const views = async () => [await seenOn(ann.page), await seenOn(bob.page)]
  const isEqual = async () => {
    const now = await there(web.ann)
    return (await views()).every((seen) => isDeepStrictEqual(sorted(seen), sorted(now)))
  }
  await untilTrue(isEqual, 'not equal').catch(() => undefined) // then it is said in what they differ
  const [now, [ofAnn, ofBob]] = [await there(web.ann), await views()]
  assert.deepEqual(sorted(ofAnn), sorted(now))
  assert.deepEqual(sorted(ofBob), sorted(now))
  assert.deepEqual(sorted(await there(web.bob)), sorted(now))
  assert.ok(Object.keys(now).length > 12, 'nothing was made')
  ann.visitor.well()
  bob.visitor.well()
})

const sorted = (seen: Seen | undefined) =>
  Object.entries(seen ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))
