// Every page shows changes by others, regardless of the event stream's state, without a reload.

import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Someone } from '../testing/harness.ts'
import { untilTrue } from '../testing/limits.ts'
import { messageText } from '../testing/mail/setup.ts'
import { noMail } from '../testing/servers/daemons.ts'
import { openWebWithMail, type WebWithMail } from './mail-server.ts'
import { noChromium, openWeb, type Visitor, type Web } from './setup.ts'
import { dayAhead } from './steps.ts'
import { gateStream, type StreamGate } from './stream-gate.ts'

const skip = noChromium
let web: Web
let rig: WebWithMail | undefined

interface Screen {
  path: string
  /** Makes a change so that a text appears on the page; a different one each time. */
  makeAppear(text: string): Promise<unknown>
  /** Person who looks; default: ann. */
  viewer?: Someone
  /** Steps the screen needs before it shows the text. */
  prepare?(page: Page): Promise<void>
}

const screens = new Map<string, () => Promise<Screen>>()
const defineScreen = (name: string, create: () => Promise<Screen>) => screens.set(name, create)
const pathOf = ({ url }: { url: string }) => new URL(url).pathname

before(async () => {
  if (skip) return
  if (!noMail) {
    rig = await openWebWithMail()
    await rig.connect(rig.web.ann, 'alice')
  }
  web = rig?.web ?? (await openWeb(undefined, { limits: false }))
  const members = [web.bob.id, web.carol.id]
  await web.ann.call('create_project', { name: 'Live', key: 'LIV', member_ids: members })
  await web.ann.call('create_project', { name: 'Noise', key: 'NOI', member_ids: members })
  await web.bob.call('create_task', {
    project_id: 'LIV',
    title: 'First',
    start_at: dayAhead(0),
    due_at: dayAhead(3),
  })
  await web.bob.call('bulk_create_tasks', {
    project_id: 'NOI',
    tasks: Array.from({ length: 100 }, (_, n) => ({ title: `Noise ${n}` })),
  })
})
after(() => (rig ?? web)?.close())

const renameTask = (title: string) => web.bob.call('update_task', { task_id: 'LIV-1', title })
defineScreen('task', async () => ({ path: '/tasks/LIV-1', makeAppear: renameTask }))
for (const layout of ['list', 'board', 'table', 'timeline'])
  defineScreen(layout, async () => ({
    path: `/tasks?project=LIV&layout=${layout}`,
    makeAppear: renameTask,
  }))
