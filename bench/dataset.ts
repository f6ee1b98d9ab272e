import { hashPassword } from '../src/keys/argon.ts'
import { setPasswordHash } from '../src/identity/people.ts'
import { systemClock } from '../src/kernel/time/clock.ts'
import { daysFrom, quarterOf } from '../src/testing/days.ts'
import { deafHost } from '../src/testing/blackbox/things.ts'
import { plantEmail, plantMailbox } from '../src/testing/mail/mailboxes.ts'
import { many, BenchWorkspace } from './place.ts'
import { taskOf } from './seed.ts'

/** An instance with data in every module, seen by ann, an administrator. */
export interface Office {
  key: string
  password: string
  people: readonly string[]
  /** Ids that ann may read and change, by kind. */
  ids: Record<string, string[]>
}

const names = ['ann', ...Array.from({ length: 19 }, (_, i) => `person${i + 1}`)]
const projects = 20
const topics =
  'budget release contract server invoice training customer office harbour pump timetable payroll badge roster lighting printer warranty survey ferry canteen'.split(
    ' ',
  )
const topic = (i: number) => topics[i % topics.length]!
const hour = 3_600_000

/**
 * Items to create, in this order: kind, number per 10,000 tasks, author, operation and arguments. Later entries refer
 * to the answers by kind.
 */
type Make = readonly [
  kind: string,
  count: number,
  who: (i: number) => string,
  tool: string,
  args: (i: number) => Record<string, unknown>,
]

const someone = (i: number) => names[i % names.length]!
const ann = () => 'ann'
/** Ann is a member of every other project and leads none. */
const lead = (project: number) => names[1 + (project % 19)]!
const isAnns = (project: number) => project % 2 === 0

