// Items can be opened, and their content is shown safely.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { violations } from '../testing/chromium.ts'
import { noChromium, openWeb, type Web } from './setup.ts'

const skip = noChromium
let web: Web

before(async () => {
  if (skip) return
  web = await openWeb(undefined)
  await web.ann.call('create_project', { name: 'Quokka', key: 'QUO' })
  await web.ann.call('create_task', { project_id: 'QUO', title: 'Feed the quokka' })
})
after(() => web?.close())

test('the palette finds places and items by typing alone, announces the results, and opens one', {
  skip,
}, async () => {
  const visitor = await web.visit(web.ann)
  const { page } = visitor
  const task = await web.ann.call('create_task', {
    project_id: 'QUO',
    title: 'Repair the valve of the greenhouse',
  })
  await visitor.go('/')
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search and go to' })
  await field.fill('valve greenhouse')
  await page.getByRole('option', { name: /Repair the valve/ }).waitFor()
  await page
    .getByRole('status')
    .filter({ hasText: /result/ })
    .waitFor({ state: 'attached' })
  assert.deepEqual(await violations(page), [])
  await page.screenshot({ path: 'test-results/web/palette.png' })
  for (
    let i = 0;
    i < 10 &&
    !(await page.getByRole('option', { name: /Repair the valve/, selected: true }).count());
    i++
  )
    await field.press('ArrowDown')
  await field.press('Enter')
  await page.waitForURL(`**/tasks/${task.key}`)
  await page.getByRole('heading', { level: 1, name: task.title }).waitFor()
  await page.keyboard.press('/')
  await field.fill('valve')
  await page.getByRole('option', { name: /Search everything for/ }).click()
  await page.waitForURL('**/search?q=valve')
  await page.getByRole('link', { name: /Repair the valve/ }).waitFor()
  visitor.assertNoProblems()
})

test('the search explains its hits, is narrowed by filters in the URL, and says so when nothing is found', {
  skip,
}, async () => {
  const visitor = await web.visit(web.ann)
  const { page } = visitor
  await web.ann.call('create_page', {
    title: 'Marmalade',
    body_markdown: 'How marmalade is made in winter.',
  })
  await web.ann.call('create_task', { project_id: 'QUO', title: 'Buy marmalade' })
  await visitor.go('/search?q=marmalade')
  await page.getByRole('link', { name: /Buy marmalade/ }).waitFor()
  await page.getByRole('link', { name: 'Marmalade', exact: true }).waitFor()
  assert.match(
    (await page.locator('li', { hasText: 'How marmalade' }).textContent())!,
    /words.*has marmalade/,
  )
  await visitor.checkPage('search')
  await page
    .getByRole('group', { name: 'Kinds' })
    .getByText(/^Pages \d+$/)
    .click()
  await page.waitForURL('**/search?*kinds=page*')
  await page.getByRole('link', { name: /Buy marmalade/ }).waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('link', { name: 'Marmalade', exact: true }).waitFor()
  assert.equal(await page.getByRole('link', { name: /Buy marmalade/ }).count(), 0)
  await visitor.go('/search?q=%22xylophonebridge%22&kinds=meeting')
  await page.getByText('Nothing found for').waitFor()
  await page.getByText('Searched: Meetings.').waitFor()
  await visitor.checkPage('search-nothing')
  visitor.assertNoProblems()
})

test('user content is text: no script, no remote image, no executable link', {
  skip,
}, async () => {
  const visitor = await web.visit(web.ann)
  const { page } = visitor
  const body_markdown =
    '# One\n\n<script>window.broken = 1</script><img src=x onerror="window.broken = 2">\n\n![far](https://elsewhere.test/pixel.png) [run](javascript:window.broken=3) [out](https://elsewhere.test/page) [in](/tasks/QUO-1) [[Untrusted]] `[[code]]`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n\n```\ncode\n```\n'
  const untrusted = await web.ann.call('create_page', { title: 'Untrusted', body_markdown })
  await visitor.go(`/pages/${untrusted.id}`)
  await page.getByRole('heading', { name: 'One', level: 2 }).waitFor()
  assert.equal(await page.evaluate(() => (globalThis as { broken?: number }).broken), undefined)
  assert.equal(await page.locator('.markdown img, .markdown script').count(), 0)
  assert.equal(await page.getByRole('link', { name: 'run' }).count(), 0)
  assert.match(
    (await page.getByRole('link', { name: 'out' }).getAttribute('rel'))!,
    /noopener noreferrer/,
  )
  assert.deepEqual(await violations(page), [])
  assert.equal(
    await page.getByRole('link', { name: 'Untrusted', exact: true }).getAttribute('href'),
    '/search?q=Untrusted&kinds=page',
  )
  assert.equal(await page.getByRole('link', { name: 'code' }).count(), 0)
  await page.getByRole('link', { name: 'in', exact: true }).click()
  await page.waitForURL('**/tasks/QUO-1')
  visitor.assertNoProblems()
})

test('a file is displayed if that is safe, and downloaded otherwise; its address survives a reload', {
  skip,
}, async () => {
  const visitor = await web.visit(web.ann)
  const { page } = visitor
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const picture = await web.ann.call('upload_file', { name: 'pixel.png', content_base64: pixel })
  const htmlFile = await web.ann.call('upload_file', {
    name: 'active.html',
    content_text: '<script>window.broken = 1</script>',
  })
  await visitor.go(`/files/${picture.id}`)
  await page.locator('img[alt="pixel.png"]').evaluate((node: HTMLImageElement) => node.decode())
  assert.equal(
    await page
      .locator('img[alt="pixel.png"]')
      .evaluate((node: HTMLImageElement) => node.naturalWidth),
    1,
  )
  await page.reload()
  await page.locator('img[alt="pixel.png"]').waitFor()
  await visitor.go(`/files/${htmlFile.id}`)
  assert.equal(await page.evaluate(() => (globalThis as { broken?: number }).broken), undefined)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  assert.equal(download.suggestedFilename(), 'active.html')
  visitor.assertNoProblems()
})
