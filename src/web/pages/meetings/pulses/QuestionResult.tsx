import { pulseTexts } from '../../../texts/en/company/pulses.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import planning from '../../planning/planning.module.css'
import { formatAnswer } from './answers.ts'
import type { PulseQuestionData, PulseReportData } from './data.ts'
import styles from './pulses.module.css'

const { report: words } = pulseTexts
const maxTrend = 6

type Trend = PulseReportData['trends'][string]
type Score = Trend['points'][number]

interface QuestionResultProps {
  question: PulseQuestionData
  score: Omit<Score, 'on'> | undefined
  trend: Trend | undefined
  answers: PulseReportData['answers']
}

/** Results of a question in a round: the figures, their trend, and each answer. */
export function QuestionResult({ question, score, trend, answers }: QuestionResultProps) {
  const responses = answers.filter(({ answers: all }) => Object.hasOwn(all, question.id))
  const figures = figuresOf(question, score, trend)
  return (
    <>
      <h3 dir="auto">{question.text}</h3>
      {figures.length > 0 && <p className={planning.note}>{figures.join(' · ')}</p>}
      {responses.length === 0 && <p className={planning.quiet}>{words.noAnswers}</p>}
      <ul className={styles.answers}>
        {responses.map(({ person, answers: all, id }, n) => (
          <li key={id ?? n}>
            {person && <ItemLink item={person} />}
            <span className={styles.answer} dir="auto">
              {formatAnswer(all[question.id] ?? '')}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

function figuresOf(
  { max = 5 }: PulseQuestionData,
  score: Omit<Score, 'on'> | undefined,
  trend: Trend | undefined,
): string[] {
  if (!score) return []
  const { average, yes_share: share, counts } = score
  const points = trend?.points.slice(-maxTrend) ?? []
  const averages = points.flatMap((point) => point.average ?? [])
  const shares = points.flatMap((point) => point.yes_share ?? [])
  return [
    average === undefined ? '' : words.average(average, max),
    share === undefined ? '' : words.yesShare(share),
    ...Object.entries(counts ?? {}).map(([option, n]) => words.chosen(option, n)),
    average === undefined || trend?.change === undefined ? '' : words.change(trend.change),
    averages.length > 1 ? words.trend(averages) : '',
    shares.length > 1 ? words.trendShares(shares) : '',
  ].filter((part) => part !== '')
}
