// Chat actions of assistants in the busy demo: they report, react to people's messages, and answer when a task is
// mentioned.

import { keepLatest, valueOfCall, type Action, type Assistant } from './assistant.ts'
import { openTasks, describeState, type TaskDetails } from './tasks.ts'

interface Counts {
  groups: { label: string; count: number }[]
}

interface Message {
  id: string
  author: { title: string }
  content: { text: string }
  via_assistant: boolean
  reactions: { emoji: string }[]
}

/** Counts the tasks of a project and reports their status in its channel. */
export function reportStatus(project: string, channel: string): Action {
  return async (assistant) => {
    const counts = await valueOfCall<Counts>(assistant, 'count_tasks', {
      project_id: project,
      group_by: 'status',
    })
    if (!counts) return undefined
    const statusRows = counts.groups.map(({ label, count }) => `| ${label} | ${count} |`).join('\n')
    const today = new Date().toISOString().slice(0, 10)
    const overdueTasks = (await openTasks(assistant, project)).filter(
      ({ due_on = today }) => due_on < today,
    )
    const overdue = overdueTasks.map(({ key, title }) => `${key} (${title})`).join(', ')
    const text = `How ${project} stands:\n\n| status | tasks |\n| --- | ---: |\n${statusRows}\n\n${overdue === '' ? 'Nothing is overdue.' : `Overdue: ${overdue}.`}`
    return (await postMessage(assistant, channel, text)) ? `reported in ${channel}` : undefined
  }
}

/** Posts in a channel, keeping the latest six of its messages. */
export async function postMessage(
  assistant: Assistant,
  channel: string,
  text: string,
): Promise<boolean> {
  const sent = await valueOfCall<{ id: string }>(assistant, 'send_message', {
    channel_id: channel,
    body_markdown: text,
  })
  if (sent) await keepOwnMessages(assistant, sent.id)
  return sent !== undefined
}

function keepOwnMessages(assistant: Assistant, message_id: string): Promise<void> {
  return keepLatest(assistant, 'message', { tool: 'delete_message', args: { message_id } })
}

/**
 * Reads a channel. If a person has named a task since the last look, answers with its status; otherwise marks the
 * latest message as seen.
 */
export function followChannel(channel: string): Action {
  return async (assistant) => {
    const channelPage = await valueOfCall<{ items: Message[] }>(assistant, 'list_messages', {
      channel_id: channel,
      limit: 20,
    })
    const humanMessages = (channelPage?.items ?? []).filter((message) => !message.via_assistant)
    for (const { id, content } of humanMessages) {
      const key = /\b[A-Z]{2,10}-\d+\b/.exec(content.text)?.[0]
      if (key !== undefined && !assistant.memory.has(`answered ${id}`))
        return answerMention(assistant, id, key)
    }
    const unseen = humanMessages.find(({ reactions }) => reactions.length === 0)
    if (!unseen) return undefined
    const marked = await valueOfCall(assistant, 'add_message_reaction', {
      message_id: unseen.id,
      emoji: '👀',
    })
    return marked ? `has seen a message in ${channel}` : undefined
  }
}

async function answerMention(
  assistant: Assistant,
  id: string,
  key: string,
): Promise<string | undefined> {
  assistant.memory.set(`answered ${id}`, 'yes')
  const task = await valueOfCall<TaskDetails>(assistant, 'get_task', { task_id: key })
  if (!task) return undefined
  const body_markdown = `${task.key}, ${task.title}: ${describeState(task)}`
  const sent = await valueOfCall<{ id: string }>(assistant, 'reply_to_message', {
    message_id: id,
    body_markdown,
  })
  if (!sent) return undefined
  await keepOwnMessages(assistant, sent.id)
  return `answered a question about ${task.key}`
}
