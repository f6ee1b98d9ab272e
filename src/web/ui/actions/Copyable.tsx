import { ActionIcon, Box, Button, CopyButton, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { t } from '../../texts/index.ts'

/** A text to be copied exactly, with a copy button. */
export function Copyable({ text, label }: { text: string; label: string }) {
  return (
    <Box pos="relative">
      <pre className="code" tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <Box pos="absolute" top={6} right={6}>
        <CopyIcon text={text} label={label} />
      </Box>
    </Box>
  )
}

function CopyIcon({ text, label }: { text: string; label: string }) {
  return (
    <CopyButton value={text} timeout={2000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t.app.copied : t.app.copy}>
          <ActionIcon
            variant="default"
            onClick={copy}
            aria-label={copied ? t.app.copied : `${t.app.copy}: ${label}`}
          >
            {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}

export function CopyTextButton({
  text,
  children = t.app.copy,
}: {
  text: string
  children?: string
}) {
  return (
    <CopyButton value={text} timeout={2000}>
      {({ copied, copy }) => (
        <Button
          variant={copied ? 'light' : 'filled'}
          leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          onClick={copy}
        >
          {copied ? t.app.copied : children}
        </Button>
      )}
    </CopyButton>
  )
}
