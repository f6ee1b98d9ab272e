import { Anchor } from '@mantine/core'
import { linksIn } from './links.ts'

/** Untrusted text: shown as plain text, with links labeled with their host. */
export function LinkedText({ text }: { text: string }) {
  return (
    <p className="plain-text" dir="auto">
      {linksIn(text).map((part) =>
        part.href === undefined ? (
          part.text
        ) : (
          <Anchor
            key={part.offset}
            href={part.href}
            target="_blank"
            rel="noopener noreferrer nofollow"
            underline="always"
            title={part.href}
            inherit
          >
            {part.text}
          </Anchor>
        ),
      )}
    </p>
  )
}
