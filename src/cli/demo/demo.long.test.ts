import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { checkConnection } from '../../assistants/check.ts'
import { rpcOf, send, toolCallOf, type Arguments } from '../../testing/blackbox/requests.ts'
import { serve, started } from '../../testing/process.ts'
import { commandsOn } from '../testing.ts'

interface DemoSummary {
  tasks: number
  people: { email: string; projects: string[]; key?: string }[]
}

test('the sample shows each person a different part of the data, and its log verifies', async (t) => {
  const commands = commandsOn(t)
  const demo = await commands.json<DemoSummary>('demo', '--keys')
  assert.deepEqual(
    demo.people.map((person) => person.projects),
    [
      ['WEB', 'MOVE', 'CARE'],
      ['WEB', 'APP', 'CARE'],
      ['WEB', 'APP', 'CARE'],
    ],
  )
  const server = await serve(commands.dataDir)
  t.after(() => server.child.kill('SIGKILL'))
  const call = async (who: string, operation: string, args: Arguments = {}) =>
    rpcOf(
      await send(
        { url: server.url, key: demo.people.find((person) => person.email.startsWith(who))!.key },
        toolCallOf(operation, args),
      ),
    ).result.structuredContent
  for (const { email, projects } of demo.people) {
    const { items } = (await call(email, 'list_projects')) as { items: { key: string }[] }
    assert.deepEqual(items.map((item) => item.key).sort(), [...projects].sort())
  }
  assert.equal(
    (await call(demo.people[1]!.email, 'get_task', { task_id: 'MOVE-1' })).code,
    'not_found',
  )
  const read = async (who: string, operation: string, args?: Arguments) =>
    ((await call(who, operation, args)) as { items: any[] }).items
  assert.deepEqual(
    (await read('tom', 'list_channels')).map((item) => item.key ?? item.kind),
    [
      '#booking-app',
      '#general',
      '#inc-1-bookings-for-tonight-cannot-be-saved',
      '#website',
      'direct',
    ],
  )
  assert.deepEqual(
    (await read('lena', 'list_unread_messages', { only: 'mentions' })).map((item) => [
      item.channel.key,
      item.mentions,
    ]),
    [['#website', 1]],
  )
  const pages = (await read('lena', 'list_pages')).map((item) => item.title)
  assert.ok(
    pages.includes('How we release') && !pages.some((title) => /salaries/.test(title)),
    String(pages),
  )
  const [utterance] = await read('lena', 'search_transcripts', { query: 'small print' })
  assert.deepEqual([utterance.speaker, utterance.at_second], ['Mia Berg', 48])
  assert.deepEqual((await read('mia', 'list_action_items')).map((item) => item.status).sort(), [
    'open',
    'task_created',
  ])
  const [goal] = await read('lena', 'list_goals')
  assert.ok(goal.progress > 0 && goal.key_results.length === 2, JSON.stringify(goal))
  assert.deepEqual(
    [
      (await read('tom', 'list_contacts')).length,
      (await read('tom', 'list_companies')).length,
      (await read('lena', 'list_contacts')).length,
    ],
    [6, 4, 0],
  )
  assert.deepEqual(
    (await read('mia', 'list_deals')).map((item) => [item.name, item.status, item.stage]).sort(),
    [
      ['Booking app, monthly', 'won', 'Proposal'],
      ['Booking app, one year', 'open', 'Proposal'],
      ['Menus and cards', 'lost', 'Lead'],
      ['New site with bookings', 'open', 'Qualified'],
    ],
  )
  assert.equal((await read('mia', 'list_interactions', { kind: 'call' })).length, 2)
  const [incident] = await read('tom', 'list_incidents')
  assert.equal(incident.status, 'resolved')
  assert.ok((await read('tom', 'list_incident_timeline', { incident_id: incident.key })).length > 5)
  assert.equal((await read('tom', 'list_pages', { kind: 'postmortem' })).length, 1)
  const [form] = await read('tom', 'list_forms')
  assert.equal((await read('mia', 'list_form_responses', { form_id: form.id })).length, 3)
  assert.deepEqual(
    (await read('mia', 'list_automations')).map((item) => item.status),
    ['enabled', 'enabled'],
  )
  assert.deepEqual(
    (await read('mia', 'list_email_threads', { awaiting: 'me' })).map((item) => item.subject),
    ['Numbers for the old site'],
  )
  assert.deepEqual(
    (await read('mia', 'list_email_threads', { awaiting: 'them' })).map((item) => [
      item.subject,
      item.message_count,
    ]),
    [['Small print of the prices page', 2]],
  )
  assert.deepEqual(
    (await read('tom', 'search_emails', { query: 'tablet is:unread' })).map(
      (item) => item.email.from.name,
    ),
    ['Hanne Petersen'],
  )
  assert.deepEqual(await read('lena', 'list_emails'), [])
  assert.equal(await server.end(), 0)
  assert.equal((await commands.json('audit', 'verify')).ok, true)
})

