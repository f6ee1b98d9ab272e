import { Badge, Box, Text } from '@mantine/core'
import { t } from '../texts/index.ts'

/** Says that people outside the organization wrote something. */
export function OutsideBadge() {
  return (
    <Badge size="sm" variant="default" tt="none" fw={500}>
      {t.items.outside}
    </Badge>
  )
}

/** A text as it stands, with nothing of it taken for more than text. */
export function PlainText({ text, isOutside = false }: { text: string; isOutside?: boolean }) {
  return (
    <Box>
      {isOutside && <OutsideBadge />}
      <Text size="sm" dir="auto" className="plain-text">
        {text}
      </Text>
    </Box>
  )
}
