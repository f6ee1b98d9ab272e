// The tasks screen in a real browser with a throttled processor: time until an action is painted.
import { loadavg } from 'node:os'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { noChromium, openChromium } from '../../src/testing/chromium.ts'
import type { Cell, Table } from '../report.ts'
import { percentile } from '../scenarios/load.ts'
import type { Bench } from '../server.ts'
import type { Sizes } from '../sizes.ts'
import { deeds, finishWork, type Deed } from './deeds.ts'
import { observe, type Interactions } from './observer.ts'
import { reader, seedWeb } from './seed.ts'

type Measured = { of: string; tables: Table[] }

/** Slowdown factor of Chromium's processor. */
const throttle = 4
const viewport = { width: 1440, height: 900 }

/** Measures the web app with many tasks; undefined without Chromium. */
export async function web(bench: Bench, { tasks }: Sizes): Promise<Measured | undefined> {
  if (noChromium) return undefined
  const dataDir = bench.dir('web')
  await seedWeb(dataDir, tasks)
  const server = await bench.serve(dataDir)
  const url = server.url.replace('127.0.0.1', 'localhost')
  const browser = await openChromium()
  try {
    const context = await signedIn(browser, url)
    const load = await firstLoad(context, url)
    const networked = await coldStart(browser, url)
    const page = await context.newPage()
    const opened = await openTasks(page, url)
    const interactions = await act(page)
    const scrolling = await scroll(page)
    const heap = await usedHeap(page)
    const description = `${tasks.toLocaleString('en')} tasks, processor of Chromium ${browser.version()} throttled ${throttle} times, load of the machine ${loadavg()[0]!.toFixed(1)}`
    return {
      of: description,
      tables: [
        interactionTable(interactions),
        screenTable({ load, networked, opened, scrolling, heap }),
      ],
    }
  } finally {
    await browser.close()
    await bench.stop(server)
    bench.forget('web')
  }
}

async function signedIn(browser: Browser, url: string): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport, locale: 'en-GB', timezoneId: 'UTC' })
  const answer = await context.request.post(`${url}/web/sign-in`, {
    data: reader,
    headers: { origin: url, 'sec-fetch-site': 'same-origin' },
  })
  if (!answer.ok()) throw new Error(`Signing in failed: ${answer.status()}`)
  return context
}

interface Load {
  bytes: number
  requests: number
}

/**
 * Measures the transferred bytes of the first view of the tasks, in a browser that is never idle enough to load more.
 */
async function firstLoad(context: BrowserContext, url: string): Promise<Load> {
  const page = await context.newPage()
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0
  })
  await page.goto(`${url}/tasks`)
  await page.getByRole('row').nth(3).waitFor()
  const sizes = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .filter(({ name }) => /\.(js|css)$/.test(new URL(name).pathname))
      .map(({ encodedBodySize }) => encodedBodySize),
  )
  await page.close()
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), requests: sizes.length }
}

/** Network of a first-time visitor: round trip in milliseconds, and bytes per second. */
const network = { latency: 40, downloadThroughput: 20e6 / 8, uploadThroughput: 20e6 / 8 }
const coldStarts = 5

/** Median milliseconds from navigation to the first row, with an empty cache over a network. */
async function coldStart(browser: Browser, url: string): Promise<number> {
  const took: number[] = []
  for (let i = 0; i < coldStarts; i++) {
    const context = await signedIn(browser, url)
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', { offline: false, ...network })
    took.push(await openFirstRow(page, url))
    await context.close()
  }
  return percentile(took, 0.5)
}

/** Opens the tasks; returns milliseconds until the first row. */
async function openFirstRow(page: Page, url: string): Promise<number> {
  const startedAt = performance.now()
  await page.goto(`${url}/tasks`)
  await page.getByRole('row').nth(3).waitFor()
  return performance.now() - startedAt
}

