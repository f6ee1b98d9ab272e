// Steps that journeys through the app have in common.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Someone } from '../testing/harness.ts'
import { addKeycloak as enterKeycloak } from '../http/sso/testing.ts'
import type { Provider } from '../sso/providers.ts'
import { callbackUrl } from '../sso/sign-in.ts'
import type { OidcServer } from '../testing/servers/oidc.ts'
import type { Web } from './setup.ts'

/** Makes a provider that runs the way into the workspace, for people of its domain. */
export async function addKeycloak(web: Web, oidc: OidcServer): Promise<Provider> {
  const provider = await enterKeycloak(web, oidc, { domains: ['acme.test'] })
  oidc.allow(callbackUrl(web.app.baseUrl, provider.id))
  return provider
}

/** Opens a page for someone who uses the keyboard. */
export async function openFor(web: Web, person: Someone, path: string) {
  const visitor = await web.visit(person)
  await visitor.go(path)
  const press = async (...keys: string[]) => {
    for (const key of keys) await visitor.page.keyboard.press(key)
  }
  return { visitor, page: visitor.page, press }
}

/** Waits until the server has what it should have; the screen does not wait for it. */
export async function untilTrue(
  check: () => Promise<boolean>,
  what: string | (() => string),
): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await check()) return
    await new Promise((next) => setTimeout(next, 50))
  }
  assert.fail(typeof what === 'string' ? what : what())
}

/** Chooses in the list that is open, by typing. */
export async function choose(page: Page, label: string | RegExp, text: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).waitFor()
  await page.keyboard.type(text)
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
}
