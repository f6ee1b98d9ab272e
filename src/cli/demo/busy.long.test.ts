import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { started, workspace, workspaceJson } from '../../testing/process.ts'
import { waitLimitMs } from '../../testing/limits.ts'

interface Tour {
  url: string
  data: string
  people: { email: string; key: string }[]
  assistants: { name: string; of: string; key_id: string }[]
}

interface Call {
  tool: string
  transport: string
  status: string
  error_code?: string
  client?: { name: string }
  key: { id: string }
}

async function busyTour(t: TestContext, seed: string, pace: string) {
  const server = await started(
    ...['demo', '--serve', '--busy', '--seed', seed, '--pace', pace, '--json'],
  )
  t.after(() => server.end('SIGKILL'))
  const tour = server.greeting as unknown as Tour
  const read = async (email: string, path: string) => {
    const { key } = tour.people.find((person) => person.email === email)!
    const request = () =>
      fetch(`${tour.url}/api/${path}`, { headers: { authorization: `Bearer ${key}` } })
    let answer = await request()
    for (; answer.status === 429; answer = await request())
      await wait(1000 * Number(answer.headers.get('retry-after') ?? 1)) // the rate limit of a person applies
    assert.equal(answer.status, 200, path)
    return (await answer.json()) as { items: any[]; next_cursor?: string; body_markdown?: string }
  }
  /** The calls of an assistant, oldest first. */
  const calls = async ({ of, key_id }: Tour['assistants'][number]): Promise<Call[]> => {
    const calls: Call[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = await read(of, `api-calls?key_id=${key_id}&limit=100${cursor}`)
      calls.push(...page.items)
      cursor = page.next_cursor && `&cursor=${encodeURIComponent(page.next_cursor)}`
    }
    return calls.reverse()
  }
  return { server, tour, read, calls }
}

async function waitFor<T>(description: string, poll: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + waitLimitMs; Date.now() < end; await wait(200)) {
    const result = await poll()
    if (result !== undefined) return result
  }
  throw new Error(`${description} did not appear in time`)
}

test('assistants of a busy demo work over MCP with their own keys, and one of them learns why it may not publish', async (t) => {
  const { server, tour, read, calls } = await busyTour(t, '7', '0.2')
  const [sprint, trial] = tour.assistants as [
    Tour['assistants'][number],
    Tour['assistants'][number],
  ]
  assert.deepEqual(
    [sprint.of, trial.of].map((email) => email.split('@')[0]),
    ['mia', 'tom'],
  )
  const waitingCall = await waitFor('a call waiting for approval', async () => {
    const all = await workspaceJson('approvals', 'list', '--data', tour.data)
    return (all as { id: string; tool: string; state: string }[]).find(
      ({ state }) => state === 'pending',
    )
  })
  assert.equal(waitingCall.tool, 'publish_page')
  const denied = await workspace([
    'approvals',
    'deny',
    waitingCall.id,
    '--reason',
    'Not before the move.',
    '--data',
    tour.data,
  ])
  assert.equal(denied.code, 0, denied.stderr)
  const reply = await waitFor('its message about the denial', async () =>
    (await read(sprint.of, 'channels/%23website/messages?limit=20')).items.find((message) =>
      message.content.text.includes('Not before the move.'),
    ),
  )
  assert.deepEqual([reply.author.title, reply.via_assistant], ['Mia Berg', true])
  for (const assistant of [sprint, trial]) {
    const assistantCalls = await waitFor(`20 calls of ${assistant.name}`, async () => {
      const all = await calls(assistant)
      return all.length >= 20 ? all : undefined
    })
    assert.deepEqual([...new Set(assistantCalls.map((call) => call.key.id))], [assistant.key_id])
    const directCalls = assistantCalls.filter((call) => call.transport !== 'automation') // automations of the sample react to these calls
    assert.deepEqual([...new Set(directCalls.map((call) => call.transport))], ['mcp'])
    assert.deepEqual([...new Set(directCalls.map((call) => call.client?.name))], [assistant.name])
    const refused = assistantCalls.filter(
      ({ status, error_code }) => status !== 'ok' && error_code !== 'approval_required',
    )
    assert.deepEqual(refused, [])
  }
  await waitFor('its section of the page', async () => {
    const pages = (await read(trial.of, 'pages?limit=100')).items
    const { id } = pages.find(({ title }) => title === 'Notes for the trial')!
    const { body_markdown } = await read(trial.of, `pages/${id}`)
    const sections = (body_markdown as string).match(/^## Where it stands\n\n- APP-\d+ /gm) ?? []
    assert.ok(sections.length <= 1, body_markdown as string)
    return sections[0]
  })
  const messages = (await read(sprint.of, 'channels/%23website/messages?limit=100')).items
  const assistantMessages = messages.filter(
    ({ via_assistant, deleted_at }) => via_assistant && !deleted_at,
  )
  assert.ok(
    assistantMessages.length <= 14,
    `${assistantMessages.length} messages of two assistants`,
  )
  assert.equal(await server.end('SIGINT'), 0)
})

test('the same seed of a busy demo gives the same work, another seed different work, and the amount of data stays small', async (t) => {
  const [base, same, other] = await Promise.all([
    busyTour(t, '3', '0.02'),
    busyTour(t, '3', '0.02'),
    busyTour(t, '4', '0.02'),
  ])
  const work = async ({ tour, calls }: typeof base) => {
    const lists: string[][] = []
    for (const assistant of tour.assistants) {
      const all = await waitFor(`50 calls of ${assistant.name}`, async () => {
        const assistantCalls = await calls(assistant)
        return assistantCalls.length >= 50 ? assistantCalls.slice(0, 50) : undefined
      })
      lists.push(all.map((call) => call.tool))
    }
    return lists
  }
  const [first, second, third] = [await work(base), await work(same), await work(other)]
  assert.deepEqual(first, second)
  assert.notDeepEqual(first, third)
})
