import { t } from '../../../texts/index.ts'
import tasks from '../tasks.module.css'
import { dayTicks, monthTicks, zooms, type Scale, type Zoom } from './scale.ts'
import styles from './timeline.module.css'

interface TimelineHeadProps {
  scale: Scale
  zoom: Zoom
  setZoom: (zoom: Zoom) => void
  today: string
  scrollToToday: () => void
}

/** Months and days above the bars, and the zoom level beside them. */
export function TimelineHead({ scale, zoom, setZoom, today, scrollToToday }: TimelineHeadProps) {
  return (
    <div className={styles.scaleHead}>
      <div className={styles.corner}>
        {zooms.map((name) => (
          <button
            key={name}
            type="button"
            className={tasks.view}
            aria-pressed={name === zoom}
            onClick={() => setZoom(name)}
          >
            {t.tasks.timeline.zooms[name]}
          </button>
        ))}
        <button type="button" className={tasks.view} onClick={scrollToToday}>
          {t.tasks.days.today}
        </button>
      </div>
      <div className={styles.ticks} style={{ width: scale.width }} aria-hidden>
        <div className={styles.months}>
          {monthTicks(scale).map((tick) => (
            <span key={tick.day} style={{ width: tick.width }}>
              <span className={styles.monthName}>{tick.label}</span>
            </span>
          ))}
        </div>
        <div className={styles.days}>
          {dayTicks(scale, zoom).map((tick) => (
            <span
              key={tick.day}
              style={{ width: tick.width }}
              data-today={tick.day === today || undefined}
            >
              {tick.label}
            </span>
          ))}
        </div>
        <span className={styles.today} style={{ left: scale.x(today) + scale.dayWidth / 2 }} />
      </div>
    </div>
  )
}
