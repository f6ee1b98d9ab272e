import { Button } from '@mantine/core'
import { useState } from 'react'
import type { GetOutput } from '../../../api/client.ts'
import { useEndpoint } from '../../../api/queries.ts'
import { wiki } from '../../../texts/en/wiki.ts'
import { AppLink } from '../../../ui/AppLink.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { Ago } from '../../../ui/times.tsx'
import { versionPath } from './VersionList.tsx'
import { useVersionText } from './version-text.ts'
import { VersionAuthors, type Version } from './VersionWho.tsx'
import styles from './versions.module.css'

const texts = wiki.versions
const endpoint = '/web/pages/:id/versions/:version/lines'
type Origins = GetOutput<typeof endpoint>

/** The lines of a version, with the last author and time of each. */
export function LineAuthors({ version }: { version: Version }) {
  const text = useVersionText(version)
  const origins = useEndpoint(
    endpoint,
    { id: version.page.id, version: version.id },
    { staleTime: Infinity },
  )
  return (
    <QueryContent query={text}>
      {({ body_markdown: body = '' }) => (
        <QueryContent query={origins}>
          {(authorship) => <Stretches origins={authorship} lines={body.split('\n')} />}
        </QueryContent>
      )}
    </QueryContent>
  )
}

/** Blocks rendered at a time. */
const stretchesAtOnce = 200

function Stretches({
  origins: { stretches, versions },
  lines,
}: {
  origins: Origins
  lines: string[]
}) {
  const [count, setCount] = useState(stretchesAtOnce)
  const remainingLines = stretches.slice(count).reduce((sum, stretch) => sum + stretch.count, 0)
  const byId = new Map(versions.map((version) => [version.id, version]))
  return (
    <section aria-label={texts.modes.authors} className={styles.difference}>
      <ol className={`plain-list ${styles.rows}`}>
        {stretches.slice(0, count).map(({ line, count: length, version_id: id }) => (
          <li key={line} aria-label={texts.lines(line, length)} className={styles.stretch}>
            <Origin version={id === undefined ? undefined : byId.get(id)} />
            <span dir="auto" className={styles.text}>
              {lines.slice(line - 1, line - 1 + length).join('\n')}
            </span>
          </li>
        ))}
      </ol>
      {remainingLines > 0 && (
        <Button size="xs" variant="default" onClick={() => setCount(count + stretchesAtOnce)}>
          {texts.moreLines(remainingLines)}
        </Button>
      )}
    </section>
  )
}

function Origin({ version }: { version: Version | undefined }) {
  if (!version) return <div className={styles.origin}>{texts.older}</div>
  return (
    <div className={styles.origin}>
      <VersionAuthors version={version} size={16} />
      <span className={styles.quiet}>
        <AppLink to={versionPath(version.page.id, version.id)} className={styles.originLink}>
          {texts.version(version.number)}
        </AppLink>{' '}
        · <Ago time={version.created_at} />
      </span>
    </div>
  )
}
