import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { Queue } from '../jobs/queue.ts'
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

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const getContact = (id: string) => web.ann.call('get_contact', { contact_id: id })

test('by keyboard: a contact is created, edited in the table, found, opened, and a call is logged with a next step', {
  skip,
}, async () => {
  const { visitor, page, press } = await reopenFor(web, web.ann, '/')
  await press('g', 'r')
  await page.getByRole('heading', { name: 'No contacts yet' }).waitFor()
  await visitor.checkPage('contacts-empty')
  await press('c')
  await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor()
  await page.keyboard.type('Ada Lovelace')
  await press('Tab')
  await page.keyboard.type('ada@engines.example')
  await visitor.checkPage('contact-new')
  await press('Enter')
  await row(page, 'Ada Lovelace').waitFor()
  const firstContact = async () => (await web.ann.call('list_contacts', {})).items[0]
  await untilTrue(async () => (await firstContact()) !== undefined, 'no contact was made')
  const { id } = await firstContact()
  await page.locator(`[data-row-id="${id}"] [data-column="head"]`).focus()

  await press('ArrowRight', 'ArrowRight') // to the job title
  await page.keyboard.type('Analyst')
  await press('Tab', 'Enter')
  await choose(page, 'Company', 'Engines Ltd')
  await untilTrue(async () => (await getContact(id)).company !== undefined, 'it has no company')
  await press('ArrowRight', 'Enter', 'End')
  await page.keyboard.type(', countess@lovelace.example')
  await visitor.checkPage('contacts-editing')
  await press('Enter')
  await untilTrue(async () => (await getContact(id)).emails.length === 2, 'there is one address')
  await press('ArrowRight', 'ArrowRight', 'Enter')
  await choose(page, 'Labels', 'Press')
  await untilTrue(async () => (await getContact(id)).labels.length === 1, 'there is no label')
  await press('Escape', 'Control+z')
  await untilTrue(async () => (await getContact(id)).labels.length === 0, 'nothing was undone')
  assert.equal((await getContact(id)).title, 'Analyst')

  await web.ann.call('create_contact', { name: 'Charles Babbage', emails: ['cb@mill.example'] })
  await row(page, 'Charles Babbage').waitFor()
  await press('Escape', 'f')
  await page.keyboard.type('countess analyst')
  await row(page, 'Charles Babbage').waitFor({ state: 'detached' })
  await press('Enter', 'Enter')
  await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor()
  await press('i')
  await page.keyboard.type('Wants the second engine')
  await press('Tab')
  await page.keyboard.type('Send an offer')
  await press('Tab', 'Enter')
  await page.getByRole('combobox', { name: 'Remind me' }).waitFor()
  await page.keyboard.type('tomorrow')
  await page.getByRole('option', { name: 'Tomorrow' }).waitFor()
  await press('Enter')
  await press('Tab', 'Enter')
  await page.getByText('You get a reminder on').waitFor()
  await page.getByText('Next: Send an offer').waitFor()
  const [interaction] = (await web.ann.call('list_interactions', { contact_id: id })).items
  assert.deepEqual(
    [interaction.kind, interaction.summary_markdown, interaction.next_step],
    ['call', 'Wants the second engine', 'Send an offer'],
  )
  const reminders = (await web.ann.call('list_reminders', {})).items
  assert.equal(reminders.length, 1)
  await visitor.checkPage('contact')
  visitor.assertNoProblems()
})

test('the cell list and the page search ignore accents and case', {
  skip,
}, async () => {
  const { id: company_id } = await web.ann.call('create_company', { name: 'Café Straßenbahn' })
  const { id } = await web.ann.call('create_contact', { name: 'Mesut Özil' })
  const { visitor, page, press } = await reopenFor(web, web.ann, '/contacts?q=ozil')
  await row(page, 'Mesut Özil').waitFor()
  await page.locator(`[data-row-id="${id}"] [data-column="head"]`).focus()
  await press('ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter')
  await page.getByRole('combobox', { name: 'Company' }).waitFor()
  await page.keyboard.type('STRASSE cafe')
  await page.getByRole('option', { name: 'Café Straßenbahn', exact: true }).waitFor()
  await press('Enter')
  await untilTrue(
    async () => (await getContact(id)).company?.id === company_id,
    'it has no company',
  )
  visitor.assertNoProblems()
})

