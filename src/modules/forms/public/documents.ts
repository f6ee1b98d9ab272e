import { escapeHtml, htmlDocument } from '../../../kernel/text/html.ts'
import { anchorOf, fieldHtml, hiddenHtml, sentence, type FieldState } from './html.ts'
import type { FormField } from '../forms/fields.ts'

export const styles = `:root{color-scheme:light dark;font:1.05rem/1.5 system-ui,sans-serif;background:light-dark(#fff,#121214);color:light-dark(#16181d,#ececee)}body{margin:0}main{max-width:40rem;margin:2rem auto;padding:0 1rem 3rem;overflow-wrap:anywhere}
h1{font-size:1.8rem;line-height:1.25}h2{font-size:1.2rem}a{color:light-dark(#1d4ed8,#93c5fd)}:focus-visible{outline:3px solid #2563eb;outline-offset:2px}
.field{margin:0 0 1.6rem;padding:0;border:0;min-width:0}label,legend{font-weight:600;padding:0}.choice label{font-weight:400}.required,.help{font-weight:400;color:light-dark(#555,#b3b3b3)}.help{margin:.15rem 0 .35rem}
input[type=text],input[type=email],input[type=tel],input[type=date],select,textarea{display:block;box-sizing:border-box;width:100%;margin-top:.3rem;padding:.5rem .6rem;font:inherit;color:inherit;background:light-dark(#fff,#1c1c1e);border:1px solid light-dark(#6b7280,#9ca3af);border-radius:.3rem}
input[type=file]{margin-top:.3rem;font:inherit;max-width:100%}.choice{display:flex;gap:.5rem;align-items:baseline;padding:.2rem 0;min-height:1.6rem}.scale{display:flex;flex-wrap:wrap;gap:.2rem 1rem}.scale .choice{min-width:2.6rem}
.error{margin:.2rem 0 .35rem;font-weight:600;color:light-dark(#b3261e,#ffb4ab)}[aria-invalid=true]{border-width:2px!important;border-color:light-dark(#b3261e,#ffb4ab)!important}
.errors,.note{margin:0 0 1.6rem;padding:.2rem 1rem;border:3px solid light-dark(#b3261e,#ffb4ab);border-radius:.3rem}.note{border-color:light-dark(#6b7280,#9ca3af)}
.buttons{display:flex;flex-wrap:wrap;gap:.8rem}button{padding:.6rem 1.2rem;font:inherit;font-weight:600;border-radius:.3rem;border:1px solid #1d4ed8;background:#1d4ed8;color:#fff;cursor:pointer}button.back{order:-1;background:transparent;color:light-dark(#1d4ed8,#93c5fd);border-color:currentColor}
.sr,.trap{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}dt{font-weight:600;margin-top:.8rem}dd{margin:0;white-space:pre-line}
`

/** A complete HTML document. */
export function documentOf(title: string, body: readonly string[]): string {
  return htmlDocument({ title, styles, body })
}

/** A page of a form to fill in. */
export interface FormPage {
  title: string
  /** Safe HTML; only on the first page. */
  description: string
  slug: string
  token: string
  step: number
  /** Maximum number of steps. */
  steps: number
  fields: readonly FormField[]
  /** Fields of other pages, whose answers are carried along. */
  others: readonly FormField[]
  values: Readonly<Record<string, unknown>>
  problems: ReadonlyMap<string, string>
  /** Problem that concerns no single field. */
  message: string | undefined
  isLast: boolean
  hasFiles: boolean
}

export const honeypotName = '_homepage'

export function formDocument(page: FormPage): string {
  const { title, problems, message, step, steps } = page
  const hasErrors = problems.size > 0 || message !== undefined
  return documentOf(`${hasErrors ? 'Error: ' : ''}${title}`, [
    `<h1>${escapeHtml(title)}</h1>`,
    errorsHtml(page),
    steps > 1 ? `<p>Page ${step + 1} of at most ${steps}</p>` : '',
    page.description,
    `<form method="post" action="/f/${page.slug}#errors" novalidate${page.hasFiles ? ' enctype="multipart/form-data"' : ''}>`,
    `<input type="hidden" name="_token" value="${escapeHtml(page.token)}"><input type="hidden" name="_step" value="${step}">`,
    `<div class="trap" aria-hidden="true"><label for="trap">Leave this empty</label><input type="text" id="trap" name="${honeypotName}" tabindex="-1" autocomplete="off"></div>`,
    page.others.map((field) => hiddenHtml(field, page.values[field.id])).join(''),
    page.fields.length === 0
      ? '<p>You have reached the end. Send your answers, or go back to change them.</p>'
      : '',
    ...page.fields.map((field) =>
      fieldHtml(field, {
        value: page.values[field.id],
        problem: problems.get(field.id),
      } satisfies FieldState),
    ),
    buttonsHtml(page),
    '</form>',
  ])
}

/** Buttons of a page; the first one is triggered by Enter in a field. */
function buttonsHtml({ step, isLast }: FormPage): string {
  const forward = isLast
    ? '<button name="_do" value="send">Send</button>'
    : '<button name="_do" value="next">Continue</button>'
  return `<div class="buttons">${forward}${step > 0 ? '<button class="back" name="_do" value="back">Back</button>' : ''}</div>`
}

function errorsHtml({ fields, problems, message }: FormPage): string {
  if (problems.size === 0 && message === undefined) return ''
  const list = fields.flatMap((field) =>
    problems.has(field.id)
      ? [
          `<li><a href="#${anchorOf(field)}">${escapeHtml(field.label)}: ${escapeHtml(problems.get(field.id)!)}</a></li>`,
        ]
      : [],
  )
  return `<div class="errors" id="errors" role="alert" tabindex="-1">\n<h2>Please correct the following</h2>\n${message === undefined ? '' : `<p>${escapeHtml(sentence(message))}</p>`}${list.length === 0 ? '' : `<ul>${list.join('')}</ul>`}\n</div>`
}

/** A page with only a message. */
export function notice(title: string, heading: string, text: string): string {
  return documentOf(title, [`<h1>${escapeHtml(heading)}</h1>`, ...paragraphs(text)])
}

export function paragraphs(text: string): string[] {
  return text
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => `<p>${part.split('\n').map(escapeHtml).join('<br>')}</p>`)
}