/** Opens the tasks with a slow processor; returns milliseconds from navigation to the first row. */
async function openTasks(page: Page, url: string): Promise<number> {
  await page.addInitScript(observe)
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: throttle })
  const took = await openFirstRow(page, url)
  await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
  await finishWork(page)
  return took
}

interface DeedTimes {
  deed: Deed
  interactions: Interactions
}

async function act(page: Page): Promise<DeedTimes[]> {
  const done: DeedTimes[] = []
  for (const deed of deeds) {
    console.log(`  ${deed.name} …`)
    await page.evaluate(() => window.observed.begin())
    for (let i = 0; i < deed.times; i++) {
      await deed.run(page, i)
      await page.waitForTimeout(40)
    }
    await finishWork(page)
    done.push({ deed, interactions: await page.evaluate(() => window.observed.end()) })
  }
  return done
}

interface Scrolling {
  longTasks: number
  longest: number
}

/** Scrolls through the whole list by wheel, like a person looking for something. */
async function scroll(page: Page): Promise<Scrolling> {
  await page.goto(`${new URL(page.url()).origin}/tasks`)
  await page.getByRole('row').nth(3).waitFor()
  await finishWork(page)
  await page.mouse.move(viewport.width / 2, viewport.height / 2)
  await page.evaluate(() => window.observed.begin())
  for (let i = 0; i < 150; i++) {
    await page.mouse.wheel(0, 2400)
    await page.waitForTimeout(16)
  }
  await finishWork(page)
  const { tasks } = await page.evaluate(() => window.observed.end())
  return {
    longTasks: tasks.filter((ms) => ms > 200).length,
    longest: Math.max(0, ...tasks),
  }
}

/** Heap bytes after a garbage collection. */
async function usedHeap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  return (await session.send('Runtime.getHeapUsage')).usedSize
}

const isMet = (value: number, goal: number): Cell => (value <= goal ? 'yes' : 'no')

function interactionTable(done: readonly DeedTimes[]): Table {
  const rows = done.map(({ deed, interactions: { durations } }) => {
    const p75 = percentile(durations, 0.75)
    const head = [deed.name, durations.length, percentile(durations, 0.5), p75]
    return [...head, percentile(durations, 0.98), `≤ ${deed.goal}`, isMet(p75, deed.goal)]
  })
  const all = done.flatMap(({ interactions }) => interactions.durations)
  const p75 = percentile(all, 0.75)
  const whole = ['**all**', all.length, percentile(all, 0.5), p75, percentile(all, 0.98), '≤ 100']
  return {
    head: ['until it is painted', 'interactions', 'p50 ms', 'p75 ms', 'p98 ms', 'goal p75', 'met'],
    rows: [...rows, [...whole, isMet(p75, 100)]],
  }
}

interface Screen {
  load: Load
  /** Milliseconds to the first row over a network; the other figure is with a slow processor. */
  networked: number
  opened: number
  scrolling: Scrolling
  heap: number
}

function screenTable({ load, networked, opened, scrolling, heap }: Screen): Table {
  const row = (name: string, value: number, goal: number | undefined, unit: string): Cell[] => [
    name,
    value,
    unit,
    goal === undefined ? '' : `≤ ${goal.toLocaleString('en')}`,
    goal === undefined ? '' : isMet(value, goal),
  ]
  return {
    head: ['screen of tasks', 'figure', 'unit', 'goal', 'met'],
    rows: [
      row('script and style of the first look', load.bytes / 1000, 260, 'kB compressed'),
      row('files of the first look', load.requests, 16, 'requests'),
      row('cold, to the first row, at 40 ms and 20 Mbit/s', networked, 2000, 'ms'),
      row('the same with the slow processor, without a network', opened, undefined, 'ms'),
      row('long tasks over 200 ms while scrolling', scrolling.longTasks, 0, 'tasks'),
      row('longest task while scrolling', scrolling.longest, 200, 'ms'),
      row('heap', heap / 1e6, 120, 'MB'),
    ],
  }
}
