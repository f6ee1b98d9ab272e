import { useState, type FormEvent, type RefObject } from 'react'
import { useList } from '../../api/queries.ts'
import { KeyCombo } from '../../keys/KeyCombo.tsx'
import { peopleTexts } from '../../texts/en/company/people.ts'
import planning from '../planning/planning.module.css'
import styles from './people.module.css'

const { experts: words } = peopleTexts

interface TopicFieldProps {
  field: RefObject<HTMLInputElement | null>
  topic: string
  /** Empty for the whole organization. */
  team: string
  onSearch: (next: { q: string; team: string }) => void
}

/** Topic to find experts on, and the team to search. */
export function TopicField({ field, topic, team, onSearch }: TopicFieldProps) {
  const [draftTopic, setDraftTopic] = useState(topic)
  const teams = useList('list_teams', { limit: 100 }).items
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch({ q: draftTopic.trim(), team })
  }
  return (
    <form className={styles.topic} onSubmit={submit}>
      <label>
        {words.topic}
        <span>
          <input
            ref={field}
            type="search"
            value={draftTopic}
            placeholder={words.placeholder}
            onChange={(event) => setDraftTopic(event.currentTarget.value)}
            // biome-ignore lint/a11y/noAutofocus: the page starts with the topic
            autoFocus={topic === ''}
            maxLength={2000}
            autoComplete="off"
            dir="auto"
          />
          <KeyCombo command="view.filter" />
        </span>
      </label>
      {teams.length > 0 && (
        <label>
          {words.team}
          <select
            value={team}
            onChange={(event) =>
              onSearch({ q: draftTopic.trim(), team: event.currentTarget.value })
            }
          >
            <option value="">{words.anyTeam}</option>
            {teams.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <button type="submit" className={planning.primary}>
        {words.find}
      </button>
    </form>
  )
}
