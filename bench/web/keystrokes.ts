// Typing in a long page in a real browser, alone and while three others edit it: time until each key is painted.
import { setTimeout as pause } from 'node:timers/promises'
import { loadavg } from 'node:os'
import type { Page } from 'playwright-core'
import { noChromium, openChromium } from '../../src/testing/chromium.ts'
import { LiveText } from '../../src/web/editor/live/live-text.ts'
import { defaultTimes } from '../../src/web/pages/wiki/live/session.ts'
import { Writer, type Person } from '../../src/web/pages/wiki/live/testing.ts'
import type { Cell, Table } from '../report.ts'
import { percentile } from '../scenarios/load.ts'
import type { Bench } from '../server.ts'
import { finishWork } from './deeds.ts'
import { observe, type Interactions } from './observer.ts'
import { reader, seedPage, writers } from './seed.ts'

const chars = 200_000
const keyMs = 60
const words = 'What people type has words, commas and full stops. It goes on for two lines or so. '
/** Milliseconds between two keystrokes of each of the others. */
const othersMs = 150
const goals = { p75: 40, p98: 100 }

interface Typed {
  of: string
  interactions: Interactions
}

/** Measures typing in a page of 200 KB; undefined without Chromium. */
export async function typing(bench: Bench): Promise<{ of: string; tables: Table[] } | undefined> {
  if (noChromium) return undefined
  const dataDir = bench.dir('typing')
  const { id, text } = await seedPage(dataDir, chars)
  const server = await bench.serve(dataDir)
  const url = server.url.replace('127.0.0.1', 'localhost')
  const browser = await openChromium()
  try {
    const people = await Promise.all(writers.map((name) => signIn(url, `${name}@bench.test`)))
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await context.addCookies(cookiesOf(people[0]!, url))
    const page = await context.newPage()
    await page.addInitScript(observe)
    const session = await context.newCDPSession(page)
    await page.goto(`${url}/pages/${id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Text of Long' }).waitFor()
    const done: Typed[] = []
    const load = loadavg()[0]!.toFixed(1)
    for (const throttle of [1, 4]) {
      const slow = throttle === 1 ? '' : `, processor throttled ${throttle} times`
      await session.send('Emulation.setCPUThrottlingRate', { rate: throttle })
      done.push({ of: `alone${slow}`, interactions: await type(page) })
      const others = await join(people.slice(1), id)
      done.push({ of: `with three others${slow}`, interactions: await type(page) })
      await others.end(page)
    }
    const description = `a page of ${text.length.toLocaleString('en')} characters, Chromium ${browser.version()}, load of the machine ${load}`
    return { of: description, tables: [tableOf(done)] }
  } finally {
    await browser.close()
    await bench.stop(server)
    bench.forget('typing')
  }
}

async function signIn(url: string, email: string): Promise<Person> {
  const ask = (path: string, body: unknown, cookie = '') =>
    fetch(url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', origin: url, cookie },
    })
  const answer = await ask('/web/sign-in', { ...reader, email })
  if (!answer.ok) throw new Error(`Signing in failed: ${answer.status}`)
  const cookie = answer.headers
    .getSetCookie()
    .map((set) => set.slice(0, set.indexOf(';')))
    .join('; ')
  return {
    url: () => url,
    cookie: () => cookie,
    async post(path, body) {
      const got = await ask(path, body, cookie)
      const text = await got.text()
      return { status: got.status, text, json: text === '' ? undefined : JSON.parse(text) }
    },
  }
}

const cookiesOf = (person: Person, url: string) =>
  person
    .cookie()
    .split('; ')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=')
      return { name, value: value.join('='), url }
    })

/** Types two sentences in the middle of the page. */
async function type(page: Page): Promise<Interactions> {
  const text = page.getByRole('textbox', { name: 'Text of Long' })
  await text.focus()
  await page.keyboard.press('Control+Home')
  for (let n = 0; n < 40; n++) await page.keyboard.press('PageDown')
  await page.keyboard.press('End')
  await finishWork(page)
  await page.evaluate(() => window.observed.begin())
  await page.keyboard.type(words, { delay: keyMs })
  await page.keyboard.press('Enter')
  await page.keyboard.type(words, { delay: keyMs })
  const interactions = await page.evaluate(() => window.observed.end())
  await page.getByText('Saved.').waitFor()
  return interactions
}

/** The others join and write, each in a different part of the page. */
async function join(people: readonly Person[], id: string) {
  let isOver = false
  const all = await Promise.all(
    people.map(async (person) => {
      const answer = await fetch(`${person.url()}/web/pages/${id}/live`, {
        headers: { cookie: person.cookie() },
      })
      const { body_markdown, revision } = (await answer.json()) as {
        body_markdown: string
        revision: number
      }
      return new Writer({ person, pageId: id }, new LiveText(body_markdown, revision), defaultTimes)
    }),
  )
  const write = async (writer: Writer, part: number) => {
    let at = writer.editorText.indexOf('\n\n', Math.round(writer.editorText.length * part))
    for (let n = 0; !isOver; n++) {
      at = Math.min(at, writer.editorText.length)
      writer.type(at, at, words.charAt(n % words.length))
      at++
      await pause(othersMs)
    }
  }
  const writing = all.map((writer, n) => write(writer, 0.1 + 0.3 * n))
  return {
    /** Stops the others; afterwards all four have the same text. */
    async end(page: Page): Promise<void> {
      isOver = true
      await Promise.all(writing)
      await Promise.all(all.map(({ session }) => session.finish()))
      await page.waitForTimeout(3000)
      const texts = new Set(all.map(({ editorText }) => editorText))
      if (texts.size !== 1) throw new Error('They do not have the same text.')
      for (const { session } of all) session.end()
    },
  }
}

function tableOf(done: readonly Typed[]): Table {
  const isMet = (p75: number, p98: number): Cell =>
    p75 <= goals.p75 && p98 <= goals.p98 ? 'yes' : 'no'
  return {
    head: ['typing, until a key is painted', 'keys', 'p50 ms', 'p75 ms', 'p98 ms', 'goal', 'met'],
    rows: done.map(({ of, interactions: { durations } }) => {
      const [p50, p75, p98] = [0.5, 0.75, 0.98].map((part) => percentile(durations, part)) as [
        number,
        number,
        number,
      ]
      return [
        of,
        durations.length,
        p50,
        p75,
        p98,
        `≤ ${goals.p75}, p98 ≤ ${goals.p98}`,
        isMet(p75, p98),
      ]
    }),
  }
}
