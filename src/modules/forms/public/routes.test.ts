import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Browser, givePasswords } from '../../../testing/browser.ts'
import { minute } from '../../../testing/harness.ts'
import { serveWorkspace, type ServedWorkspace } from '../../../testing/server.ts'

let served: ServedWorkspace
before(
  async () => void (served = await serveWorkspace({ settings: { limits: true, rate_address: 0 } })),
)
after(() => served.close())

const fields = [
  { id: 'name', label: 'Name', type: 'short_text', required: true },
  { id: 'kind', label: 'Kind', type: 'select', options: ['Bug', 'Idea'], required: true },
  {
    id: 'bad',
    label: 'How bad',
    type: 'rating',
    required: true,
    show_if: { field_id: 'kind', op: 'equals', value: 'Bug' },
  },
]

async function publish(more: Record<string, unknown> = {}, settings: Record<string, unknown> = {}) {
  const draft = await served.bob.call('create_form', {
    title: 'Report',
    fields,
    ...more,
    settings: { audience: 'public', ...settings },
  })
  const form = await served.bob.call('publish_form', { form_id: draft.id })
  return { ...form, path: new URL(form.public_url).pathname }
}

type Fields = Record<string, string | string[]>

const get = (path: string) => served.ask('GET', path, { key: undefined })
const tokenIn = (html: string) => /name="_token" value="([^"]+)"/.exec(html)?.[1] ?? ''
const count = async (id: string): Promise<number> =>
  (await served.bob.call('get_form', { form_id: id })).response_count
const errorsIn = (html: string) =>
  [...html.matchAll(/<li><a href="#([^"]+)">([^<]+)<\/a>/g)].map(
    (match) => `${match[1]} ${match[2]}`,
  )

async function post(path: string, data: Fields | FormData, headers: Record<string, string> = {}) {
  const body =
    data instanceof FormData
      ? data
      : new URLSearchParams(
          Object.entries(data).flatMap(([name, value]) =>
            [value].flat().map((item): [string, string] => [name, item]),
          ),
        )
  const response = await fetch(served.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body,
  })
  return {
    status: response.status,
    text: await response.text(),
    headers: response.headers,
    location: response.headers.get('location') ?? '',
  }
}

test('a form is filled in page by page without scripts, and the next questions follow from the answers', async () => {
  const form = await publish()
  const first = await get(form.path)
  assert.deepEqual(
    [
      first.status,
      first.headers.get('cache-control'),
      first.text.includes('How bad'),
      first.text.includes('Continue'),
    ],
    [200, 'no-store', false, true],
  )
  assert.match(
    first.headers.get('content-security-policy')!,
    /default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'/,
  )
  assert.ok(!first.text.includes('<script') && !/ style=| on\w+=/.test(first.text))
  const token = tokenIn(first.text)
  const withErrors = await post(form.path, { _token: token, _step: '0', _do: 'next', name: ' ' })
  assert.deepEqual(
    [withErrors.status, errorsIn(withErrors.text)],
    [422, ['f-name Name: this field is required', 'f-kind-0 Kind: choose one']],
  )
  assert.match(withErrors.text, /<title>Error: Report<\/title>/)
  const second = await post(form.path, {
    _token: token,
    _step: '0',
    _do: 'next',
    name: 'Zoe "Q" <i>',
    kind: 'Bug',
  })
  assert.ok(
    second.text.includes('How bad') &&
      second.text.includes('value="Zoe &#34;Q&#34; &#60;i&#62;"') &&
      !second.text.includes('<i>'),
  )
  const previousPage = await post(form.path, {
    _token: token,
    _step: '1',
    _do: 'back',
    name: 'Zoe',
    kind: 'Bug',
  })
  assert.match(previousPage.text, /id="f-kind-0" name="kind" value="Bug" checked/)
  const sent = await post(form.path, {
    _token: tokenIn(second.text),
    _step: '1',
    _do: 'send',
    name: 'Zoe',
    kind: 'Bug',
    bad: '4',
    unknown: 'x',
  })
  assert.equal(sent.status, 303)
  assert.match((await get(sent.location)).text, /Your answers were received/)
  const [response] = (await served.bob.call('list_form_responses', { form_id: form.id })).items
  assert.deepEqual(
    [
      response.trust,
      response.respondent,
      response.answers.map((answer: { value: unknown }) => answer.value),
    ],
    ['external', undefined, ['Zoe', 'Bug', 4]],
  )
  const idea = await post(form.path, {
    _token: tokenIn((await get(form.path)).text),
    _step: '0',
    _do: 'next',
    name: 'Zoe',
    kind: 'Idea',
  })
  assert.ok(idea.text.includes('You have reached the end'))
})

