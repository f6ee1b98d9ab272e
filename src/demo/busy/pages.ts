// Page acts of assistants in the busy demo: they keep one section up to date, and ask to publish one page.

import type { Act, Assistant } from './assistant.ts'
import { valueOfCall } from './assistant.ts'
import { postMessage } from './chat.ts'
import { openTasks } from './tasks.ts'

const section = 'Where it stands'

interface WrittenPage {
  id: string
  revision: number
  body_markdown: string
  outline: { heading: string }[]
}

interface Decision {
  status: string
  reason?: string
  result?: { public_url?: string }
}

/** Writes the open tasks of a project into one section of a page, while others may be typing. */
export function keepPage(page: string, project: string): Act {
  return async (by) => {
    const pageDetail = await valueOfCall<WrittenPage>(by, 'get_page', { page_id: page })
    const tasks = await openTasks(by, project)
    if (!pageDetail || tasks.length === 0) return undefined
    const lines = tasks.map(({ key, title, status, due_on }) => {
      const due = due_on === undefined ? '' : `, due on ${due_on}`
      return `- ${key} ${title}: *${status}*${due}`
    })
    const text = `## ${section}\n\n${lines.join('\n')}\n`
    if (pageDetail.body_markdown.includes(text.trimEnd())) return undefined
    const isThere = pageDetail.outline.some(({ heading }) => heading === section)
    const written = isThere
      ? await valueOfCall(by, 'edit_page_section', {
          page_id: pageDetail.id,
          section,
          new_markdown: text,
          base_revision: pageDetail.revision,
        })
      : await valueOfCall(by, 'append_to_page', { page_id: pageDetail.id, body_markdown: text })
    return written ? `wrote how ${project} stands into “${page}”` : undefined
  }
}

/** Actions to wait after publishing a page before asking again. */
const pause = 20

/**
 * Asks to publish a page for a day, which requires approval: waits, reports the decision in a channel, and does not
 * ask again after a denial.
 */
export function askToPublish(page: string, channel: string): Act {
  return async (by) => {
    const waiting = by.memory.get('approval')
    if (waiting !== undefined) return hear(by, waiting, { page, channel })
    const rest = Number(by.memory.get('rest') ?? 0)
    if (rest > 0) return void by.memory.set('rest', String(rest - 1))
    const outcome = await by.call('publish_page', {
      page_id: page,
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    })
    if (outcome.ok || outcome.code !== 'approval_required') return undefined
    by.memory.set('approval', String(outcome.context.approval_id))
    return `asked to publish “${page}”`
  }
}

async function hear(
  by: Assistant,
  approval_id: string,
  { page, channel }: { page: string; channel: string },
): Promise<string | undefined> {
  const approval = await valueOfCall<Decision>(by, 'get_approval', { approval_id })
  if (!approval || approval.status === 'pending') return undefined
  by.memory.delete('approval')
  by.memory.set('rest', String(approval.status === 'denied' ? Number.MAX_SAFE_INTEGER : pause))
  const why = approval.reason === undefined ? '' : ` ${approval.reason}`
  const words: Record<string, string> = {
    released: `“${page}” is published for a day: ${approval.result?.public_url ?? ''}`,
    denied: `“${page}” stays unpublished, as I was told.${why}`,
    expired: `Nobody decided about publishing “${page}”.`,
  }
  const text = words[approval.status]
  return text && (await postMessage(by, channel, text)) ? `heard about “${page}”` : undefined
}
