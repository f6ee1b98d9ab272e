import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { invalid, type Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { project } from '../../portfolio/access.ts'
import { mailThread } from '../access.ts'
import { parseLabelChange } from '../mailboxes/label-names.ts'
import type { Mailbox } from '../mailboxes/access-folders.ts'
import type { MailOrganizer } from '../messages/action-changes.ts'
import type { RuleAction } from '../shapes.ts'
import { hideThread } from '../threads/snooze-state.ts'
import { placeOrFolder } from '../mailboxes/locations.ts'

export type MailRuleAction = z.infer<typeof RuleAction>
type Email = Row<'emails'>
type Type = MailRuleAction['type']

const noParams = z.strictObject({})
const labelNames = z.union([
  z.string().min(1).max(100),
  z.array(z.string().min(1).max(100)).min(1).max(20),
])

/** Parameters of each action. */
const params = {
  label: z.strictObject({ label: labelNames }),
  archive: noParams,
  move: z.strictObject({ folder: z.string().min(1).max(500) }),
  mark_read: noParams,
  star: noParams,
  snooze: z.strictObject({
    hours: z
      .number()
      .positive()
      .max(24 * 366)
      .optional(),
    until_reply: z.boolean().optional(),
  }),
  create_task: z.strictObject({
    project_id: z.string().min(1).max(100),
    title: z.string().min(1).max(500).optional(),
  }),
  notify: z.strictObject({ text: z.string().min(1).max(500).optional() }),
} as const

type ParamsOf<T extends Type> = z.output<(typeof params)[T]>

/** Actions that may be applied to existing mail; the others apply only to incoming mail. */
const actionsForExistingMail: readonly Type[] = ['label', 'archive', 'move', 'mark_read', 'star']

export function withoutIncomingOnly(actions: readonly MailRuleAction[]): MailRuleAction[] {
  return actions.filter((action) => actionsForExistingMail.includes(action.type))
}

/** @throws Refusal invalid_argument if an action is impossible; not_found if its project is not visible */
export async function checkActions(
  ctx: ReadContext,
  actions: readonly MailRuleAction[],
  mailboxes: readonly Mailbox[],
): Promise<void> {
  for (const [i, action] of actions.entries())
    await checkAction(ctx, action, `actions[${i}]`, mailboxes)
}

async function checkAction(
  ctx: ReadContext,
  action: MailRuleAction,
  path: string,
  mailboxes: readonly Mailbox[],
): Promise<void> {
  const read = params[action.type].safeParse(action.params ?? {})
  if (!read.success)
    throw invalid(
      `${path}.params`,
      `${read.error.issues[0]!.message}.`,
      `${action.type} takes ${Object.keys(params[action.type].shape).join(', ') || 'no params'}.`,
    )
  if (action.type === 'label') parseLabelChange([(read.data as ParamsOf<'label'>).label].flat())
  if (action.type === 'create_task')
    await project.demand(
      ctx,
      (read.data as ParamsOf<'create_task'>).project_id,
      'edit',
      `${path}.params.project_id`,
    )
  if (action.type === 'snooze') checkSnooze(read.data as ParamsOf<'snooze'>, path)
  if (action.type === 'move')
    checkFolder((read.data as ParamsOf<'move'>).folder, `${path}.params.folder`, mailboxes)
}

function checkSnooze({ hours, until_reply }: ParamsOf<'snooze'>, path: string): void {
  if (hours === undefined && until_reply !== true)
    throw invalid(`${path}.params`, 'a duration is missing.', 'Send hours, or until_reply=true.')
}

/** Requires that one of the rule's mailboxes has the folder. */
function checkFolder(folder: string, path: string, mailboxes: readonly Mailbox[]): void {
  const refusals = mailboxes.flatMap((mailbox) => {
    try {
      placeOrFolder(mailbox, folder, path)
      return []
    } catch (error) {
      return [error]
    }
  })
  if (mailboxes.length === 0)
    throw invalid(path, 'you have no mailbox.', 'Connect one in the web app first.')
  if (refusals.length === mailboxes.length) throw refusals[0]
}

/** Applies an action of a rule to a matching message. @throws Refusal if that is impossible */
export async function applyRuleAction(
  ctx: WriteContext,
  { type, params: input = {} }: MailRuleAction,
  row: Email,
  organizing: MailOrganizer,
): Promise<void> {
  const args = params[type].parse(input)
  switch (type) {
    case 'label':
      return void (await organizing.label(
        row,
        parseLabelChange([(args as ParamsOf<'label'>).label].flat()),
      ))
    case 'archive':
      return void (await organizing.archive(row))
    case 'move':
      return void (await organizing.move(row, (args as ParamsOf<'move'>).folder))
    case 'mark_read':
      return void (await organizing.read(row, true))
    case 'star':
      return void (await organizing.star(row, true))
    case 'snooze':
      return snooze(ctx, row, args as ParamsOf<'snooze'>)
    case 'create_task':
      return void (await ctx.call('create_task_from_source', {
        source_type: 'email',
        source_id: row.id,
        ...(args as ParamsOf<'create_task'>),
      }))
    case 'notify':
      return ctx.notify(
        'automation',
        [row.owner_id],
        'emails',
        row,
        (args as ParamsOf<'notify'>).text ?? 'An email matched one of your rules',
      )
  }
}

async function snooze(
  ctx: WriteContext,
  row: Email,
  { hours, until_reply }: ParamsOf<'snooze'>,
): Promise<void> {
  const thread = await mailThread.demand(ctx, row.thread_id, 'edit', 'thread_id')
  await hideThread(ctx, thread, {
    until: hours === undefined ? null : ctx.now + Math.round(hours * 3_600_000),
    untilReply: until_reply ?? false,
  })
}

/** Describes why an action failed. */
export function ruleActionProblem(action: MailRuleAction, error: Refusal): string {
  return `${action.type}: ${error.body().message}`.slice(0, 500)
}