export async function furnish(dataDir: string, tasks: number): Promise<Office> {
  const place = await BenchWorkspace.open(dataDir, names, true)
  const ids: Record<string, string[]> = {
    person: [...place.people.values()].map((person) => person.id),
  }
  const id = (kind: string, i: number) => ids[kind]![i % ids[kind]!.length]!
  const day = daysFrom(Date.now())
  const at = (hours: number) => new Date(Date.now() + hours * hour).toISOString()
  const members = (i: number, count: number) =>
    Array.from({ length: count }, (_, j) => id('person', 1 + ((i + j) % 19)))
  const few = Math.min(1, tasks / 10_000)
  const makes: readonly Make[] = [
    ['team', 4, ann, 'create_team', (i) => ({ name: `Team ${i}`, lead_id: 'me' })],
    ['label', 10, ann, 'create_label', (i) => ({ name: topic(i) })],
    [
      'project',
      projects,
      lead,
      'create_project',
      (i) => ({
        name: `Project ${topic(i)}`,
        key: `PR${i}`,
        member_ids: [...members(i, 8), ...(isAnns(i) ? [id('person', 0)] : [])],
      }),
    ],
    [
      'task',
      10_000,
      (i) => lead(i % projects),
      'create_task',
      (i) => ({
        project_id: `PR${i % projects}`,
        ...taskOf(i),
        title: `${topic(i)} of day ${i}`,
        assignee_ids: [i % 7 === 0 && isAnns(i % projects) ? id('person', 0) : 'me'],
        label_ids: i % 5 === 0 ? [id('label', i)] : [],
      }),
    ],
    [
      'comment',
      5_000,
      (i) => lead(i % projects),
      'add_task_comment',
      (i) => ({
        task_id: id('task', i),
        body_markdown: `What became of the ${topic(i)}: it waits for ${topic(i + 3)}.`,
      }),
    ],
    [
      'channel',
      50,
      someone,
      'create_channel',
      (i) => ({ name: `channel-${i}`, member_ids: [...members(i, 10), id('person', 0)] }),
    ],
    [
      'message',
      10_000,
      (i) => names[1 + ((i % ids.channel!.length) % 19)]!,
      'send_message',
      (i) => ({
        channel_id: id('channel', i),
        body_markdown: `Has anybody heard of the ${topic(i)} since the ${topic(i + 7)}?${i % 50 === 0 ? ' @ann' : ''}`,
      }),
    ],
    [
      'root',
      20,
      ann,
      'create_page',
      (i) => ({ title: `Handbook of ${topic(i)}`, visibility: 'organization' }),
    ],
    [
      'page',
      2_000,
      ann,
      'create_page',
      (i) => ({
        title: `${topic(i)}, part ${i}`,
        parent_id: id('root', i),
        body_markdown: `# ${topic(i)}\n\n${`The ${topic(i + 1)} comes before the ${topic(i + 2)}, unless number ${i} says otherwise. `.repeat(12)}\n\n## Steps\n\n${'- Look at it, then ask.\n'.repeat(10)}`,
      }),
    ],
    ['folder', 20, ann, 'create_folder', (i) => ({ name: `Folder ${topic(i)}` })],
    [
      'file',
      1_000,
      ann,
      'upload_file',
      (i) => ({
        folder_id: id('folder', i),
        name: `${topic(i)}-${i}.md`,
        content_text: `# ${topic(i)}\n\n${`Notes of the ${topic(i + 5)}, number ${i}. `.repeat(40)}`,
      }),
    ],
    [
      'event',
      2_000,
      (i) => (i % 2 === 0 ? 'ann' : someone(i)),
      'create_event',
      (i) => ({
        title: `${topic(i)} review ${i}`,
        starts_at: at(i - 1000),
        ends_at: at(i - 999.5),
        description_markdown: `About the ${topic(i)}.`,
      }),
    ],
    [
      'meeting',
      500,
      ann,
      'create_meeting',
      (i) => ({
        title: `${topic(i)} meeting ${i}`,
        starts_at: at(-24 - i),
        ends_at: at(-23 - i),
        participants: ['me', ...members(i, 4)],
        agenda: [`The ${topic(i)}`],
      }),
    ],
    [
      'transcript',
      500,
      ann,
      'import_transcript',
      (i) => ({
        meeting_id: id('meeting', i),
        content: Array.from(
          { length: 40 },
          (_, j) => `person${(j % 4) + 1}: About the ${topic(i + j)}, point ${j}.`,
        ).join('\n'),
      }),
    ],
    [
      'actions',
      500,
      ann,
      'add_action_items',
      (i) => ({
        meeting_id: id('meeting', i),
        items: [
          { text: `Order the ${topic(i)}`, owner: 'me' },
          { text: `Ask about the ${topic(i + 1)}`, owner: names[1 + (i % 4)] },
        ],
      }),
    ],
    [
      'decision',
      500,
      ann,
      'record_decision',
      (i) => ({
        title: `${topic(i)} goes first`,
        decision_markdown: `Because the ${topic(i + 4)} waits.`,
        meeting_id: id('meeting', i),
      }),
    ],
    [
      'schedule',
      2,
      ann,
      'create_on_call_schedule',
      (i) => ({
        name: `Schedule ${i}`,
        timezone: 'Europe/Berlin',
        layers: [{ people: members(i, 5), rotation: 'weekly' }],
      }),
    ],
    [
      'service',
      10,
      ann,
      'create_service',
      (i) => ({ name: `${topic(i)} service`, schedule_id: id('schedule', i) }),
    ],
    [
      'incident',
      100,
      ann,
      'create_incident',
      (i) => ({
        title: `The ${topic(i)} stands still`,
        severity: `sev${1 + (i % 4)}`,
        service_ids: [id('service', i)],
        summary_markdown: `Nobody gets a ${topic(i)}.`,
      }),
    ],
    [
      'incident note',
      1_000,
      ann,
      'add_incident_note',
      (i) => ({
        incident_id: id('incident', i),
        body_markdown: `Looked at the ${topic(i)}: nothing.`,
      }),
    ],
    [
      'company',
      500,
      ann,
      'create_company',
      (i) => ({ name: `${topic(i)} works ${i}`, domain: `company${i}.example` }),
    ],
    [
      'contact',
      5_000,
      ann,
      'create_contact',
      (i) => ({
        name: `Contact ${topic(i)} ${i}`,
        emails: [`contact${i}@company${i % 500}.example`],
        company_id: id('company', i),
        title: 'Buyer',
      }),
    ],
    [
      'deal',
      1_000,
      ann,
      'create_deal',
      (i) => ({
        name: `${topic(i)} order ${i}`,
        contact_ids: [id('contact', i)],
        amount: 100 * (i % 90),
      }),
    ],
    [
      'interaction',
      5_000,
      ann,
      'log_interaction',
      (i) => ({
        kind: 'call',
        contact_ids: [id('contact', i)],
        summary_markdown: `They ask for the ${topic(i)}.`,
      }),
    ],
    [
      'entity',
      5_000,
      ann,
      'create_entity',
      (i) => ({
        name: `${topic(i)} thing ${i}`,
        type: ['product', 'system', 'topic', 'place'][i % 4],
        observations: [`Bought for the ${topic(i + 6)}.`],
      }),
    ],
    [
      'relation',
      5_000,
      ann,
      'create_relation',
      (i) => ({
        from_entity_id: id('entity', i),
        type: 'part_of',
        to_entity_id: id('entity', i * 7 + 1),
      }),
    ],
    [
      'fact',
      5_000,
      ann,
      'add_fact',
      (i) => ({ entity_id: id('entity', i), predicate: 'state', value: `${topic(i)} ${i}` }),
    ],
    [
      'form',
      10,
      ann,
      'create_form',
      (i) => ({
        title: `Survey of ${topic(i)}`,
        fields: [
          { id: 'note', label: 'What?', type: 'long_text' },
          { id: 'mark', label: 'How good?', type: 'number' },
        ],
      }),
    ],
    [
      'published',
      10,
      ann,
      'publish_form',
      (i) => ({ form_id: id('form', i), audience: 'organization' }),
    ],
    [
      'response',
      2_000,
      someone,
      'submit_form_response',
      (i) => ({
        form_id: id('form', i),
        answers: { note: `The ${topic(i)} is fine.`, mark: i % 10 },
      }),
    ],
    [
      'automation',
      20,
      ann,
      'create_automation',
      (i) => ({
        name: `Automation of ${topic(i)}`,
        trigger: { type: 'manual', params: {} },
        conditions: [{ expression: 'input.count > 0' }],
        actions: [
          { type: 'create_task', params: { project_id: 'PR0', title: 'Made by an automation' } },
        ],
      }),
    ],
    ['enabled', 20, ann, 'enable_automation', (i) => ({ automation_id: id('automation', i) })],
    [
      'run',
      200,
      ann,
      'run_automation',
      (i) => ({ automation_id: id('automation', i), input: { count: i } }),
    ],
    [
      'goal',
      100,
      ann,
      'create_goal',
      (i) => ({
        title: `More ${topic(i)}`,
        level: 'personal',
        period: quarterOf(Date.now()),
        key_results: [{ title: 'Pieces', metric: 'number', target_value: 100 }],
      }),
    ],
    ['active goal', 100, ann, 'update_goal', (i) => ({ goal_id: id('goal', i), status: 'active' })],
    [
      'time entry',
      5_000,
      ann,
      'create_time_entry',
      (i) => ({
        project_id: `PR${2 * (i % (projects / 2))}`,
        duration_minutes: 5 + (i % 100),
        spent_on: day(-(i % 300)),
        note: `Looked at the ${topic(i)}`,
      }),
    ],
    [
      'reminder',
      100,
      ann,
      'create_reminder',
      (i) => ({ remind_at: at(1000 + i), text: `Think of the ${topic(i)}` }),
    ],
    [
      'webhook',
      10,
      ann,
      'create_webhook',
      (i) => ({ url: `http://${deafHost}/${i}`, events: ['goal.deleted'], name: `Webhook ${i}` }),
    ],
    ['trashed', 200, ann, 'create_task', (i) => ({ project_id: 'PR0', title: `Mistake ${i}` })],
    ['in the trash', 200, ann, 'delete_task', (i) => ({ task_id: id('trashed', i) })],
    [
      'view',
      20,
      ann,
      'create_saved_view',
      (i) => ({
        name: `View ${i}`,
        item_type: 'task',
        filter: { project_id: `PR${2 * (i % 10)}`, status_category: ['todo'] },
      }),
    ],
  ]
  for (const [kind, count, who, tool, args] of makes) {
    const answers: { id: string; key_results?: { id: string }[] }[] = []
    await many(
      Math.ceil(count <= projects ? count : Math.max(projects, count * few)),
      async (i) => (answers[i] = await place.as(who(i), tool, args(i))),
    )
    ids[kind] = answers.map((item) => item.id)
    if (kind === 'goal') ids['key result'] = answers.map((item) => item.key_results![0]!.id)
  }
  ids.task = ids.task!.filter((_, i) => isAnns(i % projects))
  ids.event = ids.event!.filter((_, i) => i % 2 === 0)
  Object.assign(ids, await deliver(place, 5_000 * few))
  const password = 'otter lamp seven moss'
  const hash = await hashPassword(password)
  const { store } = place.app
  for (const row of await store.read.selectFrom('users').selectAll().execute())
    await setPasswordHash(store, systemClock, row, hash)
  const key = await place.key('ann')
  await place.close()
  return { key, password, people: [...place.people.values()].map((person) => person.email), ids }
}

