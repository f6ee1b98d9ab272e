import type { Page } from 'playwright-core'

/** Waits until the page has had no long task for half a second; gives up after 20 seconds. */
export const finishWork = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((done) => {
        const startedAt = performance.now()
        let busyUntil = startedAt
        const long = new PerformanceObserver((list) => {
          for (const { startTime, duration } of list.getEntries()) busyUntil = startTime + duration
        })
        long.observe({ type: 'longtask' })
        const timer = setInterval(() => {
          const now = performance.now()
          if (now - busyUntil < 500 && now - startedAt < 20_000) return
          clearInterval(timer)
          long.disconnect()
          done()
        }, 100)
      }),
  )

/** An interaction repeated several times on the tasks screen. */
export interface Deed {
  name: string
  /** Milliseconds within which three of four interactions must finish. */
  goal: number
  times: number
  run: (page: Page, i: number) => Promise<void>
}

const press = (page: Page, key: string) => page.keyboard.press(key)

/** Chooses an entry from the list that a key opens. */
async function choose(page: Page, key: string, text: string): Promise<void> {
  await press(page, key)
  await page.getByRole('combobox').waitFor()
  await page.keyboard.type(text)
  await press(page, 'Enter')
  await page.getByRole('combobox').waitFor({ state: 'detached' })
}

/** Everyday actions of a person; single keys must respond faster than the rest. */
export const deeds: readonly Deed[] = [
  { name: '`j` down the list', goal: 50, times: 80, run: (page) => press(page, 'j') },
  { name: '`k` up the list', goal: 50, times: 40, run: (page) => press(page, 'k') },
  {
    name: '`x`, selecting',
    goal: 50,
    times: 40,
    run: async (page) => {
      await press(page, 'x')
      await press(page, 'j')
    },
  },
  {
    name: '`s` and a status',
    goal: 50,
    times: 12,
    run: async (page, i) => {
      await press(page, 'Escape')
      await choose(page, 's', i % 2 === 0 ? 'in rev' : 'to do')
      await press(page, 'j')
    },
  },
  {
    name: '`p` and a priority',
    goal: 50,
    times: 12,
    run: async (page, i) => {
      await choose(page, 'p', i % 2 === 0 ? 'urg' : 'low')
      await press(page, 'j')
    },
  },
  {
    name: '`e`, done',
    goal: 50,
    times: 12,
    run: async (page) => {
      await press(page, 'e')
      await press(page, 'j')
    },
  },
  {
    name: 'list ↔ board',
    goal: 100,
    times: 10,
    run: async (page, i) => {
      const [key, shown] = i % 2 === 0 ? ['2', 'section li'] : ['1', '[role=row]']
      await press(page, key)
      await page.locator(shown).first().waitFor()
    },
  },
  {
    name: 'sorting all of them',
    goal: 100,
    times: 6,
    run: async (page, i) => {
      await page.getByRole('button', { name: 'Display' }).click()
      const name = i % 2 === 0 ? 'Title' : 'Manual order'
      await page.getByRole('menu').getByText(name, { exact: true }).click()
      await press(page, 'Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'typing into the filter',
    goal: 100,
    times: 1,
    run: async (page) => {
      await page.goto(`${new URL(page.url()).origin}/tasks?priority=urgent,high,low,medium,none`)
      const field = page.getByRole('textbox', { name: 'Words in the title' })
      await field.waitFor()
      await finishWork(page)
      await field.focus()
      await page.keyboard.type('about valve 42 of pump 7', { delay: 30 })
    },
  },
]
