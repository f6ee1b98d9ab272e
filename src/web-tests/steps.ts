// Common test steps.

import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import type { Someone } from '../testing/harness.ts'
import { addKeycloak as enterKeycloak } from '../http/sso/testing.ts'
import type { Provider } from '../sso/providers.ts'
import { callbackUrl } from '../sso/sign-in.ts'
import type { OidcServer } from '../testing/servers/oidc.ts'
import type { Visitor, Web } from './setup.ts'

/** Creates a provider that people in its domain sign in with. */
export async function addKeycloak(web: Web, oidc: OidcServer): Promise<Provider> {
  const provider = await enterKeycloak(web, oidc, { domains: ['acme.test'] })
  oidc.allow(callbackUrl(web.app.baseUrl, provider.id))
  return provider
}

/** A date relative to today, in the zone of the test people and browsers, which may differ from UTC. */
export const dayAhead = (days: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(
    Date.now() + days * 86_400_000,
  )

/** Opens a page for a keyboard user, in a new browser. */
export async function openFor(web: Web, person: Someone, path: string) {
  const visitor = await web.visit(person)
  await visitor.go(path)
  return withKeyboard(visitor)
}

/** Opens a page in a browser that later tests reuse; see `revisit`. */
export async function reopenFor(web: Web, person: Someone, path: string) {
  const visitor = await web.revisit(person)
  await visitor.navigate(path)
  return withKeyboard(visitor)
}

function withKeyboard(visitor: Visitor) {
  const press = async (...keys: string[]) => {
    for (const key of keys) await visitor.page.keyboard.press(key)
  }
  return { visitor, page: visitor.page, press }
}

/** Keeps typing until a temporary element was seen. */
export async function typeUntil(
  page: Page,
  text: string,
  waitUntilSeen: () => Promise<void>,
): Promise<void> {
  let isSeen = false
  const typeRepeatedly = async () => {
    while (!isSeen) await page.keyboard.type(text, { delay: 80 })
  }
  const typingPromise = typeRepeatedly()
  try {
    await waitUntilSeen()
  } finally {
    isSeen = true
    await typingPromise
  }
}

/** Chooses in the open list, by typing. */
export async function choose(page: Page, label: string | RegExp, text: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).waitFor()
  await page.keyboard.type(text)
  await page.locator('[role=option]').first().waitFor() // not an option of a closed native select
  await page.keyboard.press('Enter')
}

/** Numbers from 0 to below 1, the same for the same seed. */
export function randomFrom(seed: number) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return {
    next,
    pick: <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T,
  }
}

export type Random = ReturnType<typeof randomFrom>

/**
 * Inserts messages into the store as if the author of the first had continued counting: sending them would take
 * minutes.
 */
export async function plantMessages(
  web: Web,
  channelId: string,
  firstId: string,
  count: number,
): Promise<void> {
  await web.app.store.writer.run(async () => {
    const db = web.app.store.write
    await sql`
      insert into messages (id, org_id, channel_id, seq, body_markdown, in_channel, mentions_channel, via_assistant, sent_at, revision, created_at, updated_at, created_by, created_via)
      with recursive numbers (n) as (select 2 union all select n + 1 from numbers where n < ${count})
      select 'msg_' || substr('00000000000000000000000000' || n, -26), m.org_id, m.channel_id, n, 'Number ' || n, 1, 0, 0, m.sent_at, 1, m.created_at, m.updated_at, m.created_by, 'web'
      from numbers cross join messages as m where m.id = ${firstId}`.execute(db)
    await sql`update channels set last_seq = ${count} where id = ${channelId}`.execute(db)
  })
}
