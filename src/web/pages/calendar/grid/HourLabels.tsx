import { instantOf, wallAt, wallOf, zoneName } from '../data/wall.ts'
import styles from './grid.module.css'

const hours = Array.from({ length: 24 }, (_, hour) => hour)

interface HourLabelsProps {
  /** The zone of the hours, and others whose clocks stand beside. */
  zones: readonly string[]
  /** The day whose hours are meant: zones change their clocks on different days. */
  day: string
}

/** The hours at the side, in one zone or several. */
export function HourLabels({ zones, day }: HourLabelsProps) {
  const [own = 'UTC'] = zones
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
              {wallOf(instantOf(wallAt(day, hour * 60), own), zone).slice(11)}
            </span>
          ))}
        </div>
      ))}
    </div>
  )
}
