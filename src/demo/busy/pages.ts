// Page actions of assistants in the busy demo: they keep one section up to date, and ask to publish one page.

import type { Action, Assistant } from './assistant.ts'
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
export function updateStatusSection(page: string, project: string): Action {
  return async (assistant) => {
    const pageDetail = await valueOfCall<WrittenPage>(assistant, 'get_page', { page_id: page })
    const tasks = await openTasks(assistant, project)
    if (!pageDetail || tasks.length === 0) return undefined
    const lines = tasks.map(({ key, title, status, due_on }) => {
      const due = due_on === undefined ? '' : `, due on ${due_on}`
      return `- ${key} ${title}: *${status}*${due}`
    })
    const text = `## ${section}\n\n${lines.join('\n')}\n`
    if (pageDetail.body_markdown.includes(text.trimEnd())) return undefined
    const hasSection = pageDetail.outline.some(({ heading }) => heading === section)
    const written = hasSection
      ? await valueOfCall(assistant, 'edit_page_section', {
          page_id: pageDetail.id,
          section,
          new_markdown: text,
          base_revision: pageDetail.revision,
        })
      : await valueOfCall(assistant, 'append_to_page', {
          page_id: pageDetail.id,
          body_markdown: text,
        })
    return written ? `wrote how ${project} stands into “${page}”` : undefined
  }
}

/** Actions to wait after publishing a page before asking again. */
const pauseActions = 20

/**
 * Asks to publish a page for a day, which requires approval: waits, reports the decision in a channel, and does not
 * ask again after a denial.
 */
export function askToPublish(page: string, channel: string): Action {
  return async (assistant) => {
    const approvalId = assistant.memory.get('approval')
    if (approvalId !== undefined) return reportDecision(assistant, approvalId, { page, channel })
    const remainingPause = Number(assistant.memory.get('rest') ?? 0)
    if (remainingPause > 0) return void assistant.memory.set('rest', String(remainingPause - 1))
    const outcome = await assistant.call('publish_page', {
      page_id: page,
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    })
    if (outcome.ok || outcome.code !== 'approval_required') return undefined
    assistant.memory.set('approval', String(outcome.context.approval_id))
    return `asked to publish “${page}”`
  }
}

async function reportDecision(
  assistant: Assistant,
  approval_id: string,
  { page, channel }: { page: string; channel: string },
): Promise<string | undefined> {
  const approval = await valueOfCall<Decision>(assistant, 'get_approval', { approval_id })
  if (!approval || approval.status === 'pending') return undefined
  assistant.memory.delete('approval')
  assistant.memory.set(
    'rest',
    String(approval.status === 'denied' ? Number.MAX_SAFE_INTEGER : pauseActions),
  )
  const why = approval.reason === undefined ? '' : ` ${approval.reason}`
  const textByStatus: Record<string, string> = {
    released: `“${page}” is published for a day: ${approval.result?.public_url ?? ''}`,
    denied: `“${page}” stays unpublished, as I was told.${why}`,
    expired: `Nobody decided about publishing “${page}”.`,
  }
  const text = textByStatus[approval.status]
  return text && (await postMessage(assistant, channel, text)) ? `heard about “${page}”` : undefined
}