/** Mail of an account that is never synced: three messages per conversation. */
async function deliver(
  place: BenchWorkspace,
  count: number,
): Promise<{ email: string[]; thread: string[] }> {
  const { store } = place.app
  const now = systemClock.now()
  const box = await plantMailbox(store, place.person('ann'), now)
  const [email, threads]: [string[], string[]] = [[], []]
  await many(Math.ceil(count / 3), async (i) => {
    const first = await plantEmail(
      box,
      {
        from: `contact${i}@company${i % 500}.example`,
        subject: `${topic(i)} ${i}`,
        text: `Dear Ann,\n\nthe ${topic(i)} has come.\n\n${`It is as the ${topic(i + 1)} was. `.repeat(30)}`,
        unread: i % 3 === 0,
        at: now - i * hour,
      },
      now,
    )
    const reply = {
      subject: `Re: ${topic(i)} ${i}`,
      text: `Good, then the ${topic(i + 2)} is next.`,
      thread: first.thread_id,
      unread: false,
    }
    const others = [
      await plantEmail(
        box,
        { ...reply, from: box.account.address, at: now - i * hour + 1000 },
        now,
      ),
      await plantEmail(
        box,
        { ...reply, from: `contact${i}@company${i % 500}.example`, at: now - i * hour + 2000 },
        now,
      ),
    ]
    email.push(first.id, ...others.map((other) => other.id))
    threads.push(first.thread_id)
  })
  await store.writer.run(() =>
    store.write
      .updateTable('accounts')
      .set({ status: 'disabled' })
      .where('id', '=', box.account.id)
      .execute(),
  ) // no one calls a server that is not there
  return { email, thread: threads }
}
