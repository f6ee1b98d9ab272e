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
  show(text: string): Promise<unknown>
  /** Person who looks; default: ann. */
  viewer?: Someone
  /** Steps the screen needs before it shows the text. */
  open?(page: Page): Promise<void>
}

const screens = new Map<string, () => Promise<Screen>>()
const screen = (name: string, create: () => Promise<Screen>) => screens.set(name, create)
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
screen('task', async () => ({ path: '/tasks/LIV-1', show: renameTask }))
for (const layout of ['list', 'board', 'table', 'timeline'])
  screen(layout, async () => ({
    path: `/tasks?project=LIV&layout=${layout}`,
    show: renameTask,
  }))
screen('project', async () => ({
  path: '/projects/LIV',
  show: (name) => web.ann.call('update_project', { project_id: 'LIV', name }),
}))
screen('sprint', async () => {
  const sprint = await web.ann.call('create_sprint', {
    project_id: 'LIV',
    name: 'Sprint',
    starts_on: dayAhead(1),
    ends_on: dayAhead(14),
  })
  return {
    path: pathOf(sprint),
    show: (name) => web.bob.call('update_sprint', { sprint_id: sprint.id, name }),
  }
})
screen('tasks of a sprint', async () => {
  const sprint = await web.ann.call('create_sprint', {
    project_id: 'LIV',
    name: 'Tasks',
    starts_on: dayAhead(0),
    ends_on: dayAhead(14),
  })
  await web.ann.call('start_sprint', { sprint_id: sprint.id })
  return {
    path: pathOf(sprint),
    show: (title) =>
      web.bob.call('create_task', { project_id: 'LIV', title, sprint_id: sprint.id }),
  }
})
screen('page', async () => {
  const page = await web.bob.call('create_page', { title: 'Page', visibility: 'organization' })
  return {
    path: pathOf(page),
    show: (body_markdown) => web.bob.call('update_page', { page_id: page.id, body_markdown }),
  }
})
screen('page tree', async () => ({
  path: '/pages',
  show: (title) => web.bob.call('create_page', { title, visibility: 'organization' }),
}))
screen('chat', async () => {
  const channel = await web.bob.call('create_channel', {
    name: 'live',
    member_ids: [web.ann.id],
  })
  return {
    path: `/chat/${channel.id}`,
    show: (body_markdown) =>
      web.bob.call('send_message', { channel_id: channel.id, body_markdown }),
  }
})
screen('inbox', async () => ({
  path: '/inbox',
  show: (title) =>
    web.bob.call('create_task', { project_id: 'LIV', title, assignee_ids: [web.ann.id] }),
}))
screen('my day', async () => ({
  path: '/',
  show: (title) =>
    web.bob.call('create_task', {
      project_id: 'LIV',
      title,
      assignee_ids: [web.ann.id],
      due_at: dayAhead(0),
    }),
}))
screen('incident', async () => {
  const incident = await web.bob.call('create_incident', { title: 'Incident', severity: 'sev3' })
  return {
    path: pathOf(incident),
    show: (title) => web.bob.call('update_incident', { incident_id: incident.id, title }),
  }
})
screen('contact', async () => {
  const contact = await web.bob.call('create_contact', { name: 'Contact' })
  return {
    path: pathOf(contact),
    show: (name) => web.bob.call('update_contact', { contact_id: contact.id, name }),
  }
})
screen('interactions with a contact', async () => {
  const contact = await web.bob.call('create_contact', { name: 'Called' })
  return {
    path: pathOf(contact),
    show: (summary_markdown) =>
      web.bob.call('log_interaction', {
        kind: 'call',
        summary_markdown,
        contact_ids: [contact.id],
      }),
  }
})
screen('timeline of an incident', async () => {
  const incident = await web.bob.call('create_incident', { title: 'Noted', severity: 'sev3' })
  return {
    path: pathOf(incident),
    show: (body_markdown) =>
      web.bob.call('add_incident_note', { incident_id: incident.id, body_markdown }),
  }
})
screen('notes on an entity', async () => {
  const entity = await web.bob.call('create_entity', { name: 'Live entity', type: 'topic' })
  return {
    path: pathOf(entity),
    show: (body) => web.bob.call('add_observation', { entity_id: entity.id, body }),
  }
})
screen('goal', async () => {
  const goal = await web.ann.call('create_goal', {
    title: 'Goal',
    period: '2026-Q4',
    level: 'organization',
  })
  return {
    path: pathOf(goal),
    show: (title) => web.ann.call('update_goal', { goal_id: goal.id, title }),
  }
})
screen('meeting', async () => {
  const meeting = await web.ann.call('create_meeting', { title: 'Meeting' })
  return {
    path: pathOf(meeting),
    show: (title) => web.ann.call('update_meeting', { meeting_id: meeting.id, title }),
  }
})
screen('calendar', async () => ({
  path: '/calendar?view=week&day=2026-12-02',
  show: (title) =>
    web.ann.call('create_event', {
      title,
      starts_at: '2026-12-02T10:00',
      ends_at: '2026-12-02T11:00',
    }),
}))
screen('form answers', async () => {
  const form = await web.ann.call('create_form', {
    title: 'Form',
    fields: [{ id: 'what', label: 'What?', type: 'short_text' }],
  })
  await web.ann.call('publish_form', { form_id: form.id, audience: 'organization' })
  return {
    path: pathOf(form),
    show: (what) => web.bob.call('submit_form_response', { form_id: form.id, answers: { what } }),
    open: (page) => page.getByRole('button', { name: /^Answers/ }).click(),
  }
})
screen('drive', async () => ({
  path: '/files',
  show: (name) => web.ann.call('create_folder', { name }),
}))
if (!noMail)
  screen('mail', async () => ({
    path: '/mail',
    async show(subject) {
      const id = `<${subject.replaceAll(/\W/g, '')}@else.test>`
      await rig!.put('alice', 'INBOX', [messageText({ subject, id, body: 'Is it so?' })])
      await untilTrue(async () => {
        const { items } = await web.ann.call('list_email_threads', { limit: 100 })
        return items.some((thread: { subject: string }) => thread.subject === subject)
      }, `no mail: ${subject}`)
    },
  }))
