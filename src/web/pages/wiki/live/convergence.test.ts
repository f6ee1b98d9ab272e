import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Browser, givePasswords } from '../../../../testing/browser.ts'
import { serveWorkspace, type ServedWorkspace } from '../../../../testing/server.ts'
import { LiveText } from '../../../editor/live/live-text.ts'
import { positionAfterToken, seededRandom, Writer } from './testing.ts'

let served: ServedWorkspace
const browsers: Browser[] = []

before(async () => {
  served = await serveWorkspace({ settings: { rate_address: 0 } })
  await givePasswords(served, served.ann, served.bob, served.carol)
  for (const name of ['ann', 'bob', 'carol'])
    browsers.push(await new Browser(served).signIn(`${name}@acme.test`))
})
after(() => served.close())

const start =
  '# Plan\r\n\r\nFirst paragraph with *words* 😀.\n\n## Risks\n\n- one\n- two\n\n\ttabbed\u00a0nbsp  two spaces at end  \n<!-- html -->\n| a | b |\n|---|:-:|\n| 1 | 2 |\n\n## Log\n'

async function openEditors(id: string) {
  return Promise.all(
    browsers.map(async (browser) => {
      const { json } = await browser.get(`/web/pages/${id}/live`)
      const person = {
        url: () => served.url,
        cookie: () => [...browser.cookies].map((cookie) => cookie.join('=')).join('; '),
        post: (path: string, body: unknown) => browser.post(path, body),
      }
      return new Writer(
        { person, pageId: id },
        new LiveText(json.body_markdown as string, json.revision as number),
      )
    }),
  )
}

async function createPage(body_markdown: string): Promise<string> {
  const { id } = await served.ann.call('create_page', { title: 'Together', body_markdown })
  for (const person of [served.bob, served.carol])
    await served.ann.call('share_page', { page_id: id, person_id: person.id, role: 'editor' })
  return id as string
}

async function waitUntil(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    if (tries > 1500) throw new Error('The condition was not reached in time.')
    await pause(10)
  }
}

for (let seed = 0; seed < 24; seed++)
  test(`three people and an assistant edit over unreliable connections without losing a character (seed ${seed})`, async () => {
    const random = seededRandom(seed)
    const id = await createPage(start)
    const read = () => served.ann.call('get_page', { page_id: id })
    const writers = await openEditors(id)
    const [tokens, notes] = [new Set<string>(), new Set<string>()]
    let base = await read()
    for (let round = 0; round < 60; round++) {
      const writer = writers[random(3)] as Writer
      const token = `«${round}»`
      if (random(6) === 0) {
        const note = `{${round}}`
        const body = (base.body_markdown as string).replace('## Log\n', `## Log\n\n${note}\n`)
        const isAccepted =
          body !== base.body_markdown &&
          (await served.ann
            .call('update_page', { page_id: id, base_revision: base.revision, body_markdown: body })
            .then(
              () => true,
              () => false,
            ))
        if (isAccepted) notes.add(note)
        if (random(2) === 0 || !isAccepted) base = await read()
      } else {
        const position = positionAfterToken(writer.editorText, random(writer.editorText.length + 1))
        writer.type(position, position, token)
        tokens.add(token)
      }
      const fault = random(12)
      if (fault === 0) writer.connection.isDown = true
      else if (fault === 1) writer.connection.losesAnswers = true
      else if (fault === 2) writer.connection.cut()
      else if (fault > 8) Object.assign(writer.connection, { isDown: false, losesAnswers: false })
      if (random(3) === 0) await pause(random(12))
    }
    for (const { connection, session } of writers) {
      Object.assign(connection, { isDown: false, losesAnswers: false })
      session.retry()
    }
    await waitUntil(() => writers.every(({ session }) => session.state === 'saved'))
    const { body_markdown: text, revision } = await read()
    await waitUntil(() => writers.every(({ editorText }) => editorText === text))
    for (const { editorText, session } of writers) {
      assert.deepEqual([editorText, session.text.text, session.text.base], [text, text, text])
      assert.ok(session.text.revision <= revision)
      session.end()
    }
    for (const token of tokens) assert.equal(text.split(token).length, 2, `${token} occurs once`)
    const untyped = text.replaceAll(/«\d+»/g, '')
    for (const note of notes) assert.equal(untyped.split(note).length, 2, `${note} occurs once`)
    assert.equal(untyped.replaceAll(/\n\{\d+\}\n/g, ''), start)
    assert.ok(notes.size > 0)
  })

test('text typed offline and online at the same time is merged completely', async () => {
  const id = await createPage('first line\n\nlast line\n')
  const writers = await openEditors(id)
  const [ann, bob] = writers as [Writer, Writer]
  ann.connection.isDown = true
  ann.connection.cut()
  const token = (name: string, index: number) => `${name}${index} `
  for (let n = 0; n < 500; n++) {
    ann.type(
      n === 0 ? 5 : ann.editorText.indexOf(' line'),
      ann.editorText.indexOf(' line'),
      token('a', n),
    )
    const end = bob.editorText.length - 1
    bob.type(end, end, token('b', n))
    if (n % 50 === 0) await pause(5)
  }
  assert.equal(ann.session.state, 'offline')
  ann.connection.isDown = false
  ann.session.retry()
  await waitUntil(() => [ann, bob].every(({ session }) => session.state === 'saved'))
  await waitUntil(() => ann.editorText === bob.editorText)
  for (const [name, text] of [
    ['a', ann.editorText],
    ['b', ann.editorText],
  ] as const)
    for (let n = 0; n < 500; n++) assert.equal(text.split(token(name, n)).length, 2)
  for (const { session } of writers) session.end()
})
