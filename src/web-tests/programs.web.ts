import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { noChromium, openWeb, type Web } from './setup.ts'

// An administrator registers a program by keyboard, and refuses one.

let web: Web
before(async () => {
  if (noChromium) return
  web = await openWeb(undefined)
  const { store } = web.app
  await store.writer.run(() =>
    store.write
      .updateTable('users')
      .set({ status: 'deactivated' })
      .where('id', '=', web.eve.actor.id)
      .execute(),
  )
})
after(() => web?.close())

const skip = noChromium

test('an administrator registers a program by keyboard, reads its secret once, blocks and unblocks it', {
  skip,
}, async () => {
  const ann = await web.visit(web.ann)
  const { page } = ann
  await ann.go('/settings/programs')
  await page.getByText('No programs yet').waitFor()
  await ann.checkPage('programs-empty')
  await page.getByRole('textbox', { name: 'Name' }).focus()
  await page.keyboard.type('Copilot Studio')
  await page.keyboard.press('Tab')
  await page.keyboard.type('http://wrong.example/')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('is not accepted as a redirect address').waitFor()
  await page
    .getByRole('textbox', { name: 'Redirect addresses' })
    .fill('https://callback.example/redirect')
  await page.getByRole('button', { name: 'Create' }).click()
  const secretDialog = page.getByRole('dialog', { name: 'Copilot Studio was entered' })
  const secret = (
    await secretDialog.getByRole('region', { name: 'Client secret' }).innerText()
  ).trim()
  assert.match(secret, /^wcs_/)
  await ann.checkPage('programs-secret')
  await secretDialog.getByRole('button', { name: 'Done' }).click()
  const list = page.getByRole('list', { name: 'Programs' })
  await list.getByText('Copilot Studio').waitFor()
  await list.getByText('answers go to callback.example').waitFor()
  await ann.checkPage('programs')
  await page.getByRole('button', { name: 'Refuse Copilot Studio' }).click()
  const dialog = page.getByRole('dialog', { name: 'Refuse this program?' })
  await dialog.getByRole('button', { name: 'Refuse' }).click()
  await page.getByText('Copilot Studio is refused.').waitFor()
  await list.getByText('Refused', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Lift the decision about Copilot Studio' }).click()
  await page.getByText('The settings decide about Copilot Studio again.').waitFor()
  await page.getByRole('button', { name: 'Refuse Copilot Studio' }).waitFor()
  ann.assertNoProblems()
})

test('an administrator allows a host, blocks another by keyboard and removes both rules', {
  skip,
}, async () => {
  const ann = await web.visit(web.ann)
  const { page } = ann
  await ann.go('/settings/programs')
  const host = page.getByRole('textbox', { name: 'Host', exact: true })
  await host.focus()
  await page.keyboard.type('https://assistant.example/')
  await page.keyboard.press('Enter')
  await page.getByText('has to be the name of a host alone').waitFor()
  await host.fill('Assistant.example')
  await page.keyboard.press('Enter')
  await page.getByText('assistant.example is allowed.').waitFor()
  const list = page.getByRole('list', { name: 'Hosts' })
  await list.getByText('Allowed', { exact: true }).waitFor()
  await host.fill('phish.example')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Refuse this host?' })
  await dialog.getByText('answered at phish.example').waitFor()
  await dialog.getByRole('button', { name: 'Refuse' }).click()
  await page.getByText('phish.example is refused.').waitFor()
  await ann.checkPage('programs-hosts')
  for (const name of ['assistant.example', 'phish.example']) {
    await page.getByRole('button', { name: `Lift the decision about ${name}` }).click()
    await page.getByText(`The settings decide about ${name} again.`).waitFor()
  }
  await list.waitFor({ state: 'detached' })
  ann.assertNoProblems()
})

test('people who are not administrators read that the page is not for them', { skip }, async () => {
  const bob = await web.visit(web.bob)
  await bob.go('/settings/programs')
  await bob.page.getByRole('heading', { name: 'This is for administrators' }).waitFor()
  assert.equal(await bob.page.getByRole('textbox', { name: 'Redirect addresses' }).count(), 0)
  bob.assertNoProblems()
})
