import { Badge, Box, Text } from '@mantine/core'
import { t } from '../texts/index.ts'

/** Marks content written by people outside the organization. */
export function OutsideBadge() {
  return (
    <Badge size="sm" variant="default" tt="none" fw={500}>
      {t.items.outside}
    </Badge>
  )
}

/** Plain text without any formatting or links. */
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
