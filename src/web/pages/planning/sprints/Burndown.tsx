import { useState } from 'react'
import type { Output } from '../../../api/client.ts'
import { t } from '../../../texts/index.ts'
import { dayOf, dayWords } from '../../../ui/work/days.ts'
import styles from '../planning.module.css'

type Report = Output<'get_sprint_report'>
type Point = Report['burndown'][number]

const width = 640
const height = 220
const margin = { top: 10, right: 12, bottom: 24, left: 36 }

/** Remaining work of a sprint by day, beside an even pace; as a chart or as a table. */
export function Burndown({ report }: { report: Report }) {
  const [isTable, setTable] = useState(false)
  const words = t.planning.sprint
  const points = report.burndown
  const unit = words.units[report.velocity_unit]
  return (
    <section className={styles.section}>
      <h2>
        {words.burndown}
        <span className={styles.note}>{words.burndownOf(unit)}</span>
        {points.length > 0 && (
          <button
            type="button"
            className={styles.button}
            data-plain
            onClick={() => setTable(!isTable)}
          >
            {isTable ? words.chart : words.table}
          </button>
        )}
      </h2>
      {points.length === 0 && <p className={styles.quiet}>{words.noBurndown}</p>}
      {points.length > 0 &&
        (isTable ? <Table points={points} /> : <Chart points={points} unit={unit} />)}
    </section>
  )
}

function Chart({ points, unit }: { points: readonly Point[]; unit: string }) {
  const top = Math.max(1, ...points.map((point) => Math.max(point.remaining, point.ideal)))
  const today = dayOf()
  const x = (index: number) =>
    margin.left + (index / Math.max(1, points.length - 1)) * (width - margin.left - margin.right)
  const y = (value: number) =>
    margin.top + (1 - value / top) * (height - margin.top - margin.bottom)
  const line = (values: readonly number[]) =>
    values.map((value, i) => `${i === 0 ? 'M' : 'L'}${x(i)} ${y(value)}`).join('')
  const past = points.filter((point) => point.date <= today)
  const last = past.at(-1)
  const marks = [0, Math.round(top / 2), Math.round(top)]
  const labelled = [0, Math.floor((points.length - 1) / 2), points.length - 1]
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      className={styles.chart}
      role="img"
      aria-label={`${t.planning.sprint.burndownOf(unit)}: ${last?.remaining ?? points[0]?.remaining ?? 0}`}
    >
      {[...new Set(marks)].map((mark) => (
        <g key={mark}>
          <line
            className={styles.gridLine}
            x1={margin.left}
            x2={width - margin.right}
            y1={y(mark)}
            y2={y(mark)}
          />
          <text x={margin.left - 8} y={y(mark) + 4} textAnchor="end">
            {mark}
          </text>
        </g>
      ))}
      {[...new Set(labelled)].map((index) => (
        <text key={index} x={x(index)} y={height - 6} textAnchor={anchorOf(index, points.length)}>
          {dayWords(points[index]?.date ?? today)}
        </text>
      ))}
      <path className={styles.idealLine} d={line(points.map((point) => point.ideal))} />
      <path className={styles.remainingLine} d={line(past.map((point) => point.remaining))} />
      {last && (
        <circle
          className={styles.remainingDot}
          cx={x(past.length - 1)}
          cy={y(last.remaining)}
          r="3.5"
        />
      )}
    </svg>
  )
}

function anchorOf(index: number, count: number): 'start' | 'middle' | 'end' {
  if (index === 0) return 'start'
  return index === count - 1 ? 'end' : 'middle'
}

function Table({ points }: { points: readonly Point[] }) {
  const { day, remaining, ideal } = t.planning.sprint
  return (
    <table className={styles.numbers}>
      <thead>
        <tr>
          <th scope="col">{day}</th>
          <th scope="col">{remaining}</th>
          <th scope="col">{ideal}</th>
        </tr>
      </thead>
      <tbody>
        {points.map((point) => (
          <tr key={point.date}>
            <th scope="row">
              <time dateTime={point.date}>{dayWords(point.date)}</time>
            </th>
            <td>{t.items.number(point.remaining)}</td>
            <td>{t.items.number(point.ideal)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