test('letters typed before the screen has updated are not lost from the search', {
  skip,
}, async () => {
  const { visitor, page, press } = await reopenFor(web, web.ann, '/contacts')
  const search = page.getByRole('searchbox')
  await search.waitFor()
  await press('f')
  await page.evaluate(() => {
    for (const letter of 'the countess') document.execCommand('insertText', false, letter)
  })
  assert.equal(await search.inputValue(), 'the countess')
  await page.waitForURL((url) => url.searchParams.get('q') === 'the countess')
  await press('Escape')
  await page.waitForURL((url) => !url.searchParams.has('q'))
  assert.equal(await search.inputValue(), '')
  visitor.assertNoProblems()
})

test('a field focused by a key keeps the focus, even though the current row is about to take it', {
  skip,
}, async () => {
  await web.ann.call('create_contact', { name: 'Hedy Lamarr', emails: ['hedy@radio.example'] })
  const { visitor, page, press } = await reopenFor(web, web.ann, '/contacts?q=hedy')
  await row(page, 'Hedy Lamarr').waitFor()
  await press('j', 'ArrowRight')
  await page.locator('[data-column]:not([data-column="head"]):focus').waitFor()
  await page.evaluate(() => {
    const press = (key: string) =>
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
      )
    press('Escape') // out of the cell
    press('f')
  })
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  const search = page.getByRole('searchbox')
  assert.ok(await search.evaluate((node) => node === document.activeElement))
  visitor.assertNoProblems()
})

test('by keyboard: two contacts are merged with chosen values', { skip }, async () => {
  const company = await web.ann.call('create_company', { name: 'Mills', domain: 'mills.example' })
  const first = await web.ann.call('create_contact', { name: 'G. Hopper', phones: ['+4930901820'] })
  await web.ann.call('create_contact', {
    name: 'Grace Hopper',
    emails: ['grace@mills.example'],
    company_id: company.id,
  })
  const { visitor, page, press } = await reopenFor(web, web.ann, '/contacts?q=hopper')
  await row(page, 'Grace Hopper').waitFor()
  await press('j', 'x', 'j', 'x', 'Shift+M')
  await page.getByRole('dialog', { name: 'Merge 2 contacts' }).waitFor()
  const winner = page.getByRole('combobox', { name: 'Name: Value of' })
  await winner.waitFor()
  await visitor.checkPage('contacts-merge')
  await winner.selectOption({ label: 'Grace Hopper · grace@mills.example' })
  await page.getByRole('cell', { name: 'G. Hopper', exact: true }).waitFor() // the value that the merge drops
  await page.getByRole('button', { name: 'Merge', exact: true }).focus()
  await press('Enter')
  await row(page, 'G. Hopper').waitFor({ state: 'detached' })
  await untilTrue(
    async () => (await getContact(first.id)).name === 'Grace Hopper',
    'they were not merged',
  )
  const merged = await getContact(first.id)
  assert.deepEqual(
    [merged.emails, merged.phones.length, merged.company?.title],
    [['grace@mills.example'], 1, 'Mills'],
  )
  visitor.assertNoProblems()
})

test('by pointer: a company is created, its values are edited, and its people are added', {
  skip,
}, async () => {
  const { visitor, page } = await reopenFor(web, web.ann, '/contacts')
  await page.getByRole('link', { name: 'Companies' }).click()
  await page.getByRole('button', { name: 'New company' }).first().click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Looms & Sons')
  await page.getByLabel('Domain').fill('looms.example')
  await page.getByRole('button', { name: 'Create' }).click()
  const line = row(page, 'Looms & Sons')
  await line.waitFor()
  await visitor.checkPage('companies')
  const industry = line.locator('[data-column="industry"]')
  await industry.click()
  await industry.click()
  await page.getByRole('textbox', { name: 'Industry' }).fill('Weaving')
  await page.keyboard.press('Enter')
  const readCompany = async () =>
    (await web.ann.call('list_companies', { query: 'looms' })).items[0]
  await untilTrue(
    async () => (await readCompany()).industry === 'Weaving',
    'the industry is not there',
  )
  await page.getByRole('link', { name: 'Open Looms & Sons' }).click()
  await page.getByRole('heading', { level: 1, name: 'Looms & Sons' }).waitFor()
  await page.getByRole('textbox', { name: 'Employees' }).fill('11-50')
  await page.keyboard.press('Enter')
  await untilTrue(async () => (await readCompany()).size === '11-50', 'the size is not there')
  await page.getByRole('button', { name: 'New contact' }).click()
  await page.getByRole('textbox', { name: 'Name' }).last().fill('Joseph Jacquard')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('link', { name: 'Joseph Jacquard' }).first().waitFor()
  await visitor.checkPage('company')
  const [jacquard] = (await readCompany()).contacts
  assert.equal((await getContact(jacquard.id)).company.title, 'Looms & Sons')
  visitor.assertNoProblems()
})

