import { t } from '../../../texts/index.ts'
import { channelTitle, type Channel } from '../data/rows.ts'
import { joinChannel } from '../data/membership.ts'
import styles from './channels.module.css'

/** Offers to join a public channel before it can be read. */
export function JoinBar({ channel }: { channel: Channel }) {
  return (
    <div className={styles.join}>
      <p>{t.chat.joinBar.text(channelTitle(channel))}</p>
      {channel.purpose !== undefined && <p dir="auto">{channel.purpose}</p>}
      <button type="button" className={styles.primary} onClick={() => void joinChannel(channel)}>
        {t.chat.joinBar.join}
      </button>
    </div>
  )
}