defineScreen('project', async () => ({
  path: '/projects/LIV',
  makeAppear: (name) => web.ann.call('update_project', { project_id: 'LIV', name }),
}))
defineScreen('sprint', async () => {
  const sprint = await web.ann.call('create_sprint', {
    project_id: 'LIV',
    name: 'Sprint',
    starts_on: dayAhead(1),
    ends_on: dayAhead(14),
  })
  return {
    path: pathOf(sprint),
    makeAppear: (name) => web.bob.call('update_sprint', { sprint_id: sprint.id, name }),
  }
})
defineScreen('tasks of a sprint', async () => {
  const sprint = await web.ann.call('create_sprint', {
    project_id: 'LIV',
    name: 'Tasks',
    starts_on: dayAhead(0),
    ends_on: dayAhead(14),
  })
  await web.ann.call('start_sprint', { sprint_id: sprint.id })
  return {
    path: pathOf(sprint),
    makeAppear: (title) =>
      web.bob.call('create_task', { project_id: 'LIV', title, sprint_id: sprint.id }),
  }
})
defineScreen('page', async () => {
  const page = await web.bob.call('create_page', { title: 'Page', visibility: 'organization' })
  return {
    path: pathOf(page),
    makeAppear: (body_markdown) => web.bob.call('update_page', { page_id: page.id, body_markdown }),
  }
})
defineScreen('page tree', async () => ({
  path: '/pages',
  makeAppear: (title) => web.bob.call('create_page', { title, visibility: 'organization' }),
}))
defineScreen('chat', async () => {
  const channel = await web.bob.call('create_channel', {
    name: 'live',
    member_ids: [web.ann.id],
  })
  return {
    path: `/chat/${channel.id}`,
    makeAppear: (body_markdown) =>
      web.bob.call('send_message', { channel_id: channel.id, body_markdown }),
  }
})
defineScreen('inbox', async () => ({
  path: '/inbox',
  makeAppear: (title) =>
    web.bob.call('create_task', { project_id: 'LIV', title, assignee_ids: [web.ann.id] }),
}))
defineScreen('my day', async () => ({
  path: '/',
  makeAppear: (title) =>
    web.bob.call('create_task', {
      project_id: 'LIV',
      title,
      assignee_ids: [web.ann.id],
      due_at: dayAhead(0),
    }),
}))
defineScreen('incident', async () => {
  const incident = await web.bob.call('create_incident', { title: 'Incident', severity: 'sev3' })
  return {
    path: pathOf(incident),
    makeAppear: (title) => web.bob.call('update_incident', { incident_id: incident.id, title }),
  }
})
defineScreen('contact', async () => {
  const contact = await web.bob.call('create_contact', { name: 'Contact' })
  return {
    path: pathOf(contact),
    makeAppear: (name) => web.bob.call('update_contact', { contact_id: contact.id, name }),
  }
})
defineScreen('interactions with a contact', async () => {
  const contact = await web.bob.call('create_contact', { name: 'Called' })
  return {
    path: pathOf(contact),
    makeAppear: (summary_markdown) =>
      web.bob.call('log_interaction', {
        kind: 'call',
        summary_markdown,
        contact_ids: [contact.id],
      }),
  }
})
defineScreen('timeline of an incident', async () => {
  const incident = await web.bob.call('create_incident', { title: 'Noted', severity: 'sev3' })
  return {
    path: pathOf(incident),
    makeAppear: (body_markdown) =>
      web.bob.call('add_incident_note', { incident_id: incident.id, body_markdown }),
  }
})
defineScreen('notes on an entity', async () => {
  const entity = await web.bob.call('create_entity', { name: 'Live entity', type: 'topic' })
  return {
    path: pathOf(entity),
    makeAppear: (body) => web.bob.call('add_observation', { entity_id: entity.id, body }),
  }
})
defineScreen('goal', async () => {
  const goal = await web.ann.call('create_goal', {
    title: 'Goal',
    period: '2026-Q4',
    level: 'organization',
  })
  return {
    path: pathOf(goal),
    makeAppear: (title) => web.ann.call('update_goal', { goal_id: goal.id, title }),
  }
})
defineScreen('meeting', async () => {
  const meeting = await web.ann.call('create_meeting', { title: 'Meeting' })
  return {
    path: pathOf(meeting),
    makeAppear: (title) => web.ann.call('update_meeting', { meeting_id: meeting.id, title }),
  }
})
defineScreen('calendar', async () => ({
  path: '/calendar?view=week&day=2026-12-02',
  makeAppear: (title) =>
    web.ann.call('create_event', {
      title,
      starts_at: '2026-12-02T10:00',
      ends_at: '2026-12-02T11:00',
    }),
}))
defineScreen('form answers', async () => {
  const form = await web.ann.call('create_form', {
    title: 'Form',
    fields: [{ id: 'what', label: 'What?', type: 'short_text' }],
  })
  await web.ann.call('publish_form', { form_id: form.id, audience: 'organization' })
  return {
    path: pathOf(form),
    makeAppear: (what) =>
      web.bob.call('submit_form_response', { form_id: form.id, answers: { what } }),
    prepare: (page) => page.getByRole('button', { name: /^Answers/ }).click(),
  }
})
defineScreen('drive', async () => ({
  path: '/files',
  makeAppear: (name) => web.ann.call('create_folder', { name }),
}))
if (!noMail)
  defineScreen('mail', async () => ({
    path: '/mail',
    async makeAppear(subject) {
      const id = `<${subject.replaceAll(/\W/g, '')}@else.test>`
      await rig!.put('alice', 'INBOX', [messageText({ subject, id, body: 'Is it so?' })])
      await untilTrue(async () => {
        const { items } = await web.ann.call('list_email_threads', { limit: 100 })
        return items.some((thread: { subject: string }) => thread.subject === subject)
      }, `no mail: ${subject}`)
    },
  }))