test('the sample is deterministic at any size and is not inserted twice', async (t) => {
  const [firstCommands, secondCommands] = [commandsOn(t), commandsOn(t)]
  const titles = async (commands: typeof firstCommands) => {
    await commands.runOk('demo', '--tasks', '75')
    const pages = await Promise.all(
      ['WEB', 'APP', 'CARE'].map((key) =>
        commands.runOk(
          'call',
          'list_tasks',
          '--as',
          'tom@demo-studio.example',
          '--project-id',
          key,
          '--limit',
          '100',
        ),
      ),
    )
    return pages.flatMap((page) =>
      (JSON.parse(page) as { items: { key: string; title: string; status: string }[] }).items.map(
        ({ key, title, status }) => `${key} ${title} ${status}`,
      ),
    )
  }
  const taskTitles = await titles(firstCommands)
  assert.ok(taskTitles.length > 40, `${taskTitles.length} tasks`)
  assert.deepEqual(taskTitles, await titles(secondCommands))
  const again = await firstCommands.run(['demo', '--json'])
  assert.deepEqual([again.code, JSON.parse(again.stderr).code], [1, 'conflict'])
  await firstCommands.runOk('demo', '--org', 'Another')
})

interface Tour extends DemoSummary {
  url: string
  mcp_url: string
  data: string
  key: string
  password: string
  connect: { text: string }[]
}

test('the tour starts a populated server with a working key, password and configuration, and leaves nothing behind', async (t) => {
  const server = await started('demo', '--serve', '--json')
  t.after(() => server.end('SIGKILL'))
  const tour = server.greeting as unknown as Tour
  const checked = await checkConnection(tour.mcp_url, tour.url, tour.key, { allowHttp: false })
  assert.ok(
    'tools' in checked &&
      checked.tools > 300 &&
      checked.person?.email === 'mia@demo-studio.example',
    JSON.stringify(checked),
  )
  const { items } = (await (
    await fetch(`${tour.url}/api/projects`, { headers: { authorization: `Bearer ${tour.key}` } })
  ).json()) as { items: { key: string }[] }
  assert.deepEqual(items.map((item) => item.key).sort(), ['CARE', 'MOVE', 'WEB'])
  for (const { email } of tour.people) {
    const signIn = await fetch(`${tour.url}/web/sign-in`, {
      method: 'POST',
      headers: { origin: tour.url, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: tour.password }),
    })
    assert.equal(signIn.status, 200, email)
  }
  for (const { text } of tour.connect)
    assert.ok(text.includes(tour.mcp_url) && text.includes(tour.key), text)
  assert.ok(existsSync(tour.data))
  assert.equal(await server.end('SIGINT'), 0)
  assert.ok(!existsSync(tour.data))
})

test('a tour in a named folder is kept, and does not start where a server runs', async (t) => {
  const { dataDir, run, json } = commandsOn(t)
  const server = await started('demo', '--serve', '--json', '--data', dataDir)
  t.after(() => server.end('SIGKILL'))
  const second = await run(['demo', '--serve', '--org', 'Another'])
  assert.deepEqual([second.code, second.stderr.includes(server.url)], [75, true], second.stderr)
  assert.equal(await server.end('SIGTERM'), 0)
  assert.equal((await json('users', 'list')).length, 3)
  assert.equal((await run(['demo', '--port', '0'])).code, 2)
})
