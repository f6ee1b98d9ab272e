import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { choose, dayAhead } from './steps.ts'
import { noChromium, openWeb, type Web } from './setup.ts'

const skip = noChromium
let web: Web
let serial = 0
/** The key of a test's project: each test has its own. */
let projectKey: string

before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())
beforeEach(async () => {
  if (skip) return
  projectKey = `PLN${++serial}`
  await web.ann.call('create_project', {
    name: `Plan ${serial}`,
    key: projectKey,
    member_ids: [web.bob.id],
  })
})

const createTask = (title: string, fields: object = {}) =>
  web.ann.call('create_task', { project_id: projectKey, title, ...fields })

/** Opens a page for ann, who then uses only the keyboard. */
async function openPage(path: string) {
  const visitor = await web.visit(web.ann)
  await visitor.go(path)
  const press = async (...keys: string[]) => {
    for (const key of keys) await visitor.page.keyboard.press(key)
  }
  return { visitor, page: visitor.page, press }
}

test('by keyboard: a project is found in the list, opened, and its tabs are visited', {
  skip,
}, async () => {
  await createTask('Draw the plan')
  await createTask('Sign the plan', { due_at: '2026-01-02' })
  const { visitor, page, press } = await openPage('/')
  await press('g', 'p')
  const line = page.getByRole('link', { name: new RegExp(projectKey) })
  await line.waitFor()
  await visitor.checkPage('projects')
  await line.focus()
  await press('Enter')
  await page.getByRole('heading', { level: 1, name: `Plan ${serial}`, exact: true }).waitFor()
  await page.getByText('0 of 2 tasks done').waitFor()
  await visitor.checkPage('project-overview')
  await press('}')
  await page.getByRole('row').filter({ hasText: 'Draw the plan' }).waitFor()
  await visitor.checkPage('project-tasks')
  await press('2')
  await page.getByRole('region', { name: 'To do' }).waitFor()
  assert.match(page.url(), new RegExp(`/projects/${projectKey}/tasks\\?layout=board`))
  await press('}')
  await page.getByRole('heading', { name: 'No sprint is planned' }).waitFor()
  await visitor.checkPage('sprints-empty')
  await press('}')
  await page.getByRole('heading', { name: 'No milestones' }).waitFor()
  await press('}')
  await page.getByText('Draw the plan').first().waitFor()
  await visitor.checkPage('project-activity')
  visitor.assertNoProblems()
})

test('a project is edited in place: name, lead, end, state, and an update that sets its health', {
  skip,
}, async () => {
  const { visitor, page, press } = await openPage(`/projects/${projectKey}`)
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Greenhouse')
  await press('Enter')
  await page
    .getByRole('button', { name: 'Active' })
    .or(page.getByRole('button', { name: 'Planned' }))
    .first()
    .focus()
  await press('Enter')
  await page.getByRole('combobox', { name: 'Status' }).waitFor()
  await press('Escape')
  await page.getByRole('button', { name: 'Write an update' }).focus()
  await press('Enter')
  await page.keyboard.type('The glass is late.')
  await page.getByRole('button', { name: 'Off track' }).focus()
  await press('Space')
  await visitor.checkPage('project-update')
  await page.getByRole('button', { name: 'Post update' }).focus()
  await press('Enter')
  await page.getByText('The glass is late.').waitFor()
  const end = page.locator('dl > div').filter({ has: page.getByText('End', { exact: true }) })
  await end.getByRole('button').focus()
  await press('Enter')
  await choose(page, 'End', '2026-12-24')
  await end.getByText('24 Dec').waitFor()
  const getProject = () => web.ann.call('get_project', { project_id: projectKey })
  await untilTrue(
    async () => (await getProject()).ends_on === '2026-12-24',
    'the end did not arrive',
  )
  assert.deepEqual(
    [(await getProject()).name, (await getProject()).health],
    ['Greenhouse', 'off_track'],
  )
  await page.getByText('end 24 Dec').waitFor() // it can be undone once it is confirmed
  await press('z')
  await untilTrue(async () => (await getProject()).ends_on === undefined, 'nothing was undone')
  visitor.assertNoProblems()
})

