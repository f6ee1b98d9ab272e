import { escapeHtml } from '../../../kernel/text/html.ts'
import { Sandbox, SandboxFailure } from '../../../sandbox/sandbox.ts'
import { maxRendered } from '../content/bodies.ts'
import type { RenderingTasks } from './renderers.ts'

/**
 * Two processes shared fairly between owners: a text that uses its full two seconds delays others at most that long.
 */
const renderers = new Sandbox<RenderingTasks>('renderers', import.meta.url, {
  processes: 2,
  cpuMs: 2_000,
  megabytes: 256,
  share: 0.5,
  isReserved: false,
})

/**
 * Sanitized HTML of a Markdown text. If rendering fails (too long, nested too deeply, too slow), it is the plain text
 * in <pre>. `anchors`: prefix of its heading anchors; `under`: level of the enclosing heading, if it is part of a
 * page; `owner`: the text's owner, for fair scheduling.
 * Images become links unless kept: visitors' pages load nothing from other servers.
 */
export async function htmlOf(
  markdown: string,
  anchors = '',
  under = 0,
  { owner = '', keepsImages = false } = {},
): Promise<string> {
  const asItStands = `<pre>${escapeHtml(markdown)}</pre>`
  if (markdown.length > maxRendered) return asItStands
  try {
    return await renderers.run('html', { text: markdown, anchors, under, keepsImages }, { owner })
  } catch (error) {
    if (error instanceof SandboxFailure) return asItStands
    throw error
  }
}
