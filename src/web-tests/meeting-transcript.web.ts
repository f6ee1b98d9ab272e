// A transcript of 5,000 lines: only visible lines are rendered, and each is reachable by keyboard, by search and by its
// address.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { reopenFor } from './steps.ts'

const skip = noChromium
const lineCount = 5000
let web: Web
let id: string

before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  const meeting = await web.ann.call('create_meeting', {
    title: 'Long talk',
    ends_at: '2026-02-02T12:00:00Z',
  })
  id = meeting.id
  const transcriptLines = Array.from(
    { length: lineCount },
    (_, n) =>
      `${n % 2 ? 'Bob' : 'Ann'}: Sentence ${n}${n % 7 ? '' : ', at some length'.repeat(9)}.`,
  )
  await web.ann.call('import_transcript', { meeting_id: id, content: transcriptLines.join('\n') })
})
after(() => web?.close())

const waitForFocus = (page: Page, n: number) =>
  untilTrue(
    () => page.evaluate((line) => document.activeElement?.id === `line-${line}`, n),
    `line ${n} does not have the focus`,
  )

/** True if a line is entirely visible within the scrolling area. */
const isInSight = (page: Page, n: number) =>
  page.evaluate((line) => {
    const lineElement = document.getElementById(`line-${line}`)
    const frame = lineElement?.closest('section')?.getBoundingClientRect()
    const box = lineElement?.getBoundingClientRect()
    return (
      frame !== undefined &&
      box !== undefined &&
      box.top >= Math.max(0, frame.top - 1) &&
      box.bottom <= Math.min(innerHeight, frame.bottom + 1)
    )
  }, n)

test('by keyboard: of 5,000 lines only visible ones are rendered, and any of them can be reached', {
  skip,
}, async () => {
  const { visitor, page, press } = await reopenFor(web, web.ann, `/meetings/${id}`)
  const transcript = page.getByRole('region', { name: 'What was said' })
  const drawnLines = transcript.getByRole('listitem')
  await transcript.locator(`[aria-setsize="${lineCount}"]`).first().waitFor()
  assert.ok((await drawnLines.count()) < 100, `${await drawnLines.count()} lines are drawn`)
  await press('j', 'j')
  await waitForFocus(page, 1)
  await visitor.checkPage('meeting-transcript')

  await transcript.evaluate((node) => node.scrollTo(0, node.scrollHeight))
  await transcript.getByText(`Sentence ${lineCount - 1}.`).waitFor()
  assert.ok((await drawnLines.count()) < 100, `${await drawnLines.count()} lines are drawn`)
  await press('j')
  await waitForFocus(page, 2)
  await untilTrue(() => isInSight(page, 2), 'the line with the focus is out of sight')

  const search = page.getByRole('searchbox', { name: 'Search the transcript' })
  await search.fill('sentence 4321')
  await transcript.locator('[aria-setsize="1"]').waitFor()
  await search.blur()
  await press('j', 'd')
  const decisionDialog = page.getByRole('dialog', { name: 'Record decision' })
  await decisionDialog.getByText('Sentence 4321.').waitFor()
  await press('Escape')
  await decisionDialog.waitFor({ state: 'detached' })
  visitor.assertNoProblems()
})

test('the address of a line leads to it, however far down it is', { skip }, async () => {
  const { visitor, page, press } = await reopenFor(web, web.ann, `/meetings/${id}#line-4004`)
  await waitForFocus(page, 4004)
  await untilTrue(() => isInSight(page, 4004), 'the line is out of sight')
  await press('k')
  await waitForFocus(page, 4003)
  await untilTrue(() => isInSight(page, 4003), 'the line before it is out of sight')
  visitor.assertNoProblems()
})
