import { Box, Stack, Title } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, type ReactNode } from 'react'

/** A section of an item with its heading. */
export function ItemSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="xs" component="section">
      <Title order={2} size="h3">
        {title}
      </Title>
      {children}
    </Stack>
  )
}

/** A part with an address: the part named after # is highlighted and scrolled into view. */
export function LinkTarget({
  id,
  isMarked = false,
  children,
}: {
  id: string
  isMarked?: boolean
  children: ReactNode
}) {
  const { hash } = useLocation()
  const element = useRef<HTMLDivElement>(null)
  const isTarget = isMarked || hash === id
  useEffect(() => {
    if (isTarget) element.current?.scrollIntoView({ block: 'center' })
  }, [isTarget])
  return (
    <Box id={id} ref={element} className={isTarget ? 'marked' : undefined}>
      {children}
    </Box>
  )
}
