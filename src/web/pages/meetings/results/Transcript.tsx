import { useLocation } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { resultTexts } from '../../../texts/en/company/meeting-results.ts'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { OutsideBadge } from '../../../ui/Outside.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { phraseFilter } from '../../../ui/work/phrase-filter.ts'
import planning from '../../planning/planning.module.css'
import type { FullMeeting } from '../data.ts'
import { lineAt } from './proof.ts'
import { TranscriptLines } from './SaidLines.tsx'
import styles from './results.module.css'
import type { LoadedTranscript } from './useTranscript.ts'

const { transcript: words } = resultTexts

interface TranscriptProps {
  meeting: FullMeeting
  transcript: LoadedTranscript
  /** Records a result for the focused line. */
  decide: () => void
  act: () => void
}

/** Transcript, line by line: text from outside. */
export function Transcript({ meeting, transcript, decide, act }: TranscriptProps) {
  const { lines, transcriptQuery, speakers } = transcript
  const { hash } = useLocation()
  const [query, setQuery] = useState('')
  const target = lineAt(hash, lines, meeting.action_items)
  const searchText = query.trim()
  const matches = useMemo(() => {
    if (searchText === '') return lines
    const hasPhrase = phraseFilter(searchText)
    return lines.filter(({ text, speaker }) => hasPhrase(`${speaker} ${text}`))
  }, [lines, searchText]) // not recomputed when the cursor moves
  return (
    <QueryContent query={transcriptQuery}>
      {() => (
        <>
          <div className={styles.tools}>
            <OutsideBadge />
            <Speakers speakers={speakers} />
            <input
              type="search"
              value={query}
              aria-label={words.search}
              placeholder={words.search}
              onChange={(event) => setQuery(event.currentTarget.value)}
              dir="auto"
            />
          </div>
          <TranscriptLines lines={matches} target={target} decide={decide} act={act} />
          <MoreButton query={transcriptQuery} />
        </>
      )}
    </QueryContent>
  )
}

function Speakers({ speakers }: { speakers: LoadedTranscript['speakers'] }) {
  return (
    <span className={styles.speakers}>
      {speakers.map(({ label, person, contact }) => {
        const speaker = person ?? contact
        return speaker ? (
          <ItemLink key={label} item={speaker} />
        ) : (
          <span key={label} className={planning.note} dir="auto">
            {label}
          </span>
        )
      })}
    </span>
  )
}
