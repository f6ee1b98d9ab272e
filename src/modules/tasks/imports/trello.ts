import type { LeftOutCounter } from '../../../kernel/left-out.ts'
import { truncate } from '../../../kernel/text/truncate.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import { emptyRecord, readDate, type TaskRecord } from './records.ts'
import { categoryOf } from './statuses.ts'

const trelloText = () =>
  z
    .string()
    .nullish()
    .transform((value) => value ?? '')
const Board = z.object({
  name: trelloText(),
  lists: z.array(z.object({ id: z.string(), name: trelloText(), closed: z.boolean().nullish() })),
  cards: z.array(
    z.object({
      id: z.string(),
      name: trelloText(),
      desc: trelloText(),
      idList: trelloText(),
      closed: z.boolean().nullish(),
      due: z.string().nullish(),
      start: z.string().nullish(),
      dueComplete: z.boolean().nullish(),
      labels: z.array(z.object({ name: trelloText(), color: z.string().nullish() })).nullish(),
      idMembers: z.array(z.string()).nullish(),
      shortUrl: trelloText(),
      attachments: z.array(z.unknown()).nullish(),
      customFieldItems: z.array(z.unknown()).nullish(),
      idMembersVoted: z.array(z.unknown()).nullish(),
    }),
  ),
  members: z
    .array(z.object({ id: z.string(), fullName: trelloText(), username: trelloText() }))
    .nullish(),
  checklists: z
    .array(
      z.object({
        idCard: z.string(),
        name: trelloText(),
        checkItems: z.array(
          z.object({ name: trelloText(), state: trelloText(), pos: z.number().nullish() }),
        ),
      }),
    )
    .nullish(),
  actions: z
    .array(
      z.object({
        type: z.string(),
        date: trelloText(),
        memberCreator: z.object({ fullName: trelloText() }).nullish(),
        data: z.unknown(),
      }),
    )
    .nullish(),
})

const CommentData = z.object({ text: z.string(), card: z.object({ id: z.string() }) })

/** True if a value looks like the JSON export of a Trello board. */
export function isTrelloBoard(value: unknown): boolean {
  return Board.pick({ lists: true, cards: true }).safeParse(value).success
}

/**
 * Tasks of the JSON export of a Trello board: each card with its list, its checklists in the description, and its
 * comments. Archived cards are skipped.
 */
export function* trelloTasks(
  value: unknown,
  leftOut: LeftOutCounter,
): Generator<
  { record: TaskRecord; warnings: string[] } | { refused: { line: number; reason: string } }
> {
  const board = Board.parse(value)
  const lists = new Map(board.lists.map((list) => [list.id, list]))
  const members = new Map(
    (board.members ?? []).map((member) => [member.id, member.fullName || member.username]),
  )
  const checklists = Map.groupBy(board.checklists ?? [], (checklist) => checklist.idCard)
  const comments = commentsOf(board.actions ?? [])
  for (const [i, card] of board.cards.entries()) {
    const line = i + 1
    const list = lists.get(card.idList)
    if (card.closed || list?.closed) {
      yield {
        refused: { line, reason: card.closed ? 'The card is archived.' : 'Its list is archived.' },
      }
      continue
    }
    const record: TaskRecord = {
      ...emptyRecord(line),
      ref: card.id,
      title: card.name,
      description: descriptionOf(card.desc, checklists.get(card.id) ?? []),
      project: board.name,
    }
    if (list) record.status = list.name
    const category = card.dueComplete ? 'done' : list && categoryOf(list.name)
    if (category) record.category = category
    record.labels = (card.labels ?? [])
      .map((label) => label.name || (label.color ?? ''))
      .filter((name) => name !== '')
    record.assignees = (card.idMembers ?? []).flatMap((id) => members.get(id) ?? [])
    const due = card.due ? readDate(card.due) : undefined
    const start = card.start ? readDate(card.start) : undefined
    if (due) record.due = due
    if (start) record.start = start
    if (card.shortUrl) record.url = card.shortUrl
    record.comments = comments.get(card.id) ?? []
    countIgnored(card, leftOut)
    yield { record, warnings: [] }
  }
}

function countIgnored(card: z.infer<typeof Board>['cards'][number], leftOut: LeftOutCounter): void {
  for (const [what, items] of [
    ['attachments of cards', card.attachments],
    ['custom fields of cards', card.customFieldItems],
    ['votes for cards', card.idMembersVoted],
  ] as const)
    for (const _ of items ?? []) leftOut.add(what, truncate(card.name, 100))
}

function descriptionOf(
  description: string,
  checklists: readonly {
    name: string
    checkItems: { name: string; state: string; pos?: number | null | undefined }[]
  }[],
): string {
  const parts = checklists.map(({ name, checkItems }) => {
    const items = checkItems.toSorted((a, b) => (a.pos ?? 0) - (b.pos ?? 0))
    return [
      `**${name || 'Checklist'}**`,
      '',
      ...items.map(
        (item) =>
          `- [${item.state === 'complete' ? 'x' : ' '}] ${item.name.replaceAll(/\s+/g, ' ')}`,
      ),
    ].join('\n')
  })
  return [description, ...parts].filter((part) => part !== '').join('\n\n')
}

function commentsOf(
  actions: readonly {
    type: string
    date: string
    memberCreator?: { fullName: string } | null | undefined
    data?: unknown
  }[],
): Map<string, TaskRecord['comments']> {
  const commentsByCard = new Map<string, TaskRecord['comments']>()
  for (const action of actions.toReversed()) {
    // newest first in the file
    const data = action.type === 'commentCard' ? CommentData.safeParse(action.data) : undefined
    if (!data?.success) continue
    const at = readDate(action.date)
    const comment = omitNullish({
      author: action.memberCreator?.fullName ?? '',
      at,
      text: data.data.text,
    })
    commentsByCard.set(data.data.card.id, [
      ...(commentsByCard.get(data.data.card.id) ?? []),
      comment,
    ])
  }
  return commentsByCard
}