test('the page and the API report the same errors and ignore the same fields', async () => {
  const form = await publish()
  for (const answers of [
    { name: 'a', kind: 'Idea', bad: '9' },
    { name: 'x'.repeat(501), kind: 'Joke' },
    { kind: 'Bug', bad: 'x' },
    { name: 'a', kind: 'Bug' },
    { name: 'a', kind: 'Bug', bad: '5' },
  ] as Record<string, string>[]) {
    const page = await post(form.path, {
      _token: tokenIn((await get(form.path)).text),
      _step: '1',
      _do: 'send',
      ...answers,
    })
    const api = await served.carol.call('submit_form_response', { form_id: form.id, answers }).then(
      () => undefined,
      (error) => error,
    )
    assert.equal(page.status === 303, api === undefined, JSON.stringify(answers))
    if (api)
      assert.ok(
        errorsIn(page.text).length > 0 &&
          errorsIn(page.text).every((line) => api.message.includes(line.split(': ')[1]!)),
        page.text,
      )
  }
})

test('a double submission is one response; different answers from the same page are not stored', async () => {
  const form = await publish({ fields: [fields[0]] })
  const _token = tokenIn((await get(form.path)).text)
  const all = await Promise.all(
    Array.from({ length: 4 }, () =>
      post(form.path, { _token, _step: '0', _do: 'send', name: 'once' }),
    ),
  )
  assert.deepEqual(
    [all.map((item) => item.status), await count(form.id)],
    [[303, 303, 303, 303], 1],
  )
  const other = await post(form.path, { _token, _step: '0', _do: 'send', name: 'twice' })
  assert.deepEqual([other.status, await count(form.id)], [422, 1])
  assert.equal(
    (await post(form.path, { _token: tokenIn(other.text), _step: '0', _do: 'send', name: 'twice' }))
      .status,
    303,
  )
  assert.equal(await count(form.id), 2)
})

test('nothing is stored without a current page token of this form', async () => {
  const form = await publish({ fields: [fields[0]] })
  const other = await publish({ fields: [fields[0]] })
  const old = tokenIn((await get(form.path)).text)
  for (const _token of [
    '',
    'x',
    'a.b',
    tokenIn((await get(other.path)).text),
    `${old}x`,
    `${Buffer.from('{"tool":"form_page"}').toString('base64url')}.x`,
  ]) {
    const response = await post(form.path, { _token, _step: '0', _do: 'send', name: 'x' })
    assert.deepEqual([response.status, await count(form.id)], [422, 0], _token)
  }
  served.clock.wait(25 * 60 * minute)
  const late = await post(form.path, { _token: old, _step: '0', _do: 'send', name: 'kept text' })
  assert.ok(
    late.status === 422 &&
      late.text.includes('kept text') &&
      late.text.includes('page has expired'),
  )
  assert.equal(
    (
      await post(form.path, {
        _token: tokenIn(late.text),
        _step: '0',
        _do: 'send',
        name: 'kept text',
      })
    ).status,
    303,
  )
})

test('bots that fill in every field, or are too fast on a guarded form, are blocked, and people get an explanation', async () => {
  const form = await publish({ fields: [fields[0]] }, { captcha: true })
  const _token = tokenIn((await get(form.path)).text)
  const trapped = await post(form.path, {
    _token,
    _step: '0',
    _do: 'send',
    name: 'x',
    _homepage: 'http://spam',
  })
  assert.ok(
    trapped.status === 422 &&
      /hidden field was filled in|too quickly/.test(trapped.text) &&
      !trapped.text.includes('http://spam'),
  )
  const quick = await post(form.path, { _token, _step: '0', _do: 'send', name: 'x' })
  assert.ok(quick.status === 422 && quick.text.includes('too quickly'))
  served.clock.pass(4000)
  assert.equal((await post(form.path, { _token, _step: '0', _do: 'send', name: 'x' })).status, 303)
})

