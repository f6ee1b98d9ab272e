import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { choose, openFor, reopenFor } from './steps.ts'

const skip = noChromium
let web: Web

before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

const getIncident = (id: string, include: string[] = []) =>
  web.ann.call('get_incident', { incident_id: id, include })

test('by keyboard: an incident is declared, acknowledged, changed, resolved, and reverted', {
  skip,
}, async () => {
  await web.ann.call('create_service', { name: 'Shop', public: true })
  const { visitor, page, press } = await reopenFor(web, web.ann, '/')
  await press('g', 'u')
  await page.getByRole('heading', { name: 'No incidents' }).waitFor()
  await visitor.checkPage('incidents-empty')
  await press('c')
  await page.getByRole('textbox', { name: 'What is wrong' }).waitFor()
  await page.keyboard.type('Customers cannot pay')
  await page.getByRole('checkbox', { name: 'Shop' }).focus()
  await press('Space')
  await visitor.checkPage('incident-new')
  await page.getByRole('textbox', { name: 'What is wrong' }).focus()
  await press('Enter')
  await page.waitForURL('**/incidents/INC-1')
  await page.getByRole('heading', { level: 1, name: 'Customers cannot pay' }).waitFor()
  const [{ id }] = (await web.ann.call('list_incidents', {})).items
  assert.equal((await getIncident(id)).services[0].title, 'Shop')

  await press('Shift+K')
  await untilTrue(async () => (await getIncident(id)).status === 'acknowledged', 'not acknowledged')
  await page.locator('[aria-current="step"]').filter({ hasText: 'Acknowledged' }).waitFor()
  assert.equal((await getIncident(id)).roles.lead.id, web.ann.actor.id)
  await press('s')
  await choose(page, 'Severity', 'sev1')
  await untilTrue(
    async () => (await getIncident(id)).severity === 'sev1',
    'the severity is as before',
  )
  await press('a')
  await choose(page, 'Lead', 'bob')
  await untilTrue(
    async () => (await getIncident(id)).roles.lead.id === web.bob.actor.id,
    'the lead is as before',
  )
  await press('m')
  await page.keyboard.type('The **card gateway** answers nothing')
  await press('Control+Enter')
  await page.getByRole('log').getByText('card gateway').waitFor()
  await press('Escape')
  await press('Shift+M')
  await untilTrue(async () => (await getIncident(id)).status === 'mitigated', 'not mitigated')
  await press('Shift+R')
  await page.getByRole('textbox', { name: 'Resolution' }).waitFor()
  await page.keyboard.type('Switched to the second gateway')
  await visitor.checkPage('incident-resolve')
  await press('Control+Enter')
  await untilTrue(async () => (await getIncident(id)).status === 'resolved', 'not resolved')
  await page.locator('[aria-current="step"]').filter({ hasText: 'Resolved' }).waitFor()
  await visitor.checkPage('incident-resolved')
  await press('z')
  await untilTrue(async () => (await getIncident(id)).status === 'mitigated', 'not undone')
  await page.locator('[aria-current="step"]').filter({ hasText: 'Mitigated' }).waitFor()
  visitor.assertNoProblems()
})

test('entries by assistants and others appear live, in the same order for everybody', {
  skip,
}, async () => {
  const { id, key } = await web.ann.call('create_incident', {
    title: 'The queue grows',
    severity: 'sev2',
  })
  const first = await reopenFor(web, web.ann, `/incidents/${key}`)
  const second = await reopenFor(web, web.bob, `/incidents/${key}`)
  const findingText = (n: number) => `Finding ${n} of the assistant`
  await Promise.all([
    ...[1, 2, 3].map((n) =>
      web.carol.call('add_incident_note', { incident_id: id, body_markdown: findingText(n) }),
    ),
    web.bob.call('add_incident_note', { incident_id: id, body_markdown: 'Bob restarts it' }),
  ])
  const notesPerPage: string[][] = []
  for (const { page } of [first, second]) {
    for (const n of [1, 2, 3]) await page.getByRole('log').getByText(findingText(n)).waitFor()
    await page.getByRole('log').getByText('Bob restarts it').waitFor()
    notesPerPage.push(await page.locator('[data-entry="note"]').allTextContents())
  }
  const texts = notesPerPage.map((lines) =>
    lines.map((text) => /Finding \d|Bob restarts/.exec(text)?.[0]),
  )
  assert.equal(texts[0]?.length, 4)
  assert.deepEqual(texts[0], texts[1])
  const { items } = await web.ann.call('list_incident_timeline', {
    incident_id: id,
    kind: ['note'],
  })
  assert.deepEqual(
    texts[0]?.toReversed(),
    items.map(
      (entry: { body_markdown: string }) =>
        /Finding \d|Bob restarts/.exec(entry.body_markdown)?.[0],
    ),
  )
  first.visitor.assertNoProblems()
  second.visitor.assertNoProblems()
})

