import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runAutomations } from '../modules/automations/testing.ts'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { choose, reopenFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  const { ann, bob } = web
  await ann.call('create_project', { name: 'Engineering', key: 'ENG', member_ids: [bob.id] })
  await ann.call('create_channel', { name: 'ops', member_ids: [bob.id] })
})
after(() => web?.close())

const listAutomations = async () => (await web.ann.call('list_automations', {})).items
const getAutomation = (id: string) => web.ann.call('get_automation', { automation_id: id })
const opsMessages = async (): Promise<string[]> =>
  (await web.ann.call('list_messages', { channel_id: '#ops' })).items.map(
    (item: { content: { text: string } }) => item.content.text,
  )

test('by keyboard: an automation is built as sentences, tested on past events, enabled, and runs', {
  skip,
}, async () => {
  const createUrgentTask = (title: string) =>
    web.bob.call('create_task', { project_id: 'ENG', title, priority: 'urgent' })
  await createUrgentTask('Fire')
  await web.bob.call('create_task', { project_id: 'ENG', title: 'Tea' })
  const { visitor, page, press } = await reopenFor(web, web.ann, '/')
  await press('g', 'j')
  await page.getByRole('heading', { name: 'No automations yet' }).waitFor()
  await visitor.checkPage('automations-empty')
  await press('c')
  await page.getByRole('textbox', { name: 'Name' }).waitFor()
  await page.keyboard.type('Urgent tasks go to the channel')
  await page.getByRole('button', { name: 'Event: task: created' }).waitFor()
  await page.getByRole('button', { name: 'Add condition' }).press('Enter')
  const condition = page.getByRole('group', { name: 'Condition 1' })
  await condition.getByRole('button', { name: /^Field/ }).press('Enter')
  await choose(page, 'Find a field', 'priority')
  await condition.getByRole('combobox', { name: 'Comparison' }).selectOption('is')
  await condition.getByRole('textbox', { name: 'Value' }).fill('urgent')
  await page.getByRole('button', { name: 'Add action' }).press('Enter')
  await choose(page, 'Find an action', 'send message')
  await page.getByRole('textbox', { name: 'Channel' }).fill('#ops')
  const body = page.getByRole('textbox', { name: 'Body' })
  await body.focus()
  await page.keyboard.type('Urgent: {{ item.tit')
  await page.getByRole('option', { name: 'item.title' }).waitFor()
  await press('Enter')
  await page.keyboard.type(' }}')
  await visitor.checkPage('automation-new')
  assert.deepEqual(await listAutomations(), [])
  await press('Control+s')
  await page.getByRole('button', { name: 'Turn on' }).waitFor()
  const [created] = await listAutomations()
  assert.deepEqual(
    [created.status, created.trigger, created.conditions, created.actions],
    [
      'disabled',
      { type: 'event', params: { event: 'task.created' } },
      [{ type: 'expression', expression: 'item.priority == "urgent"' }],
      [
        {
          type: 'send_message',
          params: { channel_id: '#ops', body_markdown: 'Urgent: {{ item.title }}' },
          on_error: 'stop',
        },
      ],
    ],
  )
  await press('Control+Enter')
  await page.getByText('It would have run on 1 of 2 events.').waitFor()
  await visitor.checkPage('automation-tested')
  assert.deepEqual(await opsMessages(), [], 'a test changes nothing')

  await press('Shift+E')
  await page.getByRole('button', { name: 'Turn off' }).waitFor()
  await createUrgentTask('Flood')
  await runAutomations(web)
  assert.deepEqual(await opsMessages(), ['Urgent: Flood'])
  const run = page.getByRole('region', { name: 'Runs' }).getByText('Succeeded', { exact: true })
  await run.waitFor()
  await run.click()
  await page.getByText('Send message').nth(1).waitFor()
  await visitor.checkPage('automation-run')
  visitor.assertNoProblems()
})

test('by keyboard: the effects of a run are undone as a whole, but not by people it is shared with', {
  skip,
}, async () => {
  const { ann, bob } = web
  const taskAction = (title: string) => ({
    type: 'create_task',
    params: { project_id: 'ENG', title },
  })
  const automation = await ann.call('create_automation', {
    name: 'Weekly chores',
    shared: true,
    trigger: { type: 'manual', params: {} },
    actions: [taskAction('Water the plants'), taskAction('Empty the bins')],
  })
  await ann.call('enable_automation', { automation_id: automation.id })
  await ann.call('run_automation', { automation_id: automation.id })
  await runAutomations(web)
  const chores = async () =>
    (await bob.call('list_tasks', { project_id: 'ENG' })).items.filter(({ title }: any) =>
      /plants|bins/.test(title),
    ).length
  assert.equal(await chores(), 2)

  const other = await reopenFor(web, bob, `/automations/${automation.id}`)
  await other.page.locator('summary').focus()
  await other.press('Enter')
  await other.page.getByRole('link', { name: /Water the plants/ }).waitFor()
  assert.equal(await other.page.getByRole('button', { name: 'Undo this run…' }).count(), 0)
  other.visitor.assertNoProblems()

  const { visitor, page, press } = await reopenFor(web, ann, `/automations/${automation.id}`)
  await page.getByText('Succeeded', { exact: true }).locator('xpath=..').focus()
  await press('Enter')
  await page.getByRole('button', { name: 'Undo this run…' }).focus()
  await press('Enter')
  await page.getByText(/Created task: .*Empty the bins/).waitFor()
  await visitor.checkPage('automation-run-undo')
  assert.equal(await chores(), 2, 'the preview undoes nothing')
  await press('Enter')
  await untilTrue(async () => (await chores()) === 0, 'the tasks are still there')
  await page.getByText('2 calls undone').waitFor()
  await page.getByRole('button', { name: 'Undo this run…' }).press('Enter')
  await page.getByText('Nothing that this run did can be undone').waitFor()
  visitor.assertNoProblems()
})

