// Pages with the server's version and health. They need no key and reveal no secret.

import { dirname } from 'node:path'
import type { App } from '../../operations/app.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { freeSpace, spaceLevelOf } from '../../db/space.ts'
import { respondWith, answerJson } from '../transport/answers.ts'
import type { Incoming, WebPage } from '../transport/request-info.ts'

/** Whether the process is alive. */
export function healthPage(incoming: Incoming): Response {
  return answerJson(incoming, 200, '{"status":"ok"}')
}

/**
 * Whether requests may be sent here: the database answers, and the server is not stopping. Low disk space is reported
 * (`low`, `scarce`) but does not stop traffic: data can still be read.
 */
export function readyPage(app: App, isShuttingDown: () => boolean): WebPage {
  return async (incoming) => {
    if (isShuttingDown())
      throw new Refusal('unavailable', 'The server is shutting down.', { retry_after_seconds: 5 })
    try {
      await app.store.read.one('SELECT 1 AS answers')
    } catch {
      throw new Refusal('unavailable', 'The database is not responding.', {
        retry_after_seconds: 5,
      })
    }
    return answerJson(
      incoming,
      200,
      JSON.stringify({ status: 'ready', space: spaceLevelOf(freeSpace(dirname(app.store.path))) }),
    )
  }
}

const home = (more: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Workspace</title>
<link rel="stylesheet" href="/setup.css">
<main>
<h1>Workspace</h1>
<p>The work of an organization, shared by its people and their assistants.</p>
<ul>
  <li><a href="/api/docs">Reference of the REST API</a>, and its <a href="/api/openapi.json">OpenAPI document</a></li>
  <li>MCP endpoint for assistants: <code>/mcp</code></li>
</ul>
<p>Every call needs an API key of a person.</p>${more}
</main>
</html>
`

const notBuiltNotice =
  '\n<p>The web app is not built yet: run <code>npm run build</code> in the workspace folder, then reload this page.</p>'

/** The page in place of the web app. `isAppAddress`: the app would answer here, so the page says how to build it. */
export function homePage(incoming: Incoming, isAppAddress = false): Response {
  return respondWith(incoming, 200, home(isAppAddress ? notBuiltNotice : ''), [
    ['content-type', 'text/html; charset=utf-8'],
    [
      'content-security-policy',
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ],
    ['cache-control', 'no-cache'],
  ])
}
