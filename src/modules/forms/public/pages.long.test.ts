import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { noChromium, openChromium, violations, withoutScripts } from '../../../testing/chromium.ts'
import { serveWorkspace, type ServedWorkspace } from '../../../testing/server.ts'
import { waitLimitMs } from '../../../testing/limits.ts'

let served: ServedWorkspace
let browser: Browser
before(async () => {
  if (noChromium) return
  ;[served, browser] = await Promise.all([serveWorkspace(), openChromium()])
  served.app.baseUrl = served.url
})
after(async () => {
  await browser?.close()
  await served?.close()
})

const fields = [
  { id: 'name', label: 'Your name', type: 'short_text', required: true },
  { id: 'email', label: 'Email', type: 'email', help: 'For our answer.' },
  { id: 'phone', label: 'Phone', type: 'phone' },
  { id: 'on', label: 'Since when', type: 'date' },
  {
    id: 'country',
    label: 'Country',
    type: 'select',
    options: ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'],
  },
  { id: 'tags', label: 'What is it about', type: 'multi_select', options: ['Speed', 'Looks'] },
  { id: 'kind', label: 'Kind', type: 'select', options: ['Bug', 'Idea'], required: true },
  {
    id: 'more',
    label: 'What happened',
    type: 'long_text',
    required: true,
    show_if: { field_id: 'kind', op: 'equals', value: 'Bug' },
  },
  { id: 'bad', label: 'How bad is it', type: 'rating' },
  { id: 'nps', label: 'Would you recommend us', type: 'nps' },
  { id: 'again', label: 'Happened before', type: 'yes_no' },
  { id: 'count', label: 'How often', type: 'number', min: 1, max: 99 },
  { id: 'shot', label: 'Picture', type: 'file' },
]

/** Presses a button and waits for the next page. */
async function press(page: Page, button: 'next' | 'back' | 'send'): Promise<void> {
  await Promise.all([
    page.waitForEvent('load', { timeout: waitLimitMs }),
    page.click(`button[value=${button}]`),
  ])
}

async function requireAccessible(page: Page, where: string): Promise<void> {
  assert.deepEqual(await violations(page), [], where)
}

test('in a script-free browser a form is filled in, corrected and sent with a file, and each page is accessible in light and dark mode', {
  skip: noChromium,
}, async () => {
  const { bob } = served
  const draft = await bob.call('create_form', {
    title: 'Report a problem',
    description_markdown: '## How it works\n\nTell us *everything*.',
    fields,
    settings: { audience: 'public', thank_you: 'We will look at it.' },
  })
  const form = await bob.call('publish_form', { form_id: draft.id })
  const page = await browser.newPage()
  const consoleMessages: string[] = []
  page.on('console', (message) => consoleMessages.push(message.text()))
  await withoutScripts(page)
  await page.goto(form.public_url)
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await requireAccessible(page, `first page, ${scheme}`)
  }
  await press(page, 'next')
  assert.match(await page.title(), /^Error: /)
  assert.deepEqual(
    await page.$$eval('#errors a', (links) => links.map((link) => link.textContent)),
    ['Your name: this field is required', 'Kind: choose one'],
  )
  assert.ok(page.url().endsWith('#errors'), 'the browser jumps to the list of errors')
  const descriptionId = await page.$eval('#f-name', (input) =>
    input.getAttribute('aria-describedby'),
  )
  assert.equal(
    await page.$eval(`#${descriptionId}`, (element) => element.textContent),
    'Error: This field is required',
  )
  await requireAccessible(page, 'with errors')
  await page.fill('#f-name', 'Zoe <Quinn>')
  await page.fill('#f-email', 'zoe@example.com')
  await page.selectOption('#f-country', 'H')
  await page.click('#f-tags-1')
  await page.click('#f-kind-0')
  await press(page, 'next')
  await requireAccessible(page, 'second page')
  await page.fill('#f-more', 'It broke.\nTwice.')
  await page.click('#f-bad-3')
  await page.click('#f-nps-10')
  await page.click('#f-again-0')
  await page.fill('#f-count', '12')
  await press(page, 'next')
  await requireAccessible(page, 'third page')
  await press(page, 'back')
  assert.equal(
    await page.$eval('#f-more', (element) => (element as unknown as { value: string }).value),
    'It broke.\nTwice.',
  )
  await press(page, 'next')
  await page.setInputFiles('#f-shot', new URL('../../../../README.md', import.meta.url).pathname)
  await press(page, 'send')
  assert.match(
    await page.$eval('main', (element) => element.textContent ?? ''),
    /We will look at it\./,
  )
  await requireAccessible(page, 'thanks')
  const [response] = (await bob.call('list_form_responses', { form_id: form.id })).items
  assert.equal(response.answers.at(-1).value[0].name, 'README.md')
  assert.deepEqual(
    response.answers
      .slice(0, -1)
      .map((answer: { field_id: string; value: unknown }) => [answer.field_id, answer.value]),
    [
      ['name', 'Zoe <Quinn>'],
      ['email', 'zoe@example.com'],
      ['country', 'H'],
      ['tags', ['Looks']],
      ['kind', 'Bug'],
      ['more', 'It broke.\nTwice.'],
      ['bad', 4],
      ['nps', 10],
      ['again', true],
      ['count', 12],
    ],
  )
  await bob.call('close_form', { form_id: form.id })
  await page.goto(form.public_url)
  await requireAccessible(page, 'closed')
  assert.deepEqual(
    consoleMessages.filter((text) => /Content Security Policy/.test(text)),
    [],
  )
})