test('files are sent by multipart, with allowed types and sizes', async () => {
  const form = await publish({
    fields: [fields[0], { id: 'shot', label: 'Shot', type: 'file', max: 2, required: true }],
  })
  const page = await get(form.path)
  assert.ok(page.text.includes('enctype="multipart/form-data"'))
  const send = async (files: [string, string | Uint8Array<ArrayBuffer>][], more: Fields = {}) => {
    const data = new FormData()
    for (const [name, value] of Object.entries({
      _token: tokenIn((await get(form.path)).text),
      _step: '0',
      _do: 'send',
      name: 'x',
      ...more,
    }))
      data.append(name, value as string)
    for (const [name, content] of files) data.append('shot', new Blob([content]), name)
    return post(form.path, data)
  }
  assert.deepEqual(errorsIn((await send([])).text), ['f-shot Shot: add a file'])
  assert.match((await send([['a.exe', 'MZ']])).text, /has a type that is not accepted/)
  assert.match((await send([['a.png', 'no picture']])).text, /does not match its name/)
  assert.match(
    (
      await send([
        ['a.txt', '1'],
        ['b.txt', '2'],
        ['c.txt', '3'],
      ])
    ).text,
    /at most 2 files/,
  )
  const large = await send([['a.txt', new Uint8Array(11 * 2 ** 20).fill(65)]])
  assert.deepEqual(
    [large.status, large.headers.get('content-type')],
    [413, 'text/html; charset=utf-8'],
  )
  assert.equal(
    (
      await send([
        ['../a b.txt', 'hello'],
        ['b.pdf', '%PDF-1.7'],
      ])
    ).status,
    303,
  )
  const [response] = (await served.bob.call('list_form_responses', { form_id: form.id })).items
  assert.deepEqual(
    response.answers[1].value.map((item: { name: string; size_bytes: number }) => [
      item.name,
      item.size_bytes,
    ]),
    [
      ['a b.txt', 5],
      ['b.pdf', 8],
    ],
  )
  assert.equal(
    Buffer.from(
      (
        await served.bob.call('get_file_content', {
          file_id: response.answers[1].value[0].file_id,
          format: 'base64',
        })
      ).base64,
      'base64',
    ).toString(),
    'hello',
  )
})

test('an invalid submission is refused with a page, never with a 5xx', async () => {
  const form = await publish({ fields: [fields[0]] })
  const raw = (body: string, type: string) =>
    post(form.path, {} as Fields, {}).then(() =>
      fetch(served.url + form.path, { method: 'POST', body, headers: { 'content-type': type } }),
    )
  assert.equal((await raw('{}', 'application/json')).status, 415)
  assert.equal((await raw('x'.repeat(70_000), 'application/x-www-form-urlencoded')).status, 413)
  assert.equal(
    (await raw(`${'a=1&'.repeat(500)}`, 'application/x-www-form-urlencoded')).status,
    400,
  )
  assert.equal(
    (await raw('--x\r\nnonsense', 'multipart/form-data; boundary=x')).status,
    415,
    'a form without file fields accepts no multipart data',
  )
  for (const method of ['PUT', 'DELETE', 'PATCH'])
    assert.equal((await fetch(served.url + form.path, { method })).status, 405)
  for (const path of ['/f/x', '/f/AAAAAAAAAAAAAAAAAAAAAA', `${form.path}/x`, '/f/%00'])
    assert.equal((await get(path)).status, 404, path)
  for (const _step of ['-1', '999', 'x', ''])
    assert.ok(
      (
        await post(form.path, {
          _token: tokenIn((await get(form.path)).text),
          _step,
          _do: 'next',
          name: 'x',
        })
      ).status < 500,
    )
})

test('an address can submit ten responses in ten minutes; then the page says when to retry and keeps the answers', async () => {
  served.clock.wait(60 * minute)
  const form = await publish({ fields: [fields[0]] })
  const statuses: number[] = []
  const startedAt = performance.now()
  let last: { retryAfterSeconds: number; keepsText: boolean } | undefined
  for (let i = 0; i < 12; i++) {
    const response = await post(form.path, {
      _token: tokenIn((await get(form.path)).text),
      _step: '0',
      _do: 'send',
      name: `n${i}`,
    })
    statuses.push(response.status)
    last = {
      retryAfterSeconds: Number(response.headers.get('retry-after')),
      keepsText: response.text.includes('value="n11"'),
    }
  }
  assert.deepEqual(
    [statuses.filter((status) => status === 303).length, statuses.slice(10), last?.keepsText],
    [10, [429, 429], true],
  )
  const { retryAfterSeconds } = last!
  const elapsedSeconds = (performance.now() - startedAt) / 1000 // during which the rate limit refills
  assert.ok(
    retryAfterSeconds >= 60 - elapsedSeconds && retryAfterSeconds <= 60,
    String(retryAfterSeconds),
  )
  served.clock.wait(minute)
  assert.equal(
    (
      await post(form.path, {
        _token: tokenIn((await get(form.path)).text),
        _step: '0',
        _do: 'send',
        name: 'later',
      })
    ).status,
    303,
  )
})

