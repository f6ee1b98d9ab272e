import { Button, CopyButton } from '@mantine/core'
import { t } from '../../texts/index.ts'

/** An inline button that copies a text. */
export function CopyTextLink({ text }: { text: string }) {
  return (
    <CopyButton value={text} timeout={2000}>
      {({ copied, copy }) => (
        <Button variant="subtle" size="compact-xs" onClick={copy}>
          {copied ? t.app.copied : t.app.copy}
        </Button>
      )}
    </CopyButton>
  )
}
