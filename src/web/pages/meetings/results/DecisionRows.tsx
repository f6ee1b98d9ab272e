import { resultTexts } from '../../../texts/en/company/meeting-results.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { Markdown } from '../../../ui/Markdown.tsx'
import { formatMoment } from '../../../ui/times.tsx'
import { LinkTarget } from '../../items/Section.tsx'
import type { DecisionItem } from './data.ts'
import styles from './results.module.css'

const { decisions: words } = resultTexts

interface DecisionRowsProps {
  decisions: readonly DecisionItem[]
  /** True if the meeting of each is shown. */
  withMeeting?: boolean
}

/** Decisions with their reasons, and links to the lines that prove them. */
export function DecisionRows({ decisions, withMeeting = false }: DecisionRowsProps) {
  return (
    <ul className={styles.rows}>
      {decisions.map((decision) => (
        <li key={decision.id} className={styles.decision}>
          <LinkTarget id={decision.id}>
            <ItemLink item={decision} isRow />
            <div className={styles.facts}>
              <span>{formatMoment(decision.decided_at)}</span>
              {decision.decided_by.length > 0 && (
                <span dir="auto">
                  {words.by(decision.decided_by.map(({ title }) => title).join(', '))}
                </span>
              )}
              {decision.status === 'superseded' && <span>{words.superseded}</span>}
              {withMeeting && decision.meeting && <ItemLink item={decision.meeting} />}
              {decision.project && <ItemLink item={decision.project} />}
            </div>
            <Markdown text={decision.decision_markdown} parentLevel={2} />
          </LinkTarget>
        </li>
      ))}
    </ul>
  )
}