defineScreen('settings', async () => ({
  path: '/settings/labels',
  makeAppear: (name) => web.ann.call('create_label', { name }),
}))
defineScreen('rights to pages', async () => ({
  path: '/pages',
  viewer: web.carol,
  async makeAppear(title) {
    const page = await web.ann.call('create_page', { title, visibility: 'private' })
    await web.ann.call('share_page', { page_id: page.id, person_id: web.carol.id, role: 'viewer' })
  },
}))
defineScreen('rights to projects', async () => ({
  path: '/tasks?priority=urgent',
  viewer: web.carol,
  async makeAppear(title) {
    const key = `R${title.replace(/\D/g, '')}`
    await web.ann.call('create_project', { name: key, key })
    await web.ann.call('create_task', { project_id: key, title, priority: 'urgent' })
    await web.ann.call('add_project_member', { project_id: key, person_id: web.carol.id })
  },
}))

/** Waits until a text is on the page, including in a field. */
const waitForText = (page: Page, text: string) =>
  page.waitForFunction(
    (expected) =>
      document.body.innerText.includes(expected) ||
      [...document.querySelectorAll<HTMLInputElement>('input, textarea')].some((field) =>
        field.value.includes(expected),
      ),
    text,
  )

/** Makes 200 changes on other pages. */
async function makeNoise(): Promise<void> {
  for (const priority of ['high', 'low'])
    await web.bob.call('bulk_update_tasks', {
      task_ids: Array.from({ length: 100 }, (_, n) => `NOI-${n + 1}`),
      changes: { priority },
    })
}

interface OpenedScreen {
  screen: Screen
  visitor: Visitor
  gate: StreamGate
  name: string
}

async function openScreen(name: string): Promise<OpenedScreen> {
  const created = await screens.get(name)!()
  const visitor = await web.visit(created.viewer ?? web.ann)
  return { screen: created, visitor, gate: await gateStream(visitor.context), name }
}

for (const name of screens.keys())
  test(`${name}: shows changes made before the stream opened, while it was down, among many others, and in a tab that takes over`, {
    skip,
  }, async () => {
    const { screen, visitor, gate } = await openScreen(name)
    const { page } = visitor
    const title = (n: number) => `${name} no. ${n}`
    try {
      await screen.makeAppear(title(1))
      gate.hold()
      await visitor.go(screen.path)
      await screen.prepare?.(page)
      await waitForText(page, title(1))
      await screen.makeAppear(title(2))
      gate.release()
      await waitForText(page, title(2))

      gate.hold()
      gate.cut()
      await screen.makeAppear(title(3))
      gate.release()
      await waitForText(page, title(3))

      await Promise.all([makeNoise(), screen.makeAppear(title(4))])
      await waitForText(page, title(4))

      const otherTab = await visitor.context.newPage()
      await otherTab.goto(web.url + screen.path)
      await screen.prepare?.(otherTab)
      await waitForText(otherTab, title(4))
      await screen.makeAppear(title(5))
      await waitForText(otherTab, title(5))
      gate.hold()
      gate.cut()
      await screen.makeAppear(title(6))
      await page.close()
      gate.release()
      await waitForText(otherTab, title(6))
    } finally {
      gate.release()
      gate.close()
    }
    visitor.assertNoProblems()
  })
