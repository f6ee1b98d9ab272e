import { Box } from '@mantine/core'
import type { Output } from '../../../api/client.ts'
import { t } from '../../../texts/index.ts'
import { AppLink, appPath } from '../../../ui/AppLink.tsx'
import { Markdown } from '../../../ui/Markdown.tsx'
import { PlainText } from '../../../ui/Outside.tsx'
import { formatMoment } from '../../../ui/times.tsx'
import { Quiet } from '../Facts.tsx'

/** One time that someone of ours was in touch with a contact. What came from outside is text, whatever it looks like. */
export function Interaction({ of: one }: { of: Output<'list_interactions'>['items'][number] }) {
  return (
    <Box>
      <Quiet>
        <AppLink to={appPath(one.url) ?? '/'} size="sm" underline="always">
          {t.items.word(one.kind)}
        </AppLink>{' '}
        · {formatMoment(one.occurred_at)} · {one.person.title}
      </Quiet>
      {one.trust === 'external' ? (
        <PlainText text={one.summary_markdown} isOutside />
      ) : (
        <Markdown text={one.summary_markdown} under={2} />
      )}
    </Box>
  )
}
