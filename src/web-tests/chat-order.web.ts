// Tests the order of messages: the same for everyone, and stable when scrolled back from far away.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Someone } from '../testing/harness.ts'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor, plantMessages, randomFrom, type Random } from './steps.ts'

const skip = noChromium
let web: Web

before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

type Session = Awaited<ReturnType<typeof openFor>>

const composer = (page: Page, name: string) =>
  page.getByRole('textbox', { name: `Message #${name}` })

/** Returns the channel's messages in a browser: texts from top to bottom, with `*` at those not yet sent. */
const shownTexts = (page: Page): Promise<string[]> =>
  page
    .locator('[data-list=channel] [data-message]')
    .evaluateAll((nodes) =>
      nodes.map(
        (node) =>
          (node.querySelector('p')?.textContent ?? '') +
          (node.textContent?.includes('Sending…') ? '*' : ''),
      ),
    )

/** Writes, edits and deletes messages by keyboard at random, sometimes offline. */
async function writeAtRandom(session: Session, name: string, random: Random): Promise<void> {
  const { page, press, visitor } = session
  for (let n = 0; n < 12; n++) {
    const roll = random.next()
    if (roll < 0.12) await visitor.context.setOffline(true)
    else if (roll < 0.3) await visitor.context.setOffline(false)
    await composer(page, 'order').fill(`${name} ${n}`)
    await composer(page, 'order').press('Enter') // not to the focused field: an edit may open late
    if (roll > 0.85) {
      await press('ArrowUp')
      const edit = page.getByRole('textbox', { name: 'Edit message' })
      if (
        await edit.waitFor({ timeout: 2000 }).then(
          () => true,
          () => false,
        )
      ) {
        await edit.fill(`${name} ${n} changed`)
        await edit.press('Enter')
      }
    }
  }
  await visitor.context.setOffline(false)
}

test('after three people write at random, sometimes offline, everybody sees the list_messages order', {
  skip,
}, async () => {
  const { id } = await web.ann.call('create_channel', {
    name: 'order',
    member_ids: [web.bob.id, web.carol.id],
  })
  const people: [Someone, string][] = [
    [web.ann, 'Ann'],
    [web.bob, 'Bob'],
    [web.carol, 'Carol'],
  ]
  const openings = people.map(([person]) => openFor(web, person, `/chat/${id}`))
  const browsers = await Promise.all(openings)
  await Promise.all(
    browsers.map((session, n) => writeAtRandom(session, people[n]?.[1] ?? '', randomFrom(n + 7))),
  )
  const listedTexts = async (): Promise<string[]> =>
    (await web.ann.call('list_messages', { channel_id: id, limit: 100 })).items
      .map((item: any) => item.content.text)
      .toReversed()
  await untilTrue(async () => (await listedTexts()).length >= 36, 'not all were sent')
  for (const { page, press } of browsers) {
    await page.setViewportSize({ width: 1440, height: 8000 }) // every row is drawn
    await press('End')
  }
  let visibleTexts: string[][] = []
  const allAgree = async () => {
    visibleTexts = await Promise.all(browsers.map(({ page }) => shownTexts(page)))
    const expected = JSON.stringify(await listedTexts())
    return visibleTexts.every((texts) => JSON.stringify(texts) === expected)
  }
  await untilTrue(allAgree, 'not the same').catch(() => undefined) // the comparison below shows the difference
  const serverTexts = await listedTexts()
  for (const texts of visibleTexts) assert.deepEqual(texts, serverTexts)
  for (const [, name] of people) {
    const ownNumbers = serverTexts
      .filter((text) => text.startsWith(name))
      .map((text) => text.split(' ')[1])
    assert.deepEqual(
      ownNumbers,
      Array.from({ length: 12 }, (_, n) => `${n}`),
      `${name}: in order, once`,
    )
  }
  for (const { visitor } of browsers) visitor.assertNoProblems()
})

test('of 10,000 new messages the first is shown, and reached again from the last by a key', {
  skip,
}, async () => {
  const count = 10_001
  const { id } = await web.ann.call('create_channel', { name: 'far', member_ids: [web.bob.id] })
  const first = await web.bob.call('send_message', { channel_id: id, body_markdown: 'Number 1' })
  await web.ann.call('mark_channel_read', { channel_id: id })
  await plantMessages(web, id, first.id, count)
  const { visitor, page, press } = await openFor(web, web.ann, `/chat/${id}`)
  const number = (n: number) => page.getByText(`Number ${n}`, { exact: true })
  const requireFew = async () => {
    const drawn = await page.locator('[data-list=channel] [data-message]').count()
    assert.ok(drawn > 0 && drawn <= 300, `${drawn} messages are on the screen`)
  }
  await number(2).waitFor()
  await page.getByText('New', { exact: true }).waitFor()
  await requireFew()
  const { items } = await web.ann.call('list_unread_messages', { channel_id: id })
  const firstUnread = items[0].messages[0].content.text as string
  await visitor.go(`/channels/${id}/msg_${String(count).padStart(26, '0')}`)
  await number(count).waitFor()
  await requireFew()
  await page.getByRole('button', { name: 'Jump to the first unread message' }).waitFor()
  assert.equal(await page.getByText('New', { exact: true }).count(), 0, 'its place is far above')
  await page.getByRole('article').last().focus()
  await press('u')
  await page.getByText(firstUnread, { exact: true }).waitFor()
  await page.getByText('New', { exact: true }).waitFor()
  await page.waitForFunction(() => {
    const line = document.querySelector('[data-unread]')?.getBoundingClientRect()
    return line !== undefined && line.top > 0 && line.bottom < window.innerHeight
  })
  await requireFew()
  visitor.assertNoProblems()
})
