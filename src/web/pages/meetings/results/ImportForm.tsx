import { useState, type FormEvent } from 'react'
import { useCall } from '../../../api/queries.ts'
import { resultTexts } from '../../../texts/en/company/meeting-results.ts'
import { Problem } from '../../../ui/states.tsx'
import { filledLines } from '../../../ui/work/lines.ts'
import planning from '../../planning/planning.module.css'
import type { FullMeeting } from '../data.ts'

const { form: words } = resultTexts.transcript

interface ImportFormProps {
  meeting: FullMeeting
  close: () => void
}

/** Parses the speaker names of the transcript: `Speaker 1 = Ann`, one per line. */
const speakersIn = (text: string) =>
  filledLines(text).flatMap((line): [string, string][] => {
    const at = line.indexOf('=')
    const [name, person] = [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    return at < 1 || person === '' ? [] : [[name, person]]
  })

/** Stores a transcript from a file or pasted text, which stays until the server has it. */
export function ImportForm({ meeting, close }: ImportFormProps) {
  const [content, setContent] = useState('')
  const [speakers, setSpeakers] = useState('')
  const importing = useCall('import_transcript', ['get_meeting', 'get_transcript', 'list_meetings'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const map = speakersIn(speakers)
    importing.mutate(
      {
        meeting_id: meeting.id,
        content,
        ...(map.length > 0 && { speaker_map: Object.fromEntries(map) }),
      },
      { onSuccess: close },
    )
  }
  return (
    <form className={planning.form} onSubmit={submit}>
      <label>
        {words.text}
        <textarea
          data-autofocus
          value={content}
          onChange={(event) => setContent(event.currentTarget.value)}
          rows={8}
          required
          dir="auto"
        />
        <span className={planning.note}>{words.hint}</span>
      </label>
      <label>
        {words.file}
        <input
          type="file"
          accept=".txt,.md,.vtt,.srt,.json"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? []
            if (file) void file.text().then(setContent)
          }}
        />
      </label>
      <label>
        {words.speakers}
        <textarea
          value={speakers}
          onChange={(event) => setSpeakers(event.currentTarget.value)}
          rows={2}
          dir="auto"
        />
        <span className={planning.note}>{words.speakersHint}</span>
      </label>
      {meeting.transcript.exists && <p className={planning.quiet}>{words.replaces}</p>}
      {importing.error && <Problem error={importing.error} />}
      <button
        type="submit"
        className={planning.primary}
        disabled={content.trim() === '' || importing.isPending}
      >
        {words.action}
      </button>
    </form>
  )
}
