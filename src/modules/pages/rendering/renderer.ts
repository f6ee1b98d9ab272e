import { escaped } from '../../../kernel/text/html.ts'
import { Sandbox, SandboxFailure } from '../../../sandbox/sandbox.ts'
import { maxRendered } from '../content/bodies.ts'
import type { RenderingTasks } from './renderers.ts'

/** Two processes, and owners take turns: a text that takes its two seconds keeps those of others waiting for that long at most. */
const renderers = new Sandbox<RenderingTasks>('renderers', import.meta.url, {
  processes: 2,
  cpuMs: 2_000,
  megabytes: 256,
  share: 0.5,
  isReserved: false,
})

/**
 * Sanitized HTML of a Markdown text. Where that cannot be made (too long, nested too deeply, made to take for ever) it is the text as
 * it stands, in <pre>. `anchors`: what stands before the addresses of its headings; `under`: the level of the heading that it stands
 * below, where it is a part of a page; `owner`: whose text it is, since owners take turns.
 * Images become links unless they are kept: what visitors see loads nothing from other servers.
 */
export async function htmlOf(
  markdown: string,
  anchors = '',
  under = 0,
  { owner = '', keepsImages = false } = {},
): Promise<string> {
  const asItStands = `<pre>${escaped(markdown)}</pre>`
  if (markdown.length > maxRendered) return asItStands
  try {
    return await renderers.run('html', { text: markdown, anchors, under, keepsImages }, { owner })
  } catch (error) {
    if (error instanceof SandboxFailure) return asItStands
    throw error
  }
}
