import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { noChromium, openWeb, type Web } from './setup.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined)
})
after(() => web?.close())

test('an unauthenticated visitor is redirected to sign in, and then back to the requested page', {
  skip,
}, async () => {
  const visitor = await web.visit()
  await visitor.go('/settings/security')
  await visitor.page.waitForURL('**/sign-in?*')
  assert.equal(new URL(visitor.page.url()).searchParams.get('to'), '/settings/security')
  visitor.assertNoProblems()
})

test('keys lead to places, a help lists them, and in text fields they only type letters', {
  skip,
}, async () => {
  const { page, ...visitor } = await web
    .visit(web.ann)
    .then(async (newVisitor) => (await newVisitor.go('/'), newVisitor))
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await page.waitForURL('**/activity')
  await page.getByRole('navigation').getByRole('link', { name: 'Tasks' }).click()
  await page.waitForURL('**/tasks')
  await page.goBack()
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await page.waitForURL('**/tasks')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search and go to' }).fill('keys and c')
  await page.getByRole('option', { name: 'Keys and connections', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/settings/integrations/api-keys')
  assert.deepEqual(visitor.problems, [])
})

test('the command menu receives the first typed letter, runs the chosen command, and returns the focus', {
  skip,
}, async () => {
  const visitor = await web.visit(web.ann)
  const { page } = visitor
  await visitor.go('/search')
  await page.keyboard.press('Escape')
  await page.getByRole('main').focus()
  await page.keyboard.press('/')
  await page.keyboard.type('fold')
  await page.getByRole('option', { name: 'Fold or unfold the sidebar', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  const sidebar = page.getByRole('navigation')
  await page.waitForFunction(
    () => document.querySelector('nav')!.getBoundingClientRect().width < 60,
  )
  assert.ok(await page.getByRole('main').evaluate((node) => node === document.activeElement))
  await page.keyboard.press('[')
  await page.waitForFunction(
    () => document.querySelector('nav')!.getBoundingClientRect().width > 200,
  )
  await sidebar.getByRole('link', { name: 'Activity' }).waitFor()
  visitor.assertNoProblems()
})

test('the help lists the keys of this screen, and single-letter keys can be disabled', {
  skip,
}, async () => {
  const visitor = await web.visit(web.ann)
  const { page } = visitor
  await visitor.go('/activity')
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.getByText('Switch between light and dark').waitFor()
  assert.equal(await help.getByText('Next call').count(), 0, 'there is no call to move to')
  await visitor.checkPage('keyboard-help')
  await help.getByRole('switch', { name: 'Single-letter shortcuts' }).press('Space')
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search and go to' }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/activity')
  visitor.assertNoProblems()
})

test('on a phone the navigation is at the bottom with thumb-sized targets, and the last one opens all places', {
  skip,
}, async () => {
  const visitor = await web.visit(web.ann)
  const { page } = visitor
  await page.setViewportSize({ width: 360, height: 740 })
  await visitor.go('/')
  const bar = page.getByRole('navigation')
  for (const target of await bar.locator('a, button').all()) {
    const box = await target.boundingBox()
    assert.ok(box!.height >= 44 && box!.width >= 44, (await target.textContent()) ?? '')
  }
  await bar.getByRole('button', { name: 'More' }).click()
  const placesDialog = page.getByRole('dialog', { name: 'All places' })
  for (const name of ['Tasks', 'Colleagues', 'Time off', 'Pulses'])
    assert.equal(await placesDialog.getByRole('link', { name, exact: true }).count(), 1, name)
  await placesDialog.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await placesDialog.waitFor({ state: 'detached' })
  assert.match(page.url(), /settings/)
  visitor.assertNoProblems()
})

test('the app says that it is offline, and continues once connected', { skip }, async () => {
  const visitor = await web.visit(web.ann)
  await visitor.go('/')
  await visitor.context.setOffline(true)
  await visitor.page.getByText('You are offline.').waitFor()
  await visitor.context.setOffline(false)
  await visitor.page.getByText('You are offline.').waitFor({ state: 'detached' })
})
