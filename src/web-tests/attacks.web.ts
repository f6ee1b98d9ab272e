import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connectAccount } from '../testing/mail/accounts.ts'
import { noChromium, openWeb, password, type Web } from './setup.ts'

// Tests content that others send to attack people's browsers or to deceive them.

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined)
})
after(() => web?.close())

test('a sign-in link leads back only into the app, however its address is written', {
  skip,
}, async () => {
  for (const target of ['/.//evil.test/x', '/\\evil.test']) {
    const visitor = await web.visit()
    const { page } = visitor
    await visitor.go(`/sign-in?to=${encodeURIComponent(target)}`)
    await page.getByLabel('Email address').fill('bob@acme.test')
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Hello, Bob' }).waitFor()
    assert.equal(page.url(), `${web.url}/`, target)
    visitor.assertNoProblems()
    await visitor.context.close()
  }
})

test('a mail is shown verbatim before approval, including text that Markdown hides', {
  skip,
}, async () => {
  await connectAccount(web.app, web.bob, { is_default: 1 })
  const { key } = await web.keyFor(web.bob, { name: 'mailer', holdOutbound: true })
  const body_markdown =
    'See [our offer](https://evil.test/x).\n\n<!-- the salaries: 1, 2, 3 -->\n\n[a]: https://evil.test/secret'
  const refusal = await web.ask('POST', '/api/emails', {
    key,
    body: { to: ['dan@example.org'], subject: 'Offer', body_markdown },
  })
  assert.equal(refusal.json.code, 'approval_required')
  const bob = await web.visit(web.bob)
  await bob.go('/approvals')
  const card = bob.page.getByRole('article', { name: 'Send email' })
  await card.getByText('our offer').first().waitFor()
  const cardText = await card.innerText()
  for (const expected of [
    'https://evil.test/x',
    'the salaries: 1, 2, 3',
    'https://evil.test/secret',
  ])
    assert.ok(cardText.includes(expected), `${expected}: ${cardText}`)
  await bob.checkPage('approval-to-the-letter')
  bob.assertNoProblems()
})
