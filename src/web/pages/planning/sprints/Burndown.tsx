import { useState } from 'react'
import type { Output } from '../../../api/client.ts'
import { t } from '../../../texts/index.ts'
import { dayOf, relativeDay } from '../../../ui/work/days.ts'
import styles from '../planning.module.css'

type Report = Output<'get_sprint_report'>
type Point = Report['burndown'][number]

const width = 640
const height = 220
const margin = { top: 10, right: 12, bottom: 24, left: 36 }

/** Remaining work of a sprint by day, beside an even pace; as a chart or as a table. */
export function Burndown({ report }: { report: Report }) {
  const [isTable, setTable] = useState(false)
  const texts = t.planning.sprint
  const points = report.burndown
  const unit = texts.units[report.velocity_unit]
  return (
    <section className={styles.section}>
      <h2>
        {texts.burndown}
        <span className={styles.note}>{texts.burndownOf(unit)}</span>
        {points.length > 0 && (
          <button
            type="button"
            className={styles.button}
            data-plain
            onClick={() => setTable(!isTable)}
          >
            {isTable ? texts.chart : texts.table}
          </button>
        )}
      </h2>
      {points.length === 0 && <p className={styles.quiet}>{texts.noBurndown}</p>}
      {points.length > 0 &&
        (isTable ? <Table points={points} /> : <Chart points={points} unit={unit} />)}
    </section>
  )
}

function Chart({ points, unit }: { points: readonly Point[]; unit: string }) {
  const maxValue = Math.max(1, ...points.map((point) => Math.max(point.remaining, point.ideal)))
  const today = dayOf()
  const x = (index: number) =>
    margin.left + (index / Math.max(1, points.length - 1)) * (width - margin.left - margin.right)
  const y = (value: number) =>
    margin.top + (1 - value / maxValue) * (height - margin.top - margin.bottom)
  const line = (values: readonly number[]) =>
    values.map((value, i) => `${i === 0 ? 'M' : 'L'}${x(i)} ${y(value)}`).join('')
  const pastPoints = points.filter((point) => point.date <= today)
  const lastPoint = pastPoints.at(-1)
  const marks = [0, Math.round(maxValue / 2), Math.round(maxValue)]
  const labelIndexes = [0, Math.floor((points.length - 1) / 2), points.length - 1]
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      className={styles.chart}
      role="img"
      aria-label={`${t.planning.sprint.burndownOf(unit)}: ${lastPoint?.remaining ?? points[0]?.remaining ?? 0}`}
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
      {[...new Set(labelIndexes)].map((index) => (
        <text key={index} x={x(index)} y={height - 6} textAnchor={anchorOf(index, points.length)}>
          {relativeDay(points[index]?.date ?? today)}
        </text>
      ))}
      <path className={styles.idealLine} d={line(points.map((point) => point.ideal))} />
      <path className={styles.remainingLine} d={line(pastPoints.map((point) => point.remaining))} />
      {lastPoint && (
        <circle
          className={styles.remainingDot}
          cx={x(pastPoints.length - 1)}
          cy={y(lastPoint.remaining)}
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
              <time dateTime={point.date}>{relativeDay(point.date)}</time>
            </th>
            <td>{t.items.number(point.remaining)}</td>
            <td>{t.items.number(point.ideal)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
