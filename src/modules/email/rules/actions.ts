import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { invalid, type Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { project } from '../../portfolio/access.ts'
import { mailThread } from '../access.ts'
import { wishOf } from '../mailboxes/label-names.ts'
import type { Mailbox } from '../mailboxes/access-folders.ts'
import type { Organizing } from '../messages/action-changes.ts'
import type { RuleAction } from '../shapes.ts'
import { hideThread } from '../threads/snooze-state.ts'
import { placeOrFolder } from '../mailboxes/locations.ts'

export type MailRuleAction = z.infer<typeof RuleAction>
type Email = Row<'emails'>
type Type = MailRuleAction['type']

const none = z.strictObject({})
const names = z.union([
  z.string().min(1).max(100),
  z.array(z.string().min(1).max(100)).min(1).max(20),
])

/** Parameters of each action. */
const params = {
  label: z.strictObject({ label: names }),
  archive: none,
  move: z.strictObject({ folder: z.string().min(1).max(500) }),
  mark_read: none,
  star: none,
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

/** Actions that put mail in order; the others are for what comes in, not for what is there already. */
const tidying: readonly Type[] = ['label', 'archive', 'move', 'mark_read', 'star']

export function tidyingOf(actions: readonly MailRuleAction[]): MailRuleAction[] {
  return actions.filter((action) => tidying.includes(action.type))
}

/** @throws Refusal invalid_argument where an action could never be done; not_found where it names a project that is not visible */
export async function checkActions(
  ctx: ReadContext,
  actions: readonly MailRuleAction[],
  mailboxes: readonly Mailbox[],
): Promise<void> {
  for (const [i, one] of actions.entries()) await checkAction(ctx, one, `actions[${i}]`, mailboxes)
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
  if (action.type === 'label') wishOf([(read.data as ParamsOf<'label'>).label].flat())
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

/** The folder has to be in one of the mailboxes that the rule looks at. */
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

/** Does one action of a rule to a message that matches. @throws Refusal where it cannot be done */
export async function applyRuleAction(
  ctx: WriteContext,
  { type, params: input = {} }: MailRuleAction,
  row: Email,
  organizing: Organizing,
): Promise<void> {
  const args = params[type].parse(input)
  switch (type) {
    case 'label':
      return void (await organizing.label(row, wishOf([(args as ParamsOf<'label'>).label].flat())))
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
