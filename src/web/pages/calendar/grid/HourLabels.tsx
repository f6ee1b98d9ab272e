import { instantOf, wallAt, wallOf, zoneName } from '../data/wall.ts'
import styles from './grid.module.css'

const hours = Array.from({ length: 24 }, (_, hour) => hour)

interface HourLabelsProps {
  /** The main zone of the hours, and additional ones. */
  zones: readonly string[]
  /** The day of the hours: zones change their clocks on different days. */
  day: string
}

/** The hour labels, in one or more zones. */
export function HourLabels({ zones, day }: HourLabelsProps) {
  const [mainZone = 'UTC'] = zones
  return (
    <div className={styles.gutter}>
      {zones.map((zone) => (
        <div key={zone} className={styles.labels}>
          {zones.length > 1 && (
            <span className={styles.zone} title={zoneName(zone)}>
              {zoneName(zone).split('/').at(-1)}
            </span>
          )}
          {hours.slice(1).map((hour) => (
            <span key={hour} className={styles.hour}>
              {wallOf(instantOf(wallAt(day, hour * 60), mainZone), zone).slice(11)}
            </span>
          ))}
        </div>
      ))}
    </div>
  )
}