screen('settings', async () => ({
  path: '/settings/labels',
  show: (name) => web.ann.call('create_label', { name }),
}))
screen('rights to pages', async () => ({
  path: '/pages',
  viewer: web.carol,
  async show(title) {
    const page = await web.ann.call('create_page', { title, visibility: 'private' })
    await web.ann.call('share_page', { page_id: page.id, person_id: web.carol.id, role: 'viewer' })
  },
}))
screen('rights to projects', async () => ({
  path: '/tasks?priority=urgent',
  viewer: web.carol,
  async show(title) {
    const key = `R${title.replace(/\D/g, '')}`
    await web.ann.call('create_project', { name: key, key })
    await web.ann.call('create_task', { project_id: key, title, priority: 'urgent' })
    await web.ann.call('add_project_member', { project_id: key, person_id: web.carol.id })
  },
}))

/** Waits until a text is on the page, including in a field. */
const sees = (page: Page, text: string) =>
  page.waitForFunction(
    (wanted) =>
      document.body.innerText.includes(wanted) ||
      [...document.querySelectorAll<HTMLInputElement>('input, textarea')].some((field) =>
        field.value.includes(wanted),
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

interface Opened {
  screen: Screen
  visitor: Visitor
  gate: StreamGate
  name: string
}

async function openScreen(name: string): Promise<Opened> {
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
      await screen.show(title(1))
      gate.hold()
      await visitor.go(screen.path)
      await screen.open?.(page)
      await sees(page, title(1))
      await screen.show(title(2))
      gate.release()
      await sees(page, title(2))

      gate.hold()
      gate.cut()
      await screen.show(title(3))
      gate.release()
      await sees(page, title(3))

      await Promise.all([makeNoise(), screen.show(title(4))])
      await sees(page, title(4))

      const other = await visitor.context.newPage()
      await other.goto(web.url + screen.path)
      await screen.open?.(other)
      await sees(other, title(4))
      await screen.show(title(5))
      await sees(other, title(5))
      gate.hold()
      gate.cut()
      await screen.show(title(6))
      await page.close()
      gate.release()
      await sees(other, title(6))
    } finally {
      gate.release()
      gate.close()
    }
    visitor.well()
  })
