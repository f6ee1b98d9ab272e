import { call } from '../../api/client.ts'
import { meetingTexts } from '../../texts/en/company/meetings.ts'
import { t } from '../../texts/index.ts'
import { operationTextSource } from '../../ui/conflicts/text-merge.ts'
import { Markdown } from '../../ui/Markdown.tsx'
import { Ago } from '../../ui/times.tsx'
import { MarkdownInput } from '../../ui/work/texts.tsx'
import { NoteForm } from '../items/NoteForm.tsx'
import { LinkTarget } from '../items/Section.tsx'
import planning from '../planning/planning.module.css'
import { addNote, type FullMeeting } from './data.ts'
import styles from './meetings.module.css'

const { notes: words } = meetingTexts

/** The notes of a meeting in sequence, with a field for new ones, and its minutes as one text. */
export function Notes({ meeting }: { meeting: FullMeeting }) {
  return (
    <section className={planning.section}>
      <h2>{words.title}</h2>
      <NoteForm
        draft={`meeting note ${meeting.id}`}
        command="meeting.note"
        label={words.write}
        placeholder={words.placeholder}
        action={words.action}
        send={(note) => addNote(meeting, note)}
      />
      <div role="log" aria-label={words.title}>
        {meeting.notes.map((note) => (
          <div key={note.id} className={styles.note}>
            <LinkTarget id={note.id}>
              <span className={planning.note}>
                {note.author.title} · <Ago time={note.created_at} />
              </span>
              <Markdown text={note.body_markdown} parentLevel={2} />
            </LinkTarget>
          </div>
        ))}
      </div>
      <Minutes meeting={meeting} />
    </section>
  )
}

function Minutes({ meeting }: { meeting: FullMeeting }) {
  const source = operationTextSource({
    read: async () => {
      const current = await call('get_meeting', { meeting_id: meeting.id })
      return { text: current.notes_markdown ?? '', revision: current.revision }
    },
    operation: 'update_meeting',
    input: (notes_markdown, expected_revision) => ({
      meeting_id: meeting.id,
      notes_markdown,
      expected_revision,
    }),
    description: t.tasks.changed(meeting.title, words.set),
  })
  return (
    <MarkdownInput
      saved={{ text: meeting.notes_markdown ?? '', revision: meeting.revision }}
      source={source}
      label={words.minutes}
      add={words.addMinutes}
      draft={`meeting minutes ${meeting.id}`}
      itemId={meeting.id}
    />
  )
}
