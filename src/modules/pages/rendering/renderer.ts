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
 * in <pre>. `anchorPrefix`: prefix of its heading anchors; `parentLevel`: level of the enclosing heading, if it is part of a
 * page; `owner`: the text's owner, for fair scheduling.
 * Images become links unless `keepsImages`: published pages load nothing from other servers.
 */
export async function htmlOf(
  markdown: string,
  anchorPrefix = '',
  parentLevel = 0,
  { owner = '', keepsImages = false } = {},
): Promise<string> {
  const asPlainText = `<pre>${escapeHtml(markdown)}</pre>`
  if (markdown.length > maxRendered) return asPlainText
  try {
    return await renderers.run(
      'html',
      { text: markdown, anchorPrefix, parentLevel, keepsImages },
      { owner },
    )
  } catch (error) {
    if (error instanceof SandboxFailure) return asPlainText
    throw error
  }
}
