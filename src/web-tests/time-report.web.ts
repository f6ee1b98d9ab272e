import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { noChromium, openWeb, type Web } from './setup.ts'
import { dayAhead, openFor } from './steps.ts'

const skip = noChromium
let web: Web

const today = dayAhead(0)
const lastMonth = new Date(Date.parse(`${today.slice(0, 7)}-01`) - 86_400_000)
  .toISOString()
  .slice(0, 10)

before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  const member_ids = [web.bob.actor.id]
  await web.ann.call('create_project', { name: 'Hours', key: 'HRS', member_ids })
  await web.ann.call('create_project', { name: 'Days', key: 'DAY' })
  const timeEntry = (project_id: string, duration_minutes: number, spent_on: string) => ({
    project_id,
    duration_minutes,
    spent_on,
  })
  await web.ann.call('create_time_entry', { ...timeEntry('HRS', 90, today), billable: true })
  await web.ann.call('create_time_entry', timeEntry('DAY', 30, today))
  await web.bob.call('create_time_entry', timeEntry('HRS', 120, today))
  await web.ann.call('create_time_entry', timeEntry('DAY', 45, lastMonth))
})
after(() => web?.close())

test('by keyboard: time is reported by project and person, period by period, and downloaded', {
  skip,
}, async () => {
  const { visitor, page, press } = await openFor(web, web.ann, '/time')
  await press('}')
  const table = page.getByRole('table', { name: 'Time report' })
  await table.getByRole('row', { name: /^Hours 3:30 1:30/ }).waitFor()
  await table.getByRole('row', { name: /^Days 0:30/ }).waitFor()
  await table.getByRole('row', { name: /^Total 4:00/ }).waitFor()
  await visitor.checkPage('time-report')
  await page.getByRole('combobox', { name: 'Grouped by' }).selectOption('person')
  await table.getByRole('row', { name: /^Ann 2:00/ }).waitFor()
  await page.getByRole('combobox', { name: 'Project' }).selectOption({ label: 'Hours' })
  await table.getByRole('row', { name: /^Ann 1:30/ }).waitFor()
  await web.bob.call('create_time_entry', {
    project_id: 'HRS',
    duration_minutes: 15,
    spent_on: today,
  })
  await table.getByRole('row', { name: /^Bob 2:15/ }).waitFor()
  await page.getByRole('link', { name: 'Bob' }).waitFor()

  await page.getByRole('button', { name: 'Download CSV' }).focus()
  const download = page.waitForEvent('download')
  await press('Enter')
  const csv = readFileSync(await (await download).path(), 'utf8')
  assert.equal(csv.trim().split('\n').length, 4, csv) // the heading and three entries
  assert.ok(!csv.includes('Days'), csv)

  await press('b')
  await page.getByRole('heading', { name: 'No time in this period' }).waitFor()
  await page.getByRole('combobox', { name: 'Project' }).selectOption({ label: 'All projects' })
  await table.getByRole('row', { name: /^Ann 0:45/ }).waitFor()
  await page.getByRole('button', { name: 'Download CSV' }).focus()
  await press('n')
  await table.getByRole('row', { name: /^Bob 2:15/ }).waitFor()
  visitor.assertNoProblems()
})
