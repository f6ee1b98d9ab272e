import { useNavigate, useParams } from '@tanstack/react-router'
import { useOperation } from '../../../api/queries.ts'
import { useCommands } from '../../../keys/commands.ts'
import { formTexts } from '../../../texts/en/company/forms.ts'
import { Facts } from '../../../ui/Facts.tsx'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { OutsideBadge } from '../../../ui/Outside.tsx'
import { AddressFact, DimmedText } from '../../items/Facts.tsx'
import { isMissing, Loaded } from '../../items/Found.tsx'
import { ItemFrame } from '../../items/Frame.tsx'
import { History } from '../../items/History.tsx'
import { AnswerResult } from './AnswerRow.tsx'
import type { Answer } from './AnswerTable.tsx'
import { AnswerValue } from './AnswerValue.tsx'
import styles from './forms.module.css'

const { answer: words, table } = formTexts

/** Response of one person, each answer under its question as it was asked at the time. */
export function AnswerPage() {
  const { id, of } = useParams({ strict: false }) as { id: string; of: string }
  const navigate = useNavigate()
  const answerQuery = useOperation('get_item', { item_id: id })
  useCommands({ 'list.back': () => void navigate({ to: `/forms/${of}` }) })
  if (isMissing(answerQuery.error)) return <History />
  return (
    <Loaded query={answerQuery}>{({ item }) => <AnswerDetail answer={item as Answer} />}</Loaded>
  )
}

function AnswerDetail({ answer }: { answer: Answer }) {
  const { form, respondent, answers } = answer
  const hasResult = answer.created_item !== undefined || answer.destination !== undefined
  return (
    <ItemFrame
      type="form_response"
      title={words.title(form.title)}
      item={answer}
      id={answer.id}
      status={answer.trust === 'external' && <OutsideBadge />}
    >
      <Facts
        facts={[
          [table.form, <ItemLink key="form" item={form} />],
          [
            table.respondent,
            respondent ? <AddressFact key="by" person={respondent} /> : table.anonymous,
          ],
          ...(hasResult
            ? [[table.became, <AnswerResult key="became" answer={answer} />] as const]
            : []),
        ]}
      />
      {answers.length === 0 ? (
        <DimmedText>{words.none}</DimmedText>
      ) : (
        <section aria-label={words.label}>
          <dl className={styles.given}>
            {answers.map((answer) => (
              <div key={answer.field_id}>
                <dt dir="auto">
                  {answer.asked?.label ?? answer.label}
                  {answer.asked && answer.asked.label !== answer.label && (
                    <span className={styles.then}>{words.nowAsked(answer.label)}</span>
                  )}
                </dt>
                <dd dir="auto">
                  <AnswerValue answer={answer} withoutLabel />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </ItemFrame>
  )
}