test('a milestone is created, tasks are assigned to it by keyboard, and it shows their progress', {
  skip,
}, async () => {
  const task = await createTask('Lay the floor')
  const { visitor, page, press } = await openPage(`/projects/${projectKey}/milestones`)
  await page.getByRole('heading', { name: 'No milestones' }).waitFor()
  await visitor.checkPage('milestones-empty')
  await press('Shift+N')
  await page.getByRole('textbox', { name: 'Name' }).waitFor()
  await page.keyboard.type('Roof is on')
  await page.getByLabel('Due').fill('2026-12-30')
  await press('Enter')
  await page.getByRole('link', { name: 'Roof is on' }).waitFor()
  const firstMilestone = async () =>
    (await web.ann.call('list_milestones', { project_id: projectKey })).items[0]
  await untilTrue(
    async () => (await firstMilestone())?.due_on === '2026-12-30',
    'no milestone was made',
  )
  await press('{', '{')
  await page.getByRole('row').filter({ hasText: 'Lay the floor' }).waitFor()
  await press('j', 'Shift+G')
  await choose(page, 'Set milestone', 'roof')
  await press('e')
  const getTask = () => web.ann.call('get_task', { task_id: task.id })
  await untilTrue(
    async () => (await getTask()).milestone?.title === 'Roof is on',
    'it has no milestone',
  )
  await untilTrue(async () => (await getTask()).status_category === 'done', 'it is not done')
  await press('}', '}')
  await page.getByText('100 %').waitFor()
  await visitor.checkPage('milestones')
  await page.getByRole('button', { name: 'Roof is on is reached' }).click()
  await page.getByText('Reached', { exact: true }).waitFor()
  await untilTrue(async () => (await firstMilestone())?.status === 'reached', 'it was not reached')
  const link = page.getByRole('link', { name: 'Roof is on' })
  await link.focus()
  await press('#')
  await link.waitFor({ state: 'detached' })
  await untilTrue(async () => (await firstMilestone()) === undefined, 'it is still there')
  await press('z')
  await link.waitFor()
  await untilTrue(
    async () => (await firstMilestone())?.status === 'reached',
    'it was not brought back',
  )
  await page.getByRole('button', { name: 'Delete Roof is on' }).click()
  await untilTrue(async () => (await firstMilestone()) === undefined, 'the button deletes nothing')
  visitor.assertNoProblems()
})

test('changes by a colleague appear on the project page without a reload', {
  skip,
}, async () => {
  const { page } = await openPage('/projects')
  await page.getByRole('link', { name: new RegExp(projectKey) }).waitFor()
  await web.ann.call('update_project', { project_id: projectKey, name: `Renamed ${projectKey}` })
  await page.getByText(`Renamed ${projectKey}`).waitFor()
  await web.ann.call('create_project', { name: `Newcomer ${projectKey}` })
  await page.getByText(`Newcomer ${projectKey}`).waitFor()
})