test('a status update previews the public page before publishing, and the published page matches', {
  skip,
}, async () => {
  await web.ann.call('create_service', { name: 'Payments', public: true })
  const { key } = await web.ann.call('create_incident', { title: 'INC internal', severity: 'sev1' })
  const { visitor, page, press } = await openFor(web, web.ann, `/incidents/${key}`)
  await press('p')
  await page.getByRole('textbox', { name: 'What customers should know' }).waitFor()
  await page.keyboard.type('Card payments fail. We are **looking into it**.')
  await page.getByRole('textbox', { name: 'Title' }).last().fill('Card payments fail')
  await page.getByRole('combobox', { name: /^Payments/ }).selectOption('major_outage')
  const preview = page.locator('[data-preview]')
  await preview.getByText('There is a major outage').waitFor()
  await preview.getByText('Card payments fail', { exact: true }).waitFor()
  const isPublished = async () =>
    (await (await visitor.context.request.get(`${web.url}/status`)).text()).includes(
      'Card payments fail',
    )
  assert.equal(await isPublished(), false, 'the preview was published')
  await visitor.checkPage('incident-update')
  const previewTexts = (await preview.locator('p, h4, strong, li span').allTextContents()).map(
    (text) => text.trim(),
  )
  await page.getByRole('textbox', { name: 'What customers should know' }).focus()
  await press('Control+Enter')
  await untilTrue(isPublished, 'it was not published')
  const statusPage = await visitor.context.newPage()
  await statusPage.goto(`${web.url}/status`)
  const text = (await statusPage.locator('body').textContent()) ?? ''
  for (const line of ['There is a major outage', 'Ongoing incidents and maintenance', 'Payments'])
    assert.ok(previewTexts.includes(line) && text.includes(line), line)
  for (const line of previewTexts.filter((item) => item !== '' && !/\d{4}/.test(item)))
    assert.ok(text.includes(line), `the page does not say: ${line}`)
  await statusPage.close()
  await press('z')
  await untilTrue(async () => !(await isPublished()), 'it was not undone')
  visitor.assertNoProblems()
})

test('a task, a runbook and a postmortem are created from an incident, and the postmortem closes it', {
  skip,
}, async () => {
  const project = await web.ann.call('create_project', { name: 'Reliability', key: 'REL' })
  await web.ann.call('create_runbook', { name: 'Restart it', steps: [{ title: 'Stop it' }] })
  const { id, key } = await web.ann.call('create_incident', {
    title: 'Disk full',
    severity: 'sev3',
  })
  const { visitor, page, press } = await reopenFor(web, web.ann, `/incidents/${key}`)
  await press('Shift+T')
  await page.getByRole('textbox', { name: 'Title' }).last().fill('Alert on full disks')
  await page.getByRole('combobox', { name: 'Project' }).selectOption(project.id)
  await press('Enter')
  await page
    .getByRole('link', { name: /Alert on full disks/ })
    .first()
    .waitFor()
  await press('r')
  await choose(page, 'Start a runbook', 'restart')
  await page.getByText('0 of 1 done').waitFor()
  await web.ann.call('resolve_incident', { incident_id: id, resolution: 'Made room' })
  await page.locator('[aria-current="step"]').filter({ hasText: 'Resolved' }).waitFor()
  await press('Shift+D')
  await page.getByRole('button', { name: 'Draft', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Draft', exact: true }).focus()
  await press('Enter')
  await untilTrue(
    async () => (await getIncident(id, ['postmortem'])).postmortem != null,
    'no postmortem was drafted',
  )
  await page.getByRole('button', { name: 'Publish and close' }).waitFor()
  await visitor.checkPage('incident')
  await press('Shift+D')
  await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor()
  await press('Control+Enter')
  await untilTrue(async () => (await getIncident(id)).status === 'closed', 'it is not closed')
  await page.locator('[aria-current="step"]').filter({ hasText: 'Closed' }).waitFor()
  visitor.assertNoProblems()
})

test('the list shows open incidents first, is searched and edited by keyboard, and shows the metrics', {
  skip,
}, async () => {
  const old = await web.ann.call('create_incident', { title: 'Long over', severity: 'sev1' })
  await web.ann.call('resolve_incident', { incident_id: old.id, resolution: 'Over' })
  const { id } = await web.ann.call('create_incident', { title: 'Slow search', severity: 'sev4' })
  const { visitor, page, press } = await reopenFor(web, web.ann, '/incidents?show=all')
  await page.locator(`[data-row-id="${id}"]`).waitFor()
  const rows = await page.locator('[data-row-id]').allTextContents()
  const isClosed = rows.map((text) => /Resolved|Closed/.test(text))
  assert.deepEqual(isClosed, isClosed.toSorted(), rows.join('\n'))
  await visitor.checkPage('incidents')
  await press('f')
  await page.keyboard.type('slow')
  await press('Enter')
  await untilTrue(
    async () => (await page.locator('[data-row-id]').count()) === 1,
    'it is not narrowed',
  )
  await press('Shift+K')
  await untilTrue(async () => (await getIncident(id)).status === 'acknowledged', 'not acknowledged')
  await page.getByRole('button', { name: 'Incident metrics' }).click()
  await page.getByRole('columnheader', { name: 'Until resolved' }).waitFor()
  await visitor.checkPage('incident-metrics')
  visitor.assertNoProblems()
})
