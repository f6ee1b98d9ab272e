import type { BriefSetup } from '../../assistants/show.ts'
import type { Reachability } from '../transport/reach.ts'

/** Contents of the form; passwords are never sent back. */
export interface FormValues {
  token: string
  organization: string
  timezone: string
  name: string
  email: string
}

interface FieldError {
  field: string
  message: string
}

/** Text that is HTML already. */
class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** An HTML template; inserted values are escaped unless they are Html. */
function html(parts: TemplateStringsArray, ...values: unknown[]): Html {
  return new Html(parts.reduce((text, part, i) => text + renderHtml(values[i - 1]) + part))
}

function renderHtml(value: unknown): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(renderHtml).join('')
  if (value === undefined || value === false) return ''
  return String(value).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}

export function formPage(values: FormValues, reach: Reachability, error?: FieldError): string {
  return setupDocument(
    error ? 'Error: set up the workspace' : 'Set up the workspace',
    html`<p>You are the first person here. This creates your organization and makes you its administrator.</p>
      ${error && html`<p class="wrong" role="alert"><a href="#${error.field}">${error.message}</a></p>`}
      <form method="post" action="/setup">
        <input type="hidden" name="token" value="${values.token}" />
        <fieldset>
          <legend>Organization</legend>
          ${field(error, 'organization', 'Name', html`type="text" value="${values.organization}" maxlength="200" autocomplete="organization"`)}
          ${zoneField(values.timezone, error)}
        </fieldset>
        <fieldset>
          <legend>You</legend>
          ${field(error, 'name', 'Your name', html`type="text" value="${values.name}" maxlength="200" autocomplete="name"`)}
          ${field(error, 'email', 'Your email address', html`type="email" value="${values.email}" maxlength="254" autocomplete="username"`, 'You use it to sign in.')}
          ${field(error, 'password', 'Password', html`type="password" minlength="12" maxlength="128" autocomplete="new-password"`, 'At least 12 characters. Four unrelated words are easy to remember.')}
          ${field(error, 'password_again', 'Repeat the password', html`type="password" minlength="12" maxlength="128" autocomplete="new-password"`)}
        </fieldset>
        ${addressSection(reach)}
        <button type="submit">Set up</button>
      </form>`,
  )
}

/** The address can only be configured where the server is started, so it is displayed, not asked for. */
function addressSection({ url, warnings }: Reachability): Html {
  return html`<fieldset>
          <legend>Address</legend>
          <p>You and your assistants reach this workspace at <code>${url}</code>.</p>
          ${warnings.map((warning) => html`<p class="warning">${warning}</p>`)}
        </fieldset>`
}

function field(
  wrong: FieldError | undefined,
  name: string,
  label: string,
  attributes: Html,
  hint?: string,
): Html {
  return html`<label for="${name}">${label}</label>${hintAndError(wrong, name, hint)}<input id="${name}" name="${name}" required ${ariaAttributes(wrong, name, hint)} ${attributes} />`
}

function zoneField(chosen: string, wrong: FieldError | undefined): Html {
  const zones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]
  return html`<label for="timezone">Time zone</label>${hintAndError(wrong, 'timezone')}<select id="timezone" name="timezone" required ${ariaAttributes(wrong, 'timezone')} autocomplete="off">
      ${zones.map((zone) => html`<option ${new Html(zone === chosen ? 'selected' : '')}>${zone}</option>`)}
    </select>`
}

function hintAndError(wrong: FieldError | undefined, name: string, hint?: string): Html {
  return html`${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}${wrong?.field === name && html`<p class="wrong" id="${name}-wrong">${wrong.message}</p>`}`
}

function ariaAttributes(wrong: FieldError | undefined, name: string, hint?: string): Html {
  const isWrong = wrong?.field === name
  const ids = [hint && `${name}-hint`, isWrong && `${name}-wrong`].filter(Boolean).join(' ')
  return html`${ids && html`aria-describedby="${ids}"`} ${isWrong && html`aria-invalid="true" autofocus`}`
}

export function donePage(
  { organization, name, email }: FormValues,
  key: string,
  clients: readonly BriefSetup[],
): string {
  return setupDocument(
    'The workspace is ready',
    html`<p>${organization.trim()} is set up, and you, ${name.trim()}, are its administrator.</p>
      <h2>Your first key</h2>
      <p>An assistant with this key can do what you can, except administer the organization. It is shown <strong>only once</strong>: store it where you keep passwords.</p>
      <pre tabindex="0" aria-label="The key">${key}</pre>
      <h2>Connect an assistant</h2>
      ${clients.map((client) => html`<h3>${client.client}</h3><p>${client.how}</p><pre tabindex="0" aria-label="For ${client.client}">${client.text}</pre>`)}
      <h2>Next</h2>
      <p>In a terminal on this machine:</p>
      <dl>
        <dt><code>workspace users create --email … --name …</code></dt><dd>adds a colleague</dd>
        <dt><code>workspace keys create --user ${email.trim()} --name …</code></dt><dd>creates another key; use one per assistant, so that you can revoke each separately</dd>
        <dt><code>workspace keys revoke svc_…</code></dt><dd>revokes a key immediately</dd>
      </dl>`,
  )
}

export function invalidLinkPage(): string {
  return setupDocument(
    'This link does not work',
    html`<p>A setup link works once, within 15 minutes. If this workspace is not set up yet, restart it: <code>workspace serve</code> prints a new link.</p>`,
  )
}

export function problemPage(message: string): string {
  return setupDocument('Something went wrong', html`<p>${message}</p>`)
}

function setupDocument(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>${title} – Workspace</title>
    <link rel="stylesheet" href="/setup.css" />
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      ${body}
    </main>
  </body>
</html>
`.text
}

export const styles = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { margin: 0 } main { max-width: 40rem; margin: 3rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; margin-top: 2rem } h3 { font-size: 1rem; margin-bottom: 0 }
fieldset { border: 0; margin: 1.5rem 0; padding: 0 } legend { font-weight: 600; font-size: 1.1rem; padding: 0 }
label { display: block; margin-top: 1rem; font-weight: 600 }
input, select, button { font: inherit; box-sizing: border-box; width: 100%; padding: .5rem; border: 1px solid #767676; border-radius: .3rem }
button { width: auto; padding: .5rem 1.5rem; font-weight: 600; color: #fff; background: #1d4ed8; border-color: #1d4ed8; cursor: pointer }
:focus-visible { outline: 3px solid #60a5fa; outline-offset: 2px }
.hint { margin: 0; color: light-dark(#595959, #a6a6a6) } .wrong, .wrong a { margin: 0; font-weight: 600; color: light-dark(#b91c1c, #fca5a5) }
.warning { border-left: .25rem solid light-dark(#b45309, #fbbf24); padding-left: .75rem }
[aria-invalid] { border-color: light-dark(#b91c1c, #fca5a5) }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: .75rem; border: 1px solid #767676; border-radius: .3rem }
dt { margin-top: .5rem } dd { margin: 0 }
`