test('a closed form says so, even to people with the page open; a trashed one is not found', async () => {
  served.clock.wait(60 * minute)
  const form = await publish(
    { fields: [fields[0]] },
    { response_limit: 1, thank_you: 'Bye <b>\n\nnow' },
  )
  const [firstToken, secondToken] = [
    tokenIn((await get(form.path)).text),
    tokenIn((await get(form.path)).text),
  ]
  const sent = await post(form.path, { _token: firstToken, _step: '0', _do: 'send', name: 'x' })
  assert.match((await get(sent.location)).text, /<p>Bye &#60;b&#62;<\/p>\n<p>now<\/p>/)
  const late = await post(form.path, { _token: secondToken, _step: '0', _do: 'send', name: 'y' })
  assert.ok(
    late.text.includes('This form has reached its response limit') &&
      late.text.includes('Report is closed'),
  )
  await served.bob.call('publish_form', { form_id: form.id, response_limit: null })
  await served.bob.call('close_form', { form_id: form.id, message: 'Call us <i>' })
  assert.match((await get(form.path)).text, /<p>Call us &#60;i&#62;<\/p>/)
  await served.bob.call('delete_form', { form_id: form.id })
  assert.equal((await get(form.path)).status, 404)
})

test('an organization form requires a sign-in there, and a response is the person’s own call', async () => {
  served.clock.wait(60 * minute)
  await givePasswords(served, served.carol, served.eve)
  const form = await publish({ fields: [fields[0]] }, { audience: 'organization' })
  const stranger = await get(form.path)
  assert.deepEqual([stranger.status, stranger.text.includes('Report')], [403, false])
  assert.equal(
    (await new Browser(served).signIn('eve@other.test').then((eve) => eve.get(form.path))).status,
    403,
  )
  const carol = await new Browser(served).signIn('carol@acme.test')
  const page = await carol.get(form.path)
  const cookie = [...carol.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const sent = await post(
    form.path,
    { _token: tokenIn(page.text), _step: '0', _do: 'send', name: 'Carol' },
    { cookie },
  )
  assert.equal(sent.status, 303)
  const [response] = (await served.bob.call('list_form_responses', { form_id: form.id })).items
  assert.deepEqual([response.trust, response.respondent.person.title], ['internal', 'Carol'])
  const forged = await post(
    form.path,
    {
      _token: tokenIn((await get((await publish({ fields: [fields[0]] })).path)).text),
      _step: '0',
      _do: 'send',
      name: 'forged',
    },
    { cookie },
  )
  assert.deepEqual([forged.status, await count(form.id)], [422, 1])
})

test('views, starts and durations are counted', async () => {
  served.clock.wait(60 * minute)
  const form = await publish({ fields: [fields[0]] })
  await get(form.path)
  await served.ask('HEAD', form.path, { key: undefined })
  const _token = tokenIn((await get(form.path)).text)
  const wrong = await post(form.path, { _token, _step: '0', _do: 'send', name: '' })
  served.clock.pass(90_000)
  await post(form.path, { _token: tokenIn(wrong.text), _step: '0', _do: 'send', name: 'x' })
  const stats = await served.bob.call('get_form_stats', { form_id: form.id })
  assert.deepEqual(
    [stats.views, stats.started, stats.completed, stats.completion_rate, stats.median_seconds],
    [2, 1, 1, 1, 90],
  )
})

test('a page from before a change of questions is shown again with the new ones, keeping its answers', async () => {
  const form = await publish({ fields: [fields[0]] })
  const _token = tokenIn((await get(form.path)).text)
  const changedField = { ...fields[0], label: 'Your wish' }
  await served.bob.call('update_form', { form_id: form.id, fields: [changedField] })
  const shownAgain = await post(form.path, { _token, _step: '0', _do: 'send', name: 'Zoe' })
  assert.equal(shownAgain.status, 422)
  assert.match(shownAgain.text, /The questions were changed after you opened the page/)
  assert.ok(shownAgain.text.includes('Your wish') && shownAgain.text.includes('value="Zoe"'))
  assert.equal(await count(form.id), 0)
  const sent = { _token: tokenIn(shownAgain.text), _step: '0', _do: 'send', name: 'A bench' }
  assert.equal((await post(form.path, sent)).status, 303)
  const [{ answers }] = (await served.bob.call('list_form_responses', { form_id: form.id })).items
  assert.deepEqual(answers, [{ field_id: 'name', label: 'Your wish', value: 'A bench' }])
})
