import { Anchor } from '@mantine/core'
import { linksIn } from './links.ts'

/** A text of a stranger: nothing of it is taken for more than text, and links are shown by the host that they lead to. */
export function LinkedText({ text }: { text: string }) {
  return (
    <p className="plain-text" dir="auto">
      {linksIn(text).map((part) =>
        part.href === undefined ? (
          part.text
        ) : (
          <Anchor
            key={part.at}
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
