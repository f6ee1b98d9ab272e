import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openChromium } from '../testing/chromium.ts'
import { started } from '../testing/process.ts'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, Visitor } from './setup.ts'
import { choose } from './steps.ts'

interface DemoGreeting {
  password: string
  people: { email: string; key: string }[]
  assistants: { name: string; of: string }[]
}

test('a newcomer starts the demo, signs in, creates a task, delegates it to an assistant, watches it work, undoes one change and approves another', {
  skip: noChromium,
}, async (t) => {
  const server = await started(
    ...['demo', '--serve', '--busy', '--seed', '7', '--pace', '0.5', '--json'],
  )
  t.after(() => server.end('SIGKILL'))
  const { password, people, assistants } = server.greeting as unknown as DemoGreeting
  const { email, key } = people.find((person) => person.email === assistants[0]?.of)!
  const browser = await openChromium()
  t.after(() => browser.close())
  const visitor = await Visitor.open(browser, server.url)
  const { page } = visitor
  const getJson = async (path: string) => {
    await wait(300) // within the limits of a key
    const response = await fetch(`${server.url}/api/${path}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    assert.equal(response.status, 200, path)
    return (await response.json()) as Record<string, any>
  }

  await visitor.go('/sign-in')
  await page.getByLabel('Email').fill(email)
  await page.locator('input[type=password]').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('navigation').first().getByRole('link', { name: 'My day' }).waitFor()

  await visitor.go('/projects/WEB/tasks')
  await page.getByRole('row').nth(2).waitFor()
  await page.keyboard.press('c')
  await page.getByRole('textbox', { name: 'Task' }).waitFor()
  await page.keyboard.type('Compare two newsletters #WEB')
  await page.keyboard.press('Enter')
  const findTask = async () =>
    (await getJson('tasks?project_id=WEB&text=newsletters')).items.find(
      (item: { title: string }) => item.title === 'Compare two newsletters',
    )
  await untilTrue(async () => (await findTask()) !== undefined, 'no task was made')
  const { key: taskKey } = await findTask()

  await visitor.go(`/tasks/${taskKey}`)
  await page.keyboard.press('Shift+A')
  await choose(page, 'Delegate to', assistants[0]!.name)
  await page.getByText(/^On it\./).waitFor() // its comment appears without a reload
  const status = async () => (await getJson(`tasks/${taskKey}`)).status_category
  await untilTrue(async () => (await status()) === 'done', 'the assistant did not complete it')

  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await page.getByRole('button', { name: 'Undo “Completed task”' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Undo this call?' })
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await untilTrue(async () => (await status()) === 'in_progress', 'it was not undone')

  await page.keyboard.press('g')
  await page.keyboard.press('v')
  const approveButton = page.getByRole('button', { name: /^Approve “/ }).first()
  await approveButton.waitFor() // an assistant asks for approval sooner or later
  await approveButton.click()
  const confirmButton = page.getByRole('dialog').getByRole('button', { name: 'Approve' })
  await confirmButton.or(page.getByText('It is done.')).first().waitFor()
  if (await confirmButton.isVisible()) await confirmButton.click()
  await page.getByText('It is done.').waitFor()
  visitor.assertNoProblems()
})
