// Tests presence: two people with a browser each see who else is looking at the same item.

import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor, typeUntil } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (skip) return
  web = await openWeb(undefined)
  await web.ann.call('create_project', { name: 'Mill', key: 'MIL', member_ids: [web.bob.id] })
  await web.ann.call('create_task', { project_id: 'MIL', title: 'Oil the wheel' })
})
after(() => web?.close())

const hereImage = (page: Page, name: string) => page.getByRole('img', { name: `${name} is here` })
const waitForAnnouncement = (page: Page, text: string) =>
  page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' })

test('two people on a task see each other, on its page and in the list, and that one is typing', {
  skip,
}, async () => {
  const ann = await openFor(web, web.ann, '/tasks/MIL-1')
  const bob = await openFor(web, web.bob, '/tasks?project=MIL')
  await bob.page.getByText('Oil the wheel').waitFor()
  await bob.press('j', 'Space')
  await hereImage(bob.page, 'Ann').waitFor()
  await hereImage(ann.page, 'Bob').waitFor()
  await waitForAnnouncement(ann.page, 'Bob is here too')
  await ann.visitor.checkPage('presence-task')

  await bob.press('Enter')
  await bob.page.waitForURL('**/tasks/MIL-1')
  const comment = bob.page.getByRole('textbox', { name: 'Write a comment…' })
  await comment.waitFor()
  await bob.press('m')
  await comment.and(bob.page.locator(':focus')).waitFor() // the page may mount the field anew meanwhile
  await bob.page.keyboard.type('Which oil is the right one? ')
  await typeUntil(bob.page, 'This one? ', async () => {
    await waitForAnnouncement(ann.page, 'Bob is typing…')
    await ann.page.getByRole('img', { name: 'Bob is typing' }).waitFor()
    await ann.visitor.checkPage('presence-typing')
  })
  await bob.press('Control+Enter')
  await hereImage(ann.page, 'Bob').waitFor()
  await ann.page.getByText('Which oil').waitFor()

  await bob.visitor.go('/tasks?project=MIL')
  await hereImage(ann.page, 'Bob').waitFor({ state: 'detached' })
  ann.visitor.assertNoProblems()
  bob.visitor.assertNoProblems()
})

test('a page shows a row of faces, without people who have switched it off', {
  skip,
}, async () => {
  const { id } = await web.ann.call('create_page', { title: 'Tides', body_markdown: 'High water' })
  for (const person of [web.bob, web.carol])
    await web.ann.call('share_page', { page_id: id, person_id: person.id, role: 'editor' })
  const ann = await openFor(web, web.ann, `/pages/${id}`)
  const bob = await openFor(web, web.bob, `/pages/${id}`)
  const carol = await openFor(web, web.carol, `/pages/${id}`)
  const faces = ann.page.getByRole('list', { name: 'Also here' })
  await hereImage(ann.page, 'Bob').waitFor()
  await hereImage(ann.page, 'Carol').waitFor()
  await faces.getByRole('listitem').nth(1).waitFor()
  await carol.press('e')
  await carol.page.getByRole('textbox', { name: 'Text of Tides' }).waitFor()
  await carol.page.keyboard.type('Low water ')
  await ann.page.getByRole('img', { name: 'Carol is typing' }).waitFor()
  await ann.visitor.checkPage('presence-page')

  const settings = await bob.visitor.context.newPage()
  await settings.goto(`${web.url}/settings/profile`)
  const presenceSwitch = settings.getByRole('switch', { name: 'Show others what I look at' })
  await presenceSwitch.focus()
  await settings.keyboard.press('Space')
  await settings.waitForFunction(
    () => !document.querySelector<HTMLInputElement>('input[role=switch]')?.checked,
  )
  await bob.page.bringToFront()
  await hereImage(bob.page, 'Ann').waitFor()
  await hereImage(ann.page, 'Bob').waitFor({ state: 'detached' })
  for (const { visitor } of [ann, bob, carol]) visitor.assertNoProblems()
})

test('in a conversation the other person sees typing until the message is sent', {
  skip,
}, async () => {
  const { id } = await web.ann.call('create_channel', {
    name: 'harbour',
    member_ids: [web.carol.actor.id],
  })
  await web.ann.call('send_message', { channel_id: id, body_markdown: 'Which ship is it?' })
  const ann = await openFor(web, web.ann, `/chat/${id}`)
  const carol = await openFor(web, web.carol, `/chat/${id}`)
  await carol.page.getByText('Which ship is it?').waitFor()
  await carol.press('m')
  await typeUntil(carol.page, 'so ', async () => {
    await waitForAnnouncement(ann.page, 'Carol is typing…')
    await ann.visitor.checkPage('chat-typing')
  })
  await carol.page.keyboard.type('from Oslo')
  await carol.press('Enter')
  await ann.page.getByText('from Oslo').waitFor()
  await ann.page.getByText('Carol is typing…').waitFor({ state: 'detached' })
  ann.visitor.assertNoProblems()
  carol.visitor.assertNoProblems()
})
