import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import {
  scratch,
  serve,
  workspace,
  workspaceJson,
  type Served,
} from '../../../../testing/process.ts'
import { LiveText } from '../../../editor/live/live-text.ts'
import { positionAfterToken, seededRandom, Writer, type Person } from './testing.ts'

const secret = 'otter lamp seven moss'

/** A person at a server in another process, whose address changes with each restart. */
async function signIn(server: () => Served, email: string): Promise<Person> {
  const request = (path: string, body: unknown, cookie = '') =>
    fetch(server().url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', origin: server().url, cookie },
    })
  const response = await request('/web/sign-in', { email, password: secret })
  assert.equal(response.status, 200)
  const cookie = response.headers
    .getSetCookie()
    .map((header) => header.slice(0, header.indexOf(';')))
    .join('; ')
  return {
    url: () => server().url,
    cookie: () => cookie,
    async post(path, body) {
      const result = await request(path, body, cookie)
      const text = await result.text()
      return { status: result.status, text, json: text === '' ? undefined : JSON.parse(text) }
    },
  }
}

test('text typed while the server is killed is stored exactly once', async () => {
  const { dir, remove } = scratch()
  const org = await workspaceJson('orgs', 'create', '--name', 'Crash', '--data', dir)
  const emails = ['ann@crash.test', 'bob@crash.test']
  for (const email of emails) {
    const name = email.slice(0, 3)
    const userArgs = ['--org', String(org.id), '--email', email, '--name', name, '--admin']
    await workspaceJson('users', 'create', ...userArgs, '--data', dir)
    const passwordRun = await workspace(
      ['users', 'set-password', email, '--password-stdin', '--data', dir],
      secret,
    )
    assert.equal(passwordRun.code, 0, passwordRun.stderr)
  }
  let server = await serve(dir)
  const people = await Promise.all(emails.map((email) => signIn(() => server, email)))
  const [ann, bob] = people as [Person, Person]
  const call = async (person: Person, operation: string, args: object) => {
    const { status, json, text } = await person.post(`/web/call/${operation}`, args)
    assert.ok(status < 300, text)
    return json as any
  }
  const page = await call(ann, 'create_page', { title: 'Crash', body_markdown: '# Start\n\nend\n' })
  const { person } = await call(bob, 'get_me', {})
  await call(ann, 'share_page', { page_id: page.id, person_id: person.id, role: 'editor' })
  const { revision } = await call(ann, 'get_page', { page_id: page.id })
  const writers = people.map(
    (person) => new Writer({ person, pageId: page.id }, new LiveText('# Start\n\nend\n', revision)),
  )
  const random = seededRandom(1)
  const tokens: string[] = []
  for (let round = 0; round < 5; round++) {
    for (let action = 0; action < 40; action++) {
      const writer = writers[action % 2] as Writer
      const position = positionAfterToken(writer.editorText, random(writer.editorText.length + 1))
      tokens.push(`«${tokens.length}»`)
      writer.type(position, position, tokens.at(-1) as string)
      await pause(random(15))
      if (action === 20) await server.end('SIGKILL')
    }
    server = await serve(dir)
    for (const { session } of writers) session.retry()
    for (let tries = 0; writers.some(({ session }) => session.state !== 'saved'); tries++) {
      assert.ok(tries < 3000, writers.map(({ session }) => session.state).join())
      await pause(20)
    }
  }
  const { body_markdown: text } = await call(ann, 'get_page', { page_id: page.id })
  for (let tries = 0; writers.some(({ editorText }) => editorText !== text); tries++) {
    assert.ok(tries < 1000)
    await pause(20)
  }
  for (const token of tokens) assert.equal(text.split(token).length, 2, `${token} occurs once`)
  assert.equal(text.replaceAll(/«\d+»/g, ''), '# Start\n\nend\n')
  for (const { session } of writers) session.end()
  assert.equal(await server.end(), 0)
  remove()
})