test('by keyboard: a file is imported after fixing its columns, undone, and all contacts are exported', {
  skip,
}, async () => {
  const { visitor, page, press } = await openFor(web, web.bob, '/contacts')
  await page.getByRole('button', { name: 'New contact' }).first().waitFor()
  await press('Shift+I')
  await page.getByLabel('File').setInputFiles({
    name: 'book.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      'Vorname;Nachname;E-Mail;Nr\nJürgen;Groß;juergen@book.example;K-7\nNo;Address;not an address;\n',
      'latin1',
    ),
  })
  await page.getByRole('cell', { name: 'Jürgen Groß' }).waitFor()
  await page.getByRole('combobox', { name: 'Nr', exact: true }).selectOption('custom_fields.Nr')
  await visitor.checkPage('contacts-import')
  await page.getByRole('button', { name: 'Import 2 contacts', disabled: false }).focus()
  await press('Enter')
  await page.getByRole('status').filter({ hasText: '2 contacts created, 0 updated' }).waitFor()
  await visitor.checkPage('contacts-imported')
  await press('Escape')
  await row(page, 'Jürgen Groß').waitFor()
  const importedContact = async () =>
    await web.ann.call('get_contact', { contact_id: 'juergen@book.example' })
  const { id } = await importedContact()
  assert.deepEqual((await getContact(id)).custom_fields, { Nr: 'K-7' })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ])
  const stream = await download.createReadStream()
  const text = Buffer.concat(await stream.toArray()).toString()
  assert.match(text, /juergen@book\.example/)
  await press('z')
  await row(page, 'Jürgen Groß').waitFor({ state: 'detached' })
  visitor.assertNoProblems()
})

test('a file too large for one call is imported through the drive: a job shows progress, and one step undoes all of it', {
  skip,
}, async () => {
  const { visitor, page, press } = await reopenFor(web, web.bob, '/contacts')
  await page.getByRole('button', { name: 'New contact' }).first().waitFor()
  await press('Shift+I')
  const rows = Array.from(
    { length: 2_500 },
    (_, i) =>
      `Weaver ${i},weaver${i}@looms.example,${'Works at the loom by the window. '.repeat(5)}`,
  )
  await page.getByLabel('File').setInputFiles({
    name: 'weavers.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`Name,Email,Note\n${rows.join('\n')}\n`),
  })
  await page.getByRole('status').filter({ hasText: '2,500 records' }).waitFor()
  await page.getByRole('button', { name: 'Import 2,500 records' }).click()
  await page.getByText('The import goes on when you close this').waitFor()
  await new Queue(web.app).drain()
  await page.getByRole('status').filter({ hasText: '2,500 contacts created, 0 updated' }).waitFor()
  const countWeavers = async () => {
    const { n } = await web.app.store.read
      .selectFrom('contacts')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('name', 'like', 'Weaver %')
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow()
    return n
  }
  assert.equal(await countWeavers(), 2_500)
  await untilTrue(async () => {
    const { items } = await web.bob.call('list_trash', {})
    return items.some(({ item }: { item: { title: string } }) => item.title === 'weavers.csv')
  }, 'the file is still in the drive')
  await page.getByRole('button', { name: 'Undo the import' }).click()
  await untilTrue(async () => (await countWeavers()) === 0, 'the contacts are still there')
  visitor.assertNoProblems()
})