test('by keyboard: a sprint is created, planned from the backlog, started, and completed with the rest carried over', {
  skip,
}, async () => {
  const tasks = [
    await createTask('First step', {
      points: 3,
      assignee_ids: [web.bob.id],
      estimate_minutes: 120,
    }),
    await createTask('Second step', { points: 5 }),
    await createTask('Third step'),
  ]
  const { visitor, page, press } = await openPage(`/projects/${projectKey}/sprints`)
  await page.getByRole('heading', { name: 'No sprint is planned' }).waitFor()
  await press('Shift+N')
  await page.getByRole('textbox', { name: 'Name' }).waitFor()
  await press('Enter')
  const sprint = page.getByRole('region', { name: 'Sprint 1' })
  const backlog = page.getByRole('region', { name: 'Backlog' })
  await sprint.waitFor()
  await backlog.getByText('First step').waitFor()
  await press('j', 'Alt+Shift+ArrowRight')
  await sprint.getByText('First step').waitFor()
  await backlog.getByRole('link', { name: 'Second step' }).waitFor()
  await press('Alt+Shift+ArrowRight')
  await sprint.getByText('2 tasks · 8 points · 2 h').waitFor()
  await page.getByText(/^2 of \d+ h$/).waitFor()
  await visitor.checkPage('sprint-planning')
  const sprintOf = async (n: number) =>
    (await web.ann.call('get_task', { task_id: tasks[n]?.id })).sprint?.title
  await untilTrue(async () => (await sprintOf(1)) === 'Sprint 1', 'it was not planned')
  await press('Shift+X')
  const currentSprint = async () =>
    (await web.ann.call('list_sprints', { project_id: projectKey })).items[0]
  await untilTrue(async () => (await currentSprint())?.status === 'active', 'it was not started')
  await page.getByRole('button', { name: 'Complete sprint' }).waitFor()
  await sprint.getByRole('link', { name: 'First step' }).focus()
  await press('e')
  await untilTrue(
    async () =>
      (await web.ann.call('get_task', { task_id: tasks[0]?.id })).status_category === 'done',
    'it is not done',
  )
  await press('Shift+X')
  const dialog = page.getByRole('dialog', { name: 'Complete Sprint 1' })
  await dialog.getByText('1 task is done, 1 is not.').waitFor()
  await dialog.getByText('Second step').waitFor()
  await visitor.checkPage('sprint-complete')
  await dialog.getByRole('button', { name: 'Complete sprint' }).focus()
  await press('Enter')
  await backlog.waitFor({ state: 'detached' })
  await untilTrue(
    async () => (await currentSprint())?.status === 'completed',
    'it was not completed',
  )
  assert.equal(await sprintOf(1), undefined, 'what was not done went to the backlog')
  await page.getByRole('link', { name: /Sprint 1/ }).focus()
  await press('Enter')
  await page.getByRole('img', { name: /^Work left, in points/ }).waitFor()
  await visitor.checkPage('sprint-page')
  await page.getByRole('button', { name: 'Show as a table' }).focus()
  await press('Enter')
  const report = await web.ann.call('get_sprint_report', { sprint_id: (await currentSprint())?.id })
  const rowTexts = await page.getByRole('row').allInnerTexts()
  assert.deepEqual(
    rowTexts.slice(1).map((line) => line.split('\t')[1]),
    report.burndown.map(({ remaining }: { remaining: number }) => String(remaining)),
  )
  visitor.assertNoProblems()
})

test('by pointer: a task is dragged into the sprint and returned by its arrow', {
  skip,
}, async () => {
  const task = await createTask('Drag me')
  await web.ann.call('create_sprint', {
    project_id: projectKey,
    name: 'By hand',
    starts_on: '2027-01-04',
    ends_on: '2027-01-15',
  })
  const { page, visitor } = await openPage(`/projects/${projectKey}/sprints`)
  const sprint = page.getByRole('region', { name: 'By hand' })
  await page.getByText('Drag me').dragTo(sprint)
  await sprint.getByText('Drag me').waitFor()
  const sprintTitle = async () =>
    (await web.ann.call('get_task', { task_id: task.id })).sprint?.title
  await untilTrue(async () => (await sprintTitle()) === 'By hand', 'it was not planned')
  await sprint.getByRole('button', { name: /back to the backlog/ }).click()
  await page.getByRole('region', { name: 'Backlog' }).getByText('Drag me').waitFor()
  await untilTrue(async () => (await sprintTitle()) === undefined, 'it was not taken out')
  visitor.assertNoProblems()
})

