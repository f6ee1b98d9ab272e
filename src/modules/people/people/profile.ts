import { omitUndefined } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { datetime, shortText, timezone } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { parseInstant } from '../../../kernel/time/times.ts'
import { file } from '../../drive/access.ts'
import { person } from '../../directory/access.ts'
import { orderedHours } from './hours.ts'
import { workingHours } from '../../directory/shapes.ts'
import { presentPeople, User } from '../shapes.ts'

export const updateMyProfile = operation({
  name: 'update_my_profile',
  searchHint: 'change my name, photo, avatar, job title, my time zone, office hours',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/me',
  about: 'Change your display name, title, timezone, avatar or working hours',
  on: { avatar: file.see.clearable.named('avatar_file_id').describe('an image; null removes it') },
  input: {
    display_name: z
      .string()
      .min(1)
      .max(200)
      .regex(/\S/, 'must not be blank')
      .optional()
      .describe('name shown to others'),
    title: shortText(200).nullable().optional().describe('job title'),
    timezone: timezone().optional(),
    working_hours: workingHours
      .optional()
      .describe(
        'the whole week in your time zone: {"mon": [{"from": "09:00", "to": "17:00"}], …}; omitted days are free',
      ),
  },
  output: User,
  async handle({ avatar, display_name, title, timezone, working_hours }, ctx) {
    if (avatar) checkAvatar(avatar)
    const row = await myself(ctx)
    const changed = await ctx.change(
      'users',
      row,
      omitUndefined({
        display_name: display_name === undefined ? undefined : display_name.trim(),
        title: title === undefined ? undefined : title?.trim() || null,
        timezone,
        working_hours_json:
          working_hours === undefined ? undefined : JSON.stringify(orderedHours(working_hours)),
        avatar_file_id: avatar === undefined ? undefined : (avatar?.id ?? null),
      }),
    )
    return presentPerson(ctx, changed)
  },
})

export const setMyStatus = operation({
  name: 'set_my_status',
  searchHint: 'away, busy, do not disturb, presence, lunch, custom status, emoji',
  kind: 'write',
  idempotent: true,
  rest: 'PUT /api/me/status',
  about: 'Set your status text and availability, optionally until a given time',
  input: {
    text: shortText(200)
      .nullable()
      .optional()
      .describe('default: none; the whole status is replaced'),
    emoji: z
      .string()
      .max(64)
      .refine(isEmoji, 'must be one emoji, or a name such as :palm_tree:')
      .nullable()
      .optional()
      .describe('one emoji'),
    availability: z.enum(['available', 'busy', 'away', 'do_not_disturb']).default('available'),
    until: datetime()
      .nullable()
      .optional()
      .describe('you show as available afterwards; default: until changed'),
  },
  output: User,
  async handle({ text, emoji, availability, until }, ctx) {
    const presenceEnd = until == null ? null : endOfStatus(until, ctx)
    const row = await myself(ctx)
    return presentPerson(
      ctx,
      await ctx.change('users', row, {
        presence_text: text?.trim() || null,
        presence_emoji: emoji || null,
        availability,
        presence_until_at: presenceEnd,
      }),
    )
  },
})

async function myself(ctx: ReadContext): Promise<Row<'users'>> {
  return person.editableBy(ctx).selectAll('users').executeTakeFirstOrThrow()
}

async function presentPerson(ctx: ReadContext, row: Row<'users'>) {
  return (await presentPeople(ctx, [row]))[0]!
}

/** SVG is excluded: it can contain scripts, and avatars are shown to everyone. */
function checkAvatar(row: Row<'files'>): void {
  if (!/^image\/(png|jpeg|gif|webp|avif)$/.test(row.mime_type))
    throw invalid(
      'avatar_file_id',
      `"${row.name}" is ${row.mime_type}; an avatar must be a PNG, JPEG, GIF, WebP or AVIF image.`,
    )
}

const maxStatusMs = 366 * 24 * 3600 * 1000

function endOfStatus(until: string, ctx: ReadContext): number {
  const at = parseInstant(until, ctx.actor.timezone, 'end', 'until')
  if (at <= ctx.now)
    throw invalid('until', `${until} is in the past.`, 'Send a future time, or omit until.')
  if (at > ctx.now + maxStatusMs)
    throw invalid(
      'until',
      `${until} is more than a year away.`,
      'Omit until for a status without an end.',
    )
  return at
}

function isEmoji(text: string): boolean {
  if (text === '' || /^:[a-z0-9_+-]{1,60}:$/.test(text)) return true
  return (
    graphemesOf(text).length === 1 &&
    /\p{Emoji_Presentation}|\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(text)
  )
}

function graphemesOf(text: string): Intl.SegmentData[] {
  return [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)]
}
