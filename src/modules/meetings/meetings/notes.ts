import { z } from 'zod'
import { secret } from '../../../kernel/fields.ts'
import { unresolvedMentions } from '../../../kernel/text/mentions.ts'
import { operation } from '../../../operations/operation.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { meeting, meetingNote } from '../access.ts'
import { notifyMentioned } from './updates.ts'
import { MeetingNote } from '../shapes.ts'
import { presentNotes } from './presenter.ts'

export const atSecond = () =>
  z
    .int()
    .min(0)
    .max(10 ** 9)
    .optional()
    .describe('time in the recording, in seconds')
const maxNotes = 1000

export const addMeetingNote = operation({
  name: 'add_meeting_note',
  searchHint: 'take minutes, take notes, jot down during the meeting',
  kind: 'write',
  rest: 'POST /api/meetings/{meeting_id}/notes',
  about: 'Append a note, optionally tied to a moment of the recording',
  on: { meeting: meeting.edit },
  input: {
    body_markdown: secret(z.string().min(1).max(50_000).regex(/\S/, 'must not be blank')).describe(
      'markdown; @name mentions people with access',
    ),
    at_second: atSecond(),
  },
  output: MeetingNote,
  async handle({ meeting: row, body_markdown, at_second }, ctx) {
    const { count } = await meetingNote
      .of(ctx, [row.id])
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (count >= maxNotes)
      throw new Refusal(
        'conflict',
        `A meeting can have ${maxNotes} notes; this one has reached that limit.`,
        'Add more text to notes_markdown with update_meeting.',
      )
    const addedNote = await ctx.add('meeting_notes', {
      meeting_id: row.id,
      body_markdown,
      at_second: at_second ?? null,
    })
    await notifyMentioned(ctx, row, body_markdown)
    return { ...(await presentNotes(ctx, row, [addedNote]))[0]!, ...unresolvedMentions(ctx) }
  },
})