const definition = {
  name: 'What is late',
  trigger: { type: 'schedule', params: { cron: '0 9 * * 1', timezone: 'Europe/Berlin' } },
  conditions: [{ type: 'expression', expression: 'size(automation.name) > 3 && now != ""' }],
  actions: [
    {
      type: 'list_tasks',
      id: 'late',
      params: { overdue: true, limit: 50, fields: ['key', 'title'] },
      on_error: 'continue',
    },
    {
      type: 'branch',
      on_error: 'stop',
      params: {
        if: 'steps.late.items.size() == 0',
        then: [{ type: 'stop', params: { reason: 'nothing is late' }, on_error: 'stop' }],
      },
    },
    {
      type: 'for_each',
      on_error: 'stop',
      params: {
        items: 'steps.late.items',
        do: [
          {
            type: 'send_message',
            params: { channel_id: '#ops', body_markdown: 'Late:\n{{ each.title | plain_text }}' },
            on_error: 'stop',
          },
        ],
      },
    },
  ],
}

test('untouched parts stay as an assistant wrote them; concurrent saves of others are not overwritten', {
  skip,
}, async () => {
  const automation = await web.ann.call('create_automation', definition)
  const { visitor, page, press } = await reopenFor(web, web.ann, `/automations/${automation.id}`)
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await page.getByRole('textbox', { name: 'Body' }).waitFor()
  await visitor.checkPage('automation-nested')
  await name.fill('What is late, in words')
  await press('Control+s')
  await page.getByRole('button', { name: 'Discard changes' }).waitFor({ state: 'detached' })
  const { trigger, conditions, actions, name: savedName } = await getAutomation(automation.id)
  assert.equal(savedName, 'What is late, in words')
  assert.deepEqual({ ...definition, trigger, conditions, actions }, definition)

  await name.fill('Mine')
  await web.ann.call('update_automation', { automation_id: automation.id, shared: true })
  await press('Control+s')
  await page.getByRole('alert').waitFor()
  assert.equal((await getAutomation(automation.id)).name, 'What is late, in words')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('button', { name: 'Remove action 3', exact: true }).press('Enter')
  await page.getByRole('button', { name: 'Move action 2 up', exact: true }).press('Enter')
  await press('Control+s')
  await untilTrue(
    async () =>
      String((await getAutomation(automation.id)).actions.map(({ type }: any) => type)) ===
      'branch,list_tasks',
    'the actions did not change',
  )
  visitor.assertNoProblems()
})

test('a refusal shows the problem and keeps the input; a shared automation is read-only for others', {
  skip,
}, async () => {
  const automation = await web.ann.call('create_automation', {
    ...definition,
    name: 'Shared one',
    shared: true,
  })
  const { page, press, visitor } = await reopenFor(web, web.ann, `/automations/${automation.id}`)
  await page.getByRole('textbox', { name: 'Cron' }).fill('nonsense')
  await press('Control+s')
  await page.getByRole('alert').getByText(/cron/).waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Cron' }).inputValue(), 'nonsense')
  assert.deepEqual((await getAutomation(automation.id)).trigger, definition.trigger)
  await page.getByRole('button', { name: 'Discard changes' }).focus()
  await press('Escape')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /stay|cancel/i })
    .click()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  visitor.assertNoProblems()

  const other = await reopenFor(web, web.bob, '/automations')
  await other.page.getByRole('link', { name: /Shared one/ }).focus()
  await other.press('Enter')
  await other.page.getByText('Only its owner can change it.').waitFor()
  assert.equal(
    await other.page.getByRole('textbox', { name: 'Body' }).getAttribute('aria-readonly'),
    'true',
  )
  assert.equal(await other.page.getByRole('button', { name: 'Turn on' }).count(), 0)
  await other.visitor.checkPage('automation-of-others')
  other.visitor.assertNoProblems()

  await page.keyboard.press('#')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Automations' }).waitFor()
  assert.ok(!(await listAutomations()).some(({ id }: { id: string }) => id === automation.id))
  visitor.assertNoProblems()
})
