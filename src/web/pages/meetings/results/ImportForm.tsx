import { useState, type FormEvent } from 'react'
import { useCall } from '../../../api/queries.ts'
import { resultTexts } from '../../../texts/en/company/meeting-results.ts'
import { Problem } from '../../../ui/states.tsx'
import { nonEmptyLines } from '../../../ui/work/lines.ts'
import planning from '../../planning/planning.module.css'
import type { FullMeeting } from '../data.ts'

const { form: words } = resultTexts.transcript

interface ImportFormProps {
  meeting: FullMeeting
  close: () => void
}

/** Parses the speaker names of the transcript: `Speaker 1 = Ann`, one per line. */
const parseSpeakers = (text: string) =>
  nonEmptyLines(text).flatMap((line): [string, string][] => {
    const separatorIndex = line.indexOf('=')
    const [name, person] = [
      line.slice(0, separatorIndex).trim(),
      line.slice(separatorIndex + 1).trim(),
    ]
    return separatorIndex < 1 || person === '' ? [] : [[name, person]]
  })

/** Stores a transcript from a file or pasted text, which stays until the server has it. */
export function ImportForm({ meeting, close }: ImportFormProps) {
  const [content, setContent] = useState('')
  const [speakers, setSpeakers] = useState('')
  const importCall = useCall('import_transcript', [
    'get_meeting',
    'get_transcript',
    'list_meetings',
  ])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const speakerMap = parseSpeakers(speakers)
    importCall.mutate(
      {
        meeting_id: meeting.id,
        content,
        ...(speakerMap.length > 0 && { speaker_map: Object.fromEntries(speakerMap) }),
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
      {importCall.error && <Problem error={importCall.error} />}
      <button
        type="submit"
        className={planning.primary}
        disabled={content.trim() === '' || importCall.isPending}
      >
        {words.action}
      </button>
    </form>
  )
}
