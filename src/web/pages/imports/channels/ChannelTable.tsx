import { channelImport as words } from '../../../texts/en/imports/channels.ts'
import styles from '../imports.module.css'
import type { ChannelPlan } from './data.ts'

interface ChannelTableProps {
  channels: ChannelPlan['channels']
  /** Names of the excluded ones. */
  excluded: ReadonlySet<string>
  toggle: (name: string) => void
}

/** The channels of an export; unwanted ones can be excluded. */
export function ChannelTable({ channels, excluded, toggle }: ChannelTableProps) {
  const [, ...heads] = words.heads
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <caption>{words.legend}</caption>
        <thead>
          <tr>
            <td />
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {channels.map(({ name, as, kind, archived, messages, members, skipped }) => (
            <tr key={name} data-there={skipped === undefined ? undefined : true}>
              <td>
                <input
                  type="checkbox"
                  aria-label={words.choose(name)}
                  checked={skipped === undefined && !excluded.has(name)}
                  disabled={skipped !== undefined}
                  onChange={() => toggle(name)}
                />
              </td>
              <td dir="auto">
                {[
                  words.named(name),
                  ...(kind === 'private' ? [words.private] : []),
                  ...(archived ? [words.archived] : []),
                ].join(' · ')}
              </td>
              <td dir="auto">{as === undefined ? skipped : words.named(as)}</td>
              <td>{messages}</td>
              <td dir="auto">{members.join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