test('by keyboard: timeline bars are moved and resized, and show dependencies', {
  skip,
}, async () => {
  const first = await createTask('Pour concrete', { start_at: dayAhead(1), due_at: dayAhead(5) })
  const second = await createTask('Raise walls', { start_at: dayAhead(3), due_at: dayAhead(9) })
  const third = await createTask('Choose paint')
  await web.ann.call('add_task_dependency', { task_id: second.id, other_task_id: first.id })
  const { visitor, page, press } = await openPage(`/projects/${projectKey}/tasks`)
  await page.getByRole('row').filter({ hasText: 'Choose paint' }).waitFor()
  await press('4')
  await page.getByRole('grid', { name: 'Timeline' }).waitFor()
  await page.locator('path[data-late]').waitFor({ state: 'attached' }) // it begins before the other ends
  await visitor.checkPage('timeline')
  const datesOf = async (id: string) => {
    const { start_on, due_on } = await web.ann.call('get_task', { task_id: id })
    return [start_on, due_on]
  }
  await page.getByRole('row').filter({ hasText: 'Raise walls' }).focus()
  await press('Shift+ArrowRight', 'Control+Shift+ArrowRight', '+')
  await untilTrue(
    async () => String(await datesOf(second.id)) === String([dayAhead(11), dayAhead(18)]),
    'it was not moved',
  )
  await page.locator('path[data-late]').waitFor({ state: 'detached' })
  const undated = page.getByRole('row').filter({ hasText: 'Choose paint' })
  await undated.focus()
  await undated.and(page.locator('[data-cursor]')).waitFor()
  await press('Shift+ArrowRight')
  await undated.locator('span[data-category]').waitFor() // its bar, before the server has it
  let days: (string | undefined)[] = []
  await untilTrue(
    async () => {
      days = await datesOf(third.id)
      return days[1] === dayAhead(0)
    },
    () => `it was not scheduled for today but for ${days}`,
  )
  await press('v')
  await page.getByRole('button', { name: 'Quarter', pressed: true }).waitFor()
  const bar = page
    .getByRole('row')
    .filter({ hasText: 'Pour concrete' })
    .locator('[data-category]')
    .last()
  const box = await bar.boundingBox()
  assert.ok(box)
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2 + 50, box.y + box.height / 2, { steps: 4 })
  await page.mouse.up()
  await untilTrue(
    async () => String(await datesOf(first.id)) === String([dayAhead(11), dayAhead(15)]),
    'it was not dragged ten days on',
  )
  visitor.assertNoProblems()
})

test('in the calendar a task is moved to another day by keyboard and by dragging, and out of it again', {
  skip,
}, async () => {
  const monthPrefix = dayAhead(0).slice(0, 8)
  const task = await createTask('Water the plants', { due_at: `${monthPrefix}10` })
  await createTask('Some day')
  const { visitor, page, press } = await openPage(`/projects/${projectKey}/tasks`)
  await page.getByRole('row').filter({ hasText: 'Some day' }).waitFor()
  await press('5')
  const entry = page.getByRole('button', { name: 'Water the plants' })
  await entry.waitFor()
  await visitor.checkPage('calendar')
  const dueOn = async (id: string) => (await web.ann.call('get_task', { task_id: id })).due_on
  await press('j', 'Shift+ArrowRight')
  await untilTrue(async () => (await dueOn(task.id)) === `${monthPrefix}11`, 'it was not moved')
  const dayOf = (number: number) => page.getByRole('region', { name: new RegExp(` ${number} `) })
  await entry.dragTo(page.getByRole('region', { name: 'No date' }))
  await untilTrue(async () => (await dueOn(task.id)) === undefined, 'it still has a date')
  await page.getByRole('button', { name: 'Some day' }).dragTo(dayOf(12).first())
  await dayOf(12).getByRole('button', { name: 'Some day' }).first().waitFor()
  await press('n')
  await page.getByRole('button', { name: 'Some day' }).waitFor({ state: 'detached' })
  await press('v')
  await page.getByRole('button', { name: 'Week', pressed: true }).waitFor()
  visitor.assertNoProblems()
})
